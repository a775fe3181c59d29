import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const api = process.env.PLAUDIT_URL ?? "http://127.0.0.1:8000";
const proxied = Object.fromEntries(["/graphiql", "/demo", "/readyz"].map((path) => [path, api]));

export default defineConfig({
  plugins: [react()],
  build: { target: "es2022", assetsDir: "app", modulePreload: { polyfill: false }, reportCompressedSize: false },
  resolve: { conditions: ["source", "module", "browser", "import", "default"] },
  server: { proxy: { ...proxied, "/graphql": { target: api, ws: true } } },
});
