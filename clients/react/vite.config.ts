import { defineConfig } from "vite";

/** Builds the web components with Preact into one script, for pages without a build step. */
export default defineConfig({
  build: {
    target: "es2022",
    emptyOutDir: false,
    lib: { entry: "src/embed.tsx", formats: ["iife"], name: "plaudit", fileName: () => "embed.js" },
  },
  define: { "process.env.NODE_ENV": '"production"' },
  resolve: {
    alias: {
      "react/jsx-runtime": "preact/jsx-runtime",
      "react-dom/client": "preact/compat/client",
      "react-dom": "preact/compat",
      react: "preact/compat",
    },
    conditions: ["source", "module", "browser", "import", "default"],
  },
});
