import type { OperationResult, TypedDocumentNode } from "@urql/core";
import { useCallback, useRef } from "react";
import { useMutation, type UseMutationState } from "urql";
import { newKey } from "../new-key.js";

type Keyed = { idempotencyKey?: string | null };

function isAnswered(data: unknown): boolean {
  return Object.values(data ?? {}).some((payload) => payload !== null && typeof payload === "object");
}

/**
 * Sends a mutation as `useMutation` of urql does, with an idempotency key. While no answer says that it was acknowledged
 * or refused, each attempt with the same variables has the same key. So it happens once, even if the user presses a button
 * again after a lost reply.
 */
export function useWrite<Data, Variables extends Keyed>(
  mutation: TypedDocumentNode<Data, Variables>,
): [UseMutationState<Data, Variables>, (variables: Omit<Variables, "idempotencyKey">) => Promise<OperationResult<Data, Variables>>] {
  const [state, send] = useMutation(mutation);
  const open = useRef(new Map<string, string>()); // the keys of the variables that have no answer yet
  const write = useCallback(
    async (variables: Omit<Variables, "idempotencyKey">) => {
      const input = JSON.stringify(variables);
      const idempotencyKey = open.current.get(input) ?? newKey();
      open.current.set(input, idempotencyKey);
      const result = await send({ ...variables, idempotencyKey } as Variables);
      if (isAnswered(result.data)) open.current.delete(input);
      return result;
    },
    [send],
  );
  return [state, write];
}
