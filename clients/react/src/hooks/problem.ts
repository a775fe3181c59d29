import type { CombinedError } from "urql";

/** Why a write failed or was refused. */
export interface Problem {
  /** A code of the API, such as `BLOCKED`; `NO_CONNECTION` if no answer came. */
  code: string;
  /** A message of the API, in English. */
  message: string;
}

interface Payload {
  userErrors: Problem[];
}

/** Returns why a mutation failed or was refused; null if it succeeded. */
export function problemOf({ data, error }: { data?: object | null; error?: CombinedError }): Problem | null {
  const payload = Object.values(data ?? {}).find((value): value is Payload => value !== null && typeof value === "object");
  if (payload) return payload.userErrors[0] ?? null;
  const first = error?.graphQLErrors[0];
  if (first) return { code: (first.extensions?.code as string | undefined) ?? "INTERNAL", message: first.message };
  return error ? { code: "NO_CONNECTION", message: "There is no connection. Try again." } : null;
}
