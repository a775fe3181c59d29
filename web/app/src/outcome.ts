import { say } from "./language.tsx";

/** The result of a mutation. */
export interface Outcome {
  error?: unknown;
  data?: unknown;
}

/** Returns why a mutation failed or was refused, as a message to show; null if it succeeded. */
export function messageOf({ error, data }: Outcome): string | null {
  const payload = Object.values((data ?? {}) as object).find((value) => value !== null && typeof value === "object");
  if (payload) return (payload as { userErrors: { message: string }[] }).userErrors[0]?.message ?? null;
  const first = (error as { graphQLErrors?: { message: string }[] } | undefined)?.graphQLErrors?.[0];
  return error ? (first?.message ?? say("no-connection")) : null;
}
