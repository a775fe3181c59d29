import { useWrite } from "@plaudit/client/react";
import type { TypedDocumentNode } from "urql";
import { useCallback, useRef, useState } from "react";
import { type Problem, problemOf } from "./problem.js";
import { useSession } from "./provider.js";

/** What came of a write. */
export interface Outcome<Data> {
  data?: Data;
  problem: Problem | null;
}

const NOBODY: Problem = { code: "UNAUTHENTICATED", message: "Sign in first." };

/**
 * Returns a function that sends a mutation if somebody is signed in. While no answer has come, each attempt with the same
 * variables has the same idempotency key.
 */
export function useAct<Data extends object, Variables extends { idempotencyKey?: string | null }>(
  mutation: TypedDocumentNode<Data, Variables>,
): (variables: Omit<Variables, "idempotencyKey">) => Promise<Outcome<Data>> {
  const { mayWrite, onSignInNeeded } = useSession();
  const [, write] = useWrite(mutation);
  return useCallback(
    async (variables: Omit<Variables, "idempotencyKey">) => {
      if (!(await mayWrite())) return { problem: NOBODY };
      const result = await write(variables);
      const problem = problemOf(result);
      if (problem?.code === NOBODY.code) onSignInNeeded?.(); // the API has refused the token
      return { data: result.data, problem };
    },
    [mayWrite, onSignInNeeded, write],
  );
}

/** A button with two states. */
export interface Toggle {
  /** Undefined if the state is not known. */
  isOn: boolean | undefined;
  isPending: boolean;
  /** Why the last change failed. */
  problem: Problem | null;
  /** Turns the state to its opposite. Turns it on if it is unknown, which changes nothing if it is on. */
  toggle: () => Promise<void>;
}

/**
 * Shows a change at once, and takes it back if it fails. Changes are sent one after the other, so that the last one is the
 * one that stays.
 */
export function useToggle(known: boolean | undefined, change: (on: boolean) => Promise<{ problem: Problem | null }>): Toggle {
  const [wanted, setWanted] = useState<boolean>();
  const [problem, setProblem] = useState<Problem | null>(null);
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const isOn = wanted ?? known;
  const toggle = async (): Promise<void> => {
    const next = !isOn;
    setWanted(next);
    setProblem(null);
    const sent = queue.current.then(() => change(next));
    queue.current = sent;
    const outcome = await sent;
    if (queue.current !== sent) return; // a later press decides what is shown
    setProblem(outcome.problem?.code === NOBODY.code ? null : outcome.problem);
    setWanted(undefined);
  };
  return { isOn, isPending: wanted !== undefined, problem, toggle };
}
