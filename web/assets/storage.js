// Where GraphiQL keeps tabs, history and theme: localStorage, minus headers. GraphiQL leaves headers out of its tabs when
// told to, but not out of its history; a token typed into the headers editor must not outlive the tab.

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
