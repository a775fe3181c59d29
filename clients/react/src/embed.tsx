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

const clients = new Map<string, Map<TokenSource, Client>>(); // by the address of the API and the source of the token

/** Returns the client that all elements with the same API and token share, so that a like is shown in all of them. */
function clientOf(url: string, token: TokenSource): Client {
  const ofApi = clients.get(url) ?? new Map<TokenSource, Client>();
  clients.set(url, ofApi);
  const read = typeof token === "function" ? token : () => token ?? null;
  const client = ofApi.get(token) ?? createPlauditClient({ url, token: read });
  ofApi.set(token, client);
  return client;
}

/**
 * An element with a component in its shadow tree. Its token is the property `token` (a text, or a function as in
 * `ClientOptions.token`) or else the attribute. It fires `plaudit-sign-in` when a person must sign in first.
 */
abstract class PlauditElement extends HTMLElement {
  static observedAttributes = ["subject", "target", "api", "token", "language", "sort", "live"];
  #root: Root | undefined;
  #token: TokenSource;

  get token(): TokenSource {
    return this.#token ?? this.getAttribute("token");
  }

  set token(token: TokenSource) {
    this.#token = token;
    this.draw();
  }

  connectedCallback(): void {
    if (Object.hasOwn(this, "token")) this.upgrade();
    const shadow = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    shadow.adoptedStyleSheets = [sheet];
    const place = document.createElement("div");
    shadow.replaceChildren(place);
    this.#root = createRoot(place);
    this.draw();
  }

  disconnectedCallback(): void {
    this.#root?.unmount();
    this.#root = undefined;
  }

  attributeChangedCallback(): void {
    this.draw();
  }

  /** Takes a token that was set before this script had been loaded. */
  private upgrade(): void {
    const { token } = this;
    Reflect.deleteProperty(this, "token");
    this.token = token;
  }

  private draw(): void {
    const api = this.getAttribute("api");
    if (!this.#root || !api) return;
    const { token } = this;
    const props: PlauditProviderProps = {
      client: clientOf(new URL(api, location.href).href, token),
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
