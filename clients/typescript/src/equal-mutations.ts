import { type Exchange, makeOperation, type Operation } from "@urql/core";
import { pipe, map } from "wonka";

/**
 * Keeps equal mutations apart that are sent at the same time. urql gives them one number, under which the cache awaits one
 * answer, so the answer to the second one would be lost. Its place is before the cache.
 */
export const equalMutationsExchange: Exchange = ({ forward }) => {
  let newest = 0;
  const numbers = new Map<number, number>(); // the number that urql gave, by the own number of each mutation
  const apart = (operation: Operation): Operation => {
    if (operation.kind !== "mutation") return operation;
    newest -= 1; // urql's numbers are positive
    numbers.set(newest, operation.key);
    return makeOperation("mutation", { ...operation, key: newest }, operation.context);
  };
  const restored = (operation: Operation): Operation => {
    const key = numbers.get(operation.key);
    if (key === undefined) return operation;
    numbers.delete(operation.key);
    return makeOperation(operation.kind, { ...operation, key }, operation.context);
  };
  return (operations) =>
    pipe(
      operations,
      map(apart),
      forward,
      map((result) => ({ ...result, operation: restored(result.operation) })),
    );
};
