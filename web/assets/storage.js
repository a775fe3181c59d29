// Stores GraphiQL's tabs, history and theme in localStorage, without headers. GraphiQL has an option to leave headers out
// of tabs, but not out of its history. A token in the headers editor must not be stored longer than the tab is open.

const NAMESPACE = "graphiql:";
const WITH_HEADERS = new Set(["graphiql:queries", "graphiql:favorites"]);

export const storage = {
  getItem: (key) => localStorage.getItem(key),
  setItem: (key, value) => localStorage.setItem(key, WITH_HEADERS.has(key) ? withoutHeaders(value) : value),
  removeItem: (key) => localStorage.removeItem(key),
  clear: () => keys().forEach((key) => localStorage.removeItem(key)),
  get length() {
    return keys().length;
  },
};

function keys() {
  return Object.keys(localStorage).filter((key) => key.startsWith(NAMESPACE));
}

function withoutHeaders(json) {
  return JSON.stringify(JSON.parse(json), (name, value) => (name === "headers" ? undefined : value));
}
