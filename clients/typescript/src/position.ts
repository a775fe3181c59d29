import { type Exchange, makeOperation, type Operation, type OperationResult } from "@urql/core";
import { map, pipe, tap } from "wonka";

/** How long a position is sent. Any site has the change after this time. */
const LIFE_MS = 2000;

/** Returns the position that has what both positions have. Each part of a position only grows. */
function both(one: string, other: string): string {
  const others = other.split(".").map(BigInt);
  return one
    .split(".")
    .map(BigInt)
    .map((part, place) => (others[place] !== undefined && others[place] > part ? others[place] : part))
    .join(".");
}

/**
 * Sends what the user has just written (`extensions.position` of mutations) with operations of the next two seconds, so
 * that another site does not show older values. Its place is between the cache and the network.
 */
export const positionExchange: Exchange = ({ forward }) => {
  let position = "";
  let until = 0;
  const keep = ({ extensions }: OperationResult) => {
    const received: unknown = extensions?.position;
    if (typeof received !== "string") return;
    position = until > Date.now() ? both(position, received) : received;
    until = Date.now() + LIFE_MS;
  };
  const withPosition = (operation: Operation): Operation => {
    if (until <= Date.now() || operation.kind === "teardown") return operation;
    const extensions = { ...operation.extensions, position };
    return makeOperation(operation.kind, { ...operation, extensions }, operation.context);
  };
  return (operations) => pipe(operations, map(withPosition), forward, tap(keep));
};
