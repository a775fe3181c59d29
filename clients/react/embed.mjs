// Builds the script of the web components, with Preact, and a file beside it with the licences of all that is in it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";

const outfile = process.argv[2];
const LICENCES = "embed.LICENSES.txt";

const { metafile } = await build({
  entryPoints: ["src/embed.tsx"],
  outfile,
  bundle: true,
  minify: true,
  metafile: true,
  logLevel: "warning",
  target: "es2022",
  conditions: ["source"],
  loader: { ".css": "text" },
  banner: { js: `/*! licences: ${LICENCES} */` },
  alias: {
    react: "preact/compat",
    "react-dom": "preact/compat",
    "react/jsx-runtime": "preact/jsx-runtime",
    "react-dom/client": "preact/compat/client",
  },
});

/** Returns the folders of the packages whose modules are in the script. The modules of Plaudit are in no such folder. */
function bundled() {
  const modules = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  return new Set(modules.flatMap((path) => path.match(/^.*node_modules\/(@[^/]+\/)?[^/]+/)?.[0] ?? []));
}

/** Returns the text of a package's licence: of its own file, or else of the file here for the licence that it names. */
function textOf(folder, license) {
  const own = readdirSync(folder).find((name) => /^licen[cs]e(\.|$)/i.test(name));
  const path = own ? join(folder, own) : `licenses/${license}.txt`;
  if (!existsSync(path)) throw new Error(`${folder} has no file with its licence. Add ${path}.`);
  return readFileSync(path, "utf8").trim();
}

const parts = [".", ...[...bundled()].sort()].map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return `${name} ${version} (${license})\n\n${textOf(folder, license)}\n`;
});
writeFileSync(join(dirname(outfile), LICENCES), parts.join(`\n${"-".repeat(80)}\n\n`));
