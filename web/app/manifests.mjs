// Writes the manifests of persisted operations beside the built pages. That of the demo app has all operations of the
// client kit, that of the moderation console only those of the console: production serves the console in lockdown, too.
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

const all = JSON.parse(readFileSync("../../clients/typescript/src/generated/persisted-documents.json", "utf8"));
const scripts = readdirSync("dist/moderation/assets").filter((name) => name.endsWith(".js"));
const code = scripts.map((name) => readFileSync(`dist/moderation/assets/${name}`, "utf8")).join("");
const used = Object.fromEntries(Object.entries(all).filter(([id]) => code.includes(id)));

for (const [folder, operations] of [["dist", all], ["dist/moderation", used]]) {
  writeFileSync(`${folder}/persisted-documents.json`, JSON.stringify(operations, null, 2));
}

// The console contains oidc-client-ts, whose licence must go with it.
copyFileSync("../../node_modules/oidc-client-ts/LICENSE", "dist/moderation/LICENSE-oidc-client-ts.txt");
