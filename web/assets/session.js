// The signed-in user: keeps the choice of the person at the browser, and provides the token for requests.
// The choice is in sessionStorage: it ends with the tab, and other tabs cannot read it. A development user is stored by
// handle and gets a new token at every page load. Only a pasted token is stored as it is.

const KEY = "plaudit.session";
const ANONYMOUS = { kind: "anonymous" };
const LOAD_TIMEOUT_MS = 3000;

/** `usersUrl` is empty in production, where there is no list of users to choose from. */
export async function openSession(usersUrl) {
  let users = [];
  let problem = "";
  if (usersUrl) {
    try {
      users = await load(usersUrl);
      const { kind, handle } = stored();
      // The demo app offers more users than this page. It remembers its user under the same key.
      const isOther = kind === "user" && !users.some((user) => user.handle === handle);
      if (isOther) users.push(...(await load(`${usersUrl}?user=${encodeURIComponent(handle)}`)));
    } catch {
      problem = "development users could not be loaded";
    }
  }
  return new Session(users, problem);
}

async function load(url) {
  const response = await fetch(url, { signal: AbortSignal.timeout(LOAD_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return (await response.json()).users;
}

/** Fires `change` whenever the choice, or what is known about it, changes. */
class Session extends EventTarget {
  constructor(users, problem) {
    super();
    this.users = users;
    this.problem = problem;
    this.choice = remembered(users);
  }

  /** The bearer token of the current choice, or null. */
  get token() {
    if (this.choice.kind === "token") return this.choice.token;
    return this.users.find((user) => user.handle === this.choice.handle)?.token ?? null;
  }

  beAnonymous() {
    this.#choose(ANONYMOUS);
  }

  beUser(handle) {
    this.#choose({ kind: "user", handle });
  }

  /** Takes a bare token or a copied "Bearer …" header value; false when it could not be sent as a header. */
  beToken(text) {
    const token = text.trim().replace(/^bearer\s+/i, "");
    if (!/^[\x21-\x7e]+$/.test(token)) return false;
    this.#choose({ kind: "token", token });
    return true;
  }

  /** Takes the status of each response: 401 means that the server does not accept the token. */
  answered(status) {
    this.#report(status === 401 ? "the server refused this token" : "");
  }

  /** Takes each result: without a token `viewer` is null, and a newcomer may not know why. */
  received(result) {
    if (!this.token && result?.data?.viewer === null) this.#report("sign in to see this: viewer is null");
  }

  #report(problem) {
    if (problem !== this.problem) this.#tell(problem);
  }

  #choose(choice) {
    this.choice = choice;
    sessionStorage.setItem(KEY, JSON.stringify(choice));
    this.#tell("");
  }

  #tell(problem) {
    this.problem = problem;
    this.dispatchEvent(new Event("change"));
  }
}

function stored() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY)) ?? ANONYMOUS;
  } catch {
    return ANONYMOUS;
  }
}

function remembered(users) {
  const choice = stored();
  const gone = choice.kind === "user" && !users.some((user) => user.handle === choice.handle);
  return gone ? ANONYMOUS : choice;
}
