const asked = new URLSearchParams(location.search);

/** The address of your API. */
export const api = asked.get("api") ?? "/graphql";

/** The token of the signed-in user, from your own login (docs/build/authentication.md). */
export const token = asked.get("token");

/** Opens your own login. */
export function signIn(): void {
  location.hash = "sign-in";
}
