import type { Exchange, OperationResult } from "@urql/core";
import { map, pipe, tap } from "wonka";
import { withoutMissing } from "./degraded.js";

/**
 * Removes values that could not be read, so that the cache keeps the last known ones. Its place is between the cache and
 * the network.
 */
export const degradedExchange: Exchange =
  ({ forward }) =>
  (operations) =>
    map(withoutMissing)(forward(operations));

/**
 * Gives results from the cache the error and the extensions of the newest answer of the API, which say what could not be
 * read. Otherwise they would be lost when another answer changes something in the cache. Its place is before the cache.
 */
export const newestAnswerExchange: Exchange = ({ forward }) => {
  const newest = new Map<number, Pick<OperationResult, "error" | "extensions">>();
  const complete = (result: OperationResult): OperationResult => {
    const { operation, error, extensions } = result;
    if (operation.kind !== "query") return result;
    if (!error && !extensions) return { ...result, ...newest.get(operation.key) }; // every answer of the API has one
    newest.set(operation.key, { error, extensions });
    return result;
  };
  return (operations) =>
    pipe(
      operations,
      tap(({ kind, key }) => kind === "teardown" && newest.delete(key)),
      forward,
      map(complete),
    );
};
