/** Signs in as a user of the demo data. In your app: the token of your own login (docs/build/authentication.md). */
export async function signIn(handle = "alice"): Promise<string> {
  const { users } = (await (await fetch("/graphiql/session")).json()) as { users: { handle: string; token: string }[] };
  return users.find((user) => user.handle === handle)!.token;
}
