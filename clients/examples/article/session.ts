import { signIn as signInAsAlice } from "../session.ts";

const asked = new URLSearchParams(location.search);

/** The address of the API. */
export const api = asked.get("api") ?? "/graphql";

/** The token of the signed-in user; null if nobody is signed in. */
export const token = asked.get("token");

/** Signs in. In your app: opens your own login (docs/build/authentication.md). */
export async function signIn(): Promise<void> {
  asked.set("token", await signInAsAlice());
  location.search = String(asked);
}
