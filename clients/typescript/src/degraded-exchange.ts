import type { Exchange, OperationResult } from "@urql/core";
import { map, pipe, tap } from "wonka";
import { withoutMissing } from "./degraded.js";
import { isTemporary } from "./errors.js";

function isEmpty(data: Record<string, unknown>): boolean {
  return Object.entries(data).every(([name, value]) => name === "__typename" || value === null);
}

/** Removes the nulls of a query that failed for a reason that passes. */
function withoutFailure(result: OperationResult): OperationResult {
  const failed = result.operation.kind === "query" && isTemporary(result.error) && result.data && isEmpty(result.data);
  return failed ? { ...result, data: undefined } : result;
}

/**
 * Removes values that could not be read, so that the cache keeps the last known ones. Its place is between the cache and
 * the network.
 */
export const degradedExchange: Exchange =
  ({ forward }) =>
  (operations) =>
    map((result: OperationResult) => withoutFailure(withoutMissing(result)))(forward(operations));

type Known = Partial<Pick<OperationResult, "data" | "error" | "extensions">>;

/**
 * Keeps what the newest answer to each query said about errors and missing values when something else changes in the
 * cache, and keeps the last data when a query fails for a reason that passes. Its place is before the cache.
 */
export const newestAnswerExchange: Exchange = ({ forward }) => {
  const known = new Map<number, Known>();
  const complete = (result: OperationResult): OperationResult => {
    const { operation, data, error, extensions } = result;
    if (operation.kind !== "query") return result;
    const last = known.get(operation.key);
    const isAnswer = error !== undefined || extensions !== undefined; // every answer of the API has one of them
    const news: Known = isAnswer ? { data, error, extensions } : { ...last, data };
    if (isTemporary(error)) news.data ??= last?.data;
    known.set(operation.key, news);
    return { ...result, ...news };
  };
  return (operations) =>
    pipe(
      operations,
      tap(({ kind, key }) => kind === "teardown" && known.delete(key)),
      forward,
      map(complete),
    );
};
