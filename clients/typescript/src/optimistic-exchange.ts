import { type Exchange, makeOperation, type Operation } from "@urql/core";
import { pipe, tap } from "wonka";

/**
 * Shows an optimistic change also in lists that are shown while they are read anew. The cache asks the client to show these
 * queries again, and the client ignores its first request while a query is with the API. This exchange asks once more. Its
 * place is before the cache.
 */
export const optimisticExchange: Exchange = ({ client, forward }) => {
  const reading = new Map<number, Operation>(); // queries that have shown data from the cache and wait for an answer
  const showAgain = () => {
    for (const operation of reading.values()) {
      const { kind, context } = operation;
      client.reexecuteOperation(makeOperation(kind, operation, { ...context, requestPolicy: "cache-first" }));
    }
  };
  return (operations) =>
    pipe(
      operations,
      tap(({ kind, key }) => {
        if (kind === "mutation") queueMicrotask(showAgain); // after the cache has made its own request
        if (kind === "teardown") reading.delete(key);
      }),
      forward,
      tap(({ operation, stale, data }) => {
        if (operation.kind !== "query") return;
        if (stale && data) reading.set(operation.key, operation);
        else reading.delete(operation.key);
      }),
    );
};
