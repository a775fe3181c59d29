import { ModeratorDocument, type ModeratorQuery, type ModeratorRole } from "@plaudit/client";
import { say } from "../language.tsx";

// The session storage of a tab ends with the tab, and no other tab reads it.
const KEY = "plaudit.moderation.token";

/** What a token says about its user. Only the API verifies it. */
export interface Claims {
  iss?: string;
  sub?: string;
  /** Seconds since 1970. */
  exp?: number;
  /** The businesses to which the token is restricted. */
  businesses?: string[];
}

export type Role = ModeratorRole;
export type Moderator = NonNullable<NonNullable<ModeratorQuery["viewer"]>["user"]>;

/**
 * Takes a token out of the address (`#token=…`) and keeps it for this tab. The address has no token afterwards: neither
 * on the screen, nor when the page is loaded again. If moderators sign in at an issuer, no link signs them in, so the
 * token is not kept. Returns whether a token is kept.
 */
export function takeTokenFromAddress(hasIssuer: boolean): boolean {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token === null) return false;
  history.replaceState(null, "", location.pathname + location.search);
  if (hasIssuer) return false;
  keepToken(token || null);
  return true;
}

export function keepToken(token: string | null): void {
  if (token) sessionStorage.setItem(KEY, token);
  else sessionStorage.removeItem(KEY);
}

export function keptToken(): string | null {
  return sessionStorage.getItem(KEY);
}

/** Returns the claims of a token; none if it is not a JSON Web Token. */
export function claimsOf(token: string): Claims {
  try {
    const [, payload = ""] = token.split(".");
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes)) as Claims;
  } catch {
    return {};
  }
}

export function isOfSameUser(one: string, other: string): boolean {
  const [first, second] = [claimsOf(one), claimsOf(other)];
  return first.iss === second.iss && first.sub === second.sub;
}

interface ApiError {
  message: string;
  extensions?: { code?: string };
}

/** Asks the API whether a token may moderate. Returns the moderator and the role, or why the token cannot be used. */
export async function check(token: string): Promise<{ moderator: Moderator; role: Role } | { problem: string }> {
  const documentId = (ModeratorDocument as { __meta__?: { hash?: string } }).__meta__?.hash;
  let answer: { data?: ModeratorQuery; errors?: ApiError[] };
  try {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch("/graphql", { method: "POST", headers, body: JSON.stringify({ documentId }) });
    answer = await response.json();
  } catch {
    return { problem: say("no-answer") };
  }
  const moderator = answer.data?.viewer?.user;
  const role = answer.data?.viewer?.moderationRole;
  if (answer.errors) return { problem: explain(answer.errors[0]!, token) };
  if (moderator && !role) return { problem: say("may-not-moderate", { name: moderator.displayName }) };
  return moderator && role ? { moderator, role } : { problem: say("no-profile") };
}

function explain({ message, extensions }: ApiError, token: string): string {
  const hasExpired = (claimsOf(token).exp ?? Number.POSITIVE_INFINITY) * 1000 < Date.now();
  if (extensions?.code === "UNAUTHENTICATED" && hasExpired) return say("token-expired");
  return message;
}
