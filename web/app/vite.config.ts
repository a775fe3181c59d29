import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const api = process.env.PLAUDIT_URL ?? "http://127.0.0.1:8000";
const proxied = Object.fromEntries(["/graphiql", "/demo", "/exports", "/readyz"].map((path) => [path, api]));

// `--mode moderation` builds the moderation console. It shares no file with the demo app, which production must not serve.
export default defineConfig(({ mode }) => {
  const isConsole = mode === "moderation";
  return {
    plugins: [react()],
    build: {
      target: "es2022",
      assetsDir: isConsole ? "moderation/assets" : "app",
      assetsInlineLimit: 0, // the policy of the pages allows no data: URLs
      emptyOutDir: !isConsole,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rollupOptions: {
        input: isConsole ? "moderation/index.html" : "index.html",
        output: { manualChunks: (id) => /\/languages\/([^/]+)\/\w+\.ftl/.exec(id)?.[1] }, // one file for each language
      },
    },
    publicDir: isConsole ? false : "public",
    resolve: { conditions: ["source", "module", "browser", "import", "default"] },
    server: { proxy: { ...proxied, "/graphql": { target: api, ws: true } } },
  };
});
