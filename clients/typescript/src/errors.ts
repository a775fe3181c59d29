import { type CombinedError, type Exchange, makeOperation, type Operation } from "@urql/core";
import { retryExchange } from "@urql/exchange-retry";

/** Returns the code of an error, such as `UNAVAILABLE`; undefined for a lost connection. See docs/build/errors.md. */
export function codeOf(error: CombinedError | undefined): string | undefined {
  return error?.graphQLErrors.map(({ extensions }) => extensions?.code as string | undefined).find(Boolean);
}

/** Returns the seconds after which the API asks a client to repeat an operation; undefined if it does not say so. */
export function retryAfterOf(error: CombinedError | undefined): number | undefined {
  return error?.graphQLErrors.map(({ extensions }) => extensions?.retryAfter as number | undefined).find(Boolean);
}

/**
 * Returns the time until which `cancelDeletion` restores the viewer's account, if the error says that the account is
 * deleted: null if it cannot be restored any more. Returns undefined for any other error.
 */
export function deletedUntil(error: CombinedError | undefined): string | null | undefined {
  const found = error?.graphQLErrors.find(({ extensions }) => extensions?.code === "ACCOUNT_DELETED");
  return found && ((found.extensions?.dueAt as string | undefined) ?? null);
}

/** Returns whether an error may pass: a lost connection, or a reason of the API that passes. */
export function isTemporary(error: CombinedError | undefined): boolean {
  const code = codeOf(error);
  return code ? ["UNAVAILABLE", "RATE_LIMITED", "INTERNAL"].includes(code) : error?.networkError !== undefined;
}

const QUERY_ATTEMPTS = 3;

function mayRepeat(error: CombinedError, operation: Operation): boolean {
  const code = codeOf(error);
  const failures = (operation.context.retry?.count ?? 0) + 1;
  if (operation.kind === "query") {
    if (failures >= QUERY_ATTEMPTS) return false;
    if (code === "UNAVAILABLE" && retryAfterOf(error) === undefined) return false; // it would take too long again
  }
  if (code === "RATE_LIMITED") return retryAfterOf(error) !== undefined;
  if (code === "INTERNAL") return failures < 2;
  return code === "UNAVAILABLE" || (!code && error.networkError !== undefined);
}

function notBefore(error: CombinedError, operation: Operation): Operation {
  const { count = 0, delay = 0 } = operation.context.retry ?? {};
  const retry = { count, delay: Math.max(delay ?? 0, (retryAfterOf(error) ?? 0) * 1000) };
  return makeOperation(operation.kind, operation, { ...operation.context, retry });
}

/**
 * Repeats failed operations as docs/build/errors.md says: after lost replies, `UNAVAILABLE` and `RATE_LIMITED` with
 * growing pauses, and after `INTERNAL` once. Mutations are tried `attempts` times. Queries are tried three times: then the
 * user sees the error, and may ask again. A query is not repeated after `UNAVAILABLE` without `retryAfter`.
 */
export function retries(attempts: number): Exchange {
  return retryExchange({
    initialDelayMs: 500,
    maxDelayMs: 30_000,
    maxNumberAttempts: attempts,
    retryIf: mayRepeat,
    retryWith: notBefore,
  });
}
