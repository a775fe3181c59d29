import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const target = process.env.PLAUDIT_URL ?? "http://127.0.0.1:8000";
const proxy = { "/graphql": { target, ws: true }, "/graphiql/session": target, "/demo": target };

export default defineConfig({
  plugins: [react()],
  build: { target: "es2022", modulePreload: { polyfill: false }, rollupOptions: { input: ["apollo/index.html", "article/index.html", "urql/index.html"] } },
  resolve: { conditions: ["source", "module", "browser", "import", "default"] },
  server: { proxy },
  preview: { proxy },
});
