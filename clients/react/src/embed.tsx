// Web components for pages without a build step. `npm run build` makes one script of them, with Preact.
import { createPlauditClient } from "@plaudit/client";
import type { ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";
import type { Client } from "urql";
import { Comments } from "./components/comments.js";
import { LikeButton } from "./components/like-button.js";
import { PlauditProvider, type PlauditProviderProps } from "./hooks/index.js";
import css from "./style.css";

type TokenSource = PlauditProviderProps["token"];

const sheet = new CSSStyleSheet(); // pages need not allow inline styles
sheet.replaceSync(css);

/** A client that all elements with the same API and source of the token share, so that a like is shown in all of them. */
interface Shared {
  url: string;
  token: TokenSource;
  client: Client;
}

const shown = new Set<PlauditElement>();
const renewed = new Set<TokenSource>(); // the tokens that were set in this turn
let shared: Shared[] = [];
let isSettling = false;

function clientOf(url: string, token: TokenSource): Client {
  const found = shared.find((one) => one.url === url && one.token === token);
  if (found) return found.client;
  const client = createPlauditClient({ url, token: typeof token === "function" ? token : () => token ?? null });
  shared.push({ url, token, client });
  return client;
}

/** At the end of this turn, gives the elements with a token that was set a new client, and drops clients without elements. */
function settle(): void {
  if (isSettling) return;
  isSettling = true;
  queueMicrotask(() => {
    isSettling = false;
    shared = shared.filter(({ token }) => !renewed.has(token));
    for (const one of shown) if (renewed.has(one.token)) one.draw();
    renewed.clear();
    const used = new Set([...shown].map(({ client }) => client));
    shared = shared.filter(({ client }) => used.has(client));
  });
}

/**
 * An element with a component in its shadow tree. Its token is the property `token` (a text, or a function as in
 * `ClientOptions.token`) or else the attribute. Setting the property, also to the same function, makes all elements with
 * this token read everything anew. It fires `plaudit-sign-in` when a person must sign in first.
 */
abstract class PlauditElement extends HTMLElement {
  static observedAttributes = ["subject", "target", "api", "token", "language", "sort", "live"];
  #root: Root | undefined;
  #token: TokenSource;
  client: Client | undefined;

  get token(): TokenSource {
    return this.#token ?? this.getAttribute("token");
  }

  set token(token: TokenSource) {
    this.#token = token;
    if (!this.#root) return;
    renewed.add(this.token);
    settle();
  }

  connectedCallback(): void {
    if (Object.hasOwn(this, "token")) this.upgrade();
    const shadow = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    shadow.adoptedStyleSheets = [sheet];
    const place = document.createElement("div");
    shadow.replaceChildren(place);
    this.#root = createRoot(place);
    shown.add(this);
    this.draw();
  }

  disconnectedCallback(): void {
    this.#root?.unmount();
    this.#root = undefined;
    shown.delete(this);
    settle();
  }

  attributeChangedCallback(): void {
    this.draw();
    settle();
  }

  /** Takes a token that was set before this script had been loaded. */
  private upgrade(): void {
    const { token } = this;
    Reflect.deleteProperty(this, "token");
    this.token = token;
  }

  draw(): void {
    const api = this.getAttribute("api");
    if (!this.#root || !api) return;
    const { token } = this;
    this.client = clientOf(new URL(api, location.href).href, token);
    const props: PlauditProviderProps = {
      client: this.client,
      token,
      language: this.getAttribute("language") ?? (document.documentElement.lang || undefined),
      onSignInNeeded: () => this.dispatchEvent(new CustomEvent("plaudit-sign-in", { bubbles: true, composed: true })),
    };
    this.#root.render(<PlauditProvider {...props}>{this.content()}</PlauditProvider>);
  }

  protected abstract content(): ReactNode;
}

class PlauditComments extends PlauditElement {
  protected content(): ReactNode {
    const sort = this.getAttribute("sort")?.toUpperCase();
    const order = sort === "NEWEST" || sort === "OLDEST" ? sort : "HOT";
    return <Comments key={order} subject={this.getAttribute("subject") ?? ""} sort={order} live={this.hasAttribute("live")} />;
  }
}

class PlauditLike extends PlauditElement {
  protected content(): ReactNode {
    return <LikeButton target={this.getAttribute("target") ?? ""} />;
  }
}

customElements.define("plaudit-comments", PlauditComments);
customElements.define("plaudit-like", PlauditLike);
