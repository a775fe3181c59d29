import { ErrorResponse, ErrorTimeout, type User, UserManager, WebStorageStateStore } from "oidc-client-ts";
import { say } from "../language.tsx";
import { keepToken } from "./token.ts";

// Messages.
const DOWN = "issuer-down";
const ENDED = "issuer-ended";
/** The seconds before a token expires in which it is renewed. */
const EARLY = 30;

/** Returns the client of the OpenID Connect issuer that the API writes into the page; null without one. */
function readIssuer(): UserManager | null {
  const { issuer, clientId, scopes } = document.getElementById("app")?.dataset ?? {};
  if (!issuer || !clientId || !scopes) return null;
  const page = new URL("/moderation", location.href).href;
  return new UserManager({
    authority: issuer,
    client_id: clientId,
    scope: scopes,
    redirect_uri: page,
    post_logout_redirect_uri: page,
    // The session storage of a tab ends with the tab, and no other tab reads it.
    userStore: new WebStorageStateStore({ store: sessionStorage, prefix: "plaudit.moderation.user." }),
    stateStore: new WebStorageStateStore({ store: sessionStorage, prefix: "plaudit.moderation.state." }),
    automaticSilentRenew: false, // the client of the API renews when it needs a token
    requestTimeoutInSeconds: 10,
  });
}

export const issuer = readIssuer();

/** The tokens of this tab. */
let user: User | null = null;

/** Throws if the issuer does not answer. The browser would then leave the console for a page with an error. */
async function reach(): Promise<void> {
  await fetch(issuer!.settings.metadataUrl, { cache: "no-store", signal: AbortSignal.timeout(10_000) });
}

/** Goes to the page of the issuer, which comes back to this page of the console. Returns why that failed. */
export async function signIn(): Promise<string> {
  try {
    await reach();
    await issuer!.signinRedirect({ nonce: crypto.randomUUID(), state: location.pathname + location.search });
    return ""; // the browser has left the page
  } catch (error) {
    return problemOf(error);
  }
}

/**
 * Ends the sign-in whose answer is in the address, and renews the tokens of this tab if they have expired. Returns why
 * that failed, or null. The library checks that the answer belongs to this tab (state, nonce, PKCE).
 */
export async function enter(): Promise<string | null> {
  if (!issuer) return null;
  const answer = new URLSearchParams(location.search);
  try {
    if (answer.has("state") && (answer.has("code") || answer.has("error"))) {
      const url = location.href;
      history.replaceState(null, "", location.pathname); // the code stays neither on the screen nor in the history
      user = await issuer.signinRedirectCallback(url);
      history.replaceState(null, "", user.state as string);
      keepToken(user.access_token);
      return null;
    }
    user = await issuer.getUser();
    const renewal = isExpiring() ? await renew() : null;
    return renewal && "problem" in renewal ? renewal.problem : null;
  } catch (error) {
    return problemOf(error);
  }
}

export type Renewal = { token: string } | { problem: string; isDown: boolean };
let renewing: Promise<Renewal> | null = null;

/** Renews the tokens of this tab with the refresh token. Returns the new access token, or why there is none. */
export function renew(): Promise<Renewal> {
  renewing ??= renewOnce().finally(() => {
    renewing = null;
  });
  return renewing;
}

async function renewOnce(): Promise<Renewal> {
  if (!user?.refresh_token) return { problem: say(ENDED), isDown: false };
  try {
    user = await issuer!.signinSilent();
  } catch (error) {
    return isDown(error) ? { problem: say(DOWN), isDown: true } : { problem: say(ENDED), isDown: false };
  }
  if (!user) return { problem: say(ENDED), isDown: false };
  keepToken(user.access_token);
  return { token: user.access_token };
}

/** Whether the access token of this tab has expired, or expires soon. */
export function isExpiring(): boolean {
  return (user?.expires_in ?? Number.POSITIVE_INFINITY) < EARLY;
}

/** Signs out in this tab and at the issuer, which comes back to the console. Returns why the issuer was not reached. */
export async function signOut(): Promise<string> {
  user = null;
  try {
    await reach();
    await issuer!.signoutRedirect();
    return "";
  } catch {
    await issuer!.removeUser();
    return say("signed-out-here");
  }
}

function problemOf(error: unknown): string {
  if (error instanceof ErrorResponse) return say("issuer-refuses", { message: error.error_description ?? error.error ?? "" });
  if (isDown(error)) return say(DOWN);
  const message = error instanceof Error ? error.message : String(error);
  const isForeign = /state|nonce|authority|client_id/i.test(message);
  return isForeign ? say("issuer-foreign") : say("sign-in-failed", { message });
}

/** Whether an error means that the issuer does not answer, or answers that it cannot work. */
function isDown(error: unknown): boolean {
  return error instanceof TypeError || error instanceof DOMException || error instanceof ErrorTimeout || (error instanceof Error && /\(5\d\d\)/.test(error.message));
}
