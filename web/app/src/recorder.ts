import { type Exchange, stringifyDocument } from "@urql/core";
import { useSyncExternalStore } from "react";
import { tap } from "wonka";

/** An operation that the app has sent. */
export interface Sent {
  name: string;
  text: string;
  variables: Record<string, unknown>;
  /** The price that the API has charged. */
  cost: number | undefined;
}

const MOST = 30;
let sent: readonly Sent[] = [];
const listeners = new Set<() => void>();

function add(one: Sent): void {
  sent = [one, ...sent.filter(({ name }) => name !== one.name)].slice(0, MOST);
  for (const listener of listeners) listener();
}

/** Remembers the newest operations with their answers' cost. */
export const recordingExchange: Exchange =
  ({ forward }) =>
  (operations) =>
    tap<import("@urql/core").OperationResult>(({ operation, extensions }) => {
      if (!extensions || !("cost" in extensions)) return;
      const definition = operation.query.definitions.find((one) => one.kind === "OperationDefinition");
      const name = (definition as { name?: { value: string } } | undefined)?.name?.value ?? "";
      add({ name, text: stringifyDocument(operation.query), variables: operation.variables ?? {}, cost: extensions.cost as number });
    })(forward(operations));

/** Returns the newest operations, newest first, each name once. */
export function useSent(): readonly Sent[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => sent,
  );
}
