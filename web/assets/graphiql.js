// Starts GraphiQL on this origin's /graphql. React, ReactDOM and GraphiQL are globals from the vendored scripts.

import { tabs } from "./examples.js";
import { createFetcher } from "./fetcher.js";
import { showSession } from "./session-bar.js";
import { openSession } from "./session.js";
import { storage } from "./storage.js";

const { GraphiQL, React, ReactDOM } = globalThis;

const bar = document.getElementById("session");

// GraphiQL's menus and dialogs add one <style> element to stop the page behind them from scrolling. They look for the
// nonce under this name (a bundler's convention); the page's policy admits that element and no other inline style.
globalThis.__webpack_nonce__ = document.querySelector("link[nonce]").nonce;

const session = await openSession(bar.dataset.users);
showSession(session);

ReactDOM.createRoot(document.getElementById("graphiql")).render(
  React.createElement(GraphiQL, {
    fetcher: createFetcher(session),
    defaultTabs: tabs,
    ...linked(),
    shouldPersistHeaders: false,
    showPersistHeadersSettings: false,
    storage,
  }),
);

// A link can bring an operation: /graphiql#query=…&variables=…. What follows # is not sent to the server.
function linked() {
  const given = new URLSearchParams(location.hash.slice(1));
  return given.has("query") ? { query: given.get("query"), variables: given.get("variables") ?? "" } : {};
}

// GraphiQL runs an operation on Ctrl-Enter only while an editor has the focus. Elsewhere, as on a page that was just
// opened, the query editor gets the focus and the key.
addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
  const editor = document.querySelector(".graphiql-query-editor .CodeMirror")?.CodeMirror;
  editor?.focus();
  editor?.getInputField().dispatchEvent(new KeyboardEvent(event.type, event));
});
