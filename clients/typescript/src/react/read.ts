import type { AnyVariables, CombinedError } from "@urql/core";
import { useEffect, useRef } from "react";
import { type UseQueryArgs, type UseQueryResponse, useQuery } from "urql";
import { degradedOf } from "../degraded.js";
import { codeOf, retryAfterOf } from "../errors.js";

const PAUSE = 5; // seconds before a query that has failed after all attempts is sent again
const LONGEST = 10; // seconds that pauses grow to, unless the API asks for longer ones

/** Returns the seconds after which it makes sense to ask again at the earliest; 0 if it does not. */
function pauseOf(error: CombinedError | undefined, extensions: Record<string, unknown> | undefined): number {
  if (error?.networkError) return PAUSE;
  const asked = error && retryAfterOf(error);
  return Math.max(asked ? asked + PAUSE : 0, ...degradedOf({ extensions }).map(({ retryAfter }) => retryAfter ?? 0));
}

/**
 * Returns a pause that doubles with each earlier attempt. It is never shorter than `pause`, and up to half as long again
 * by chance, so that clients do not ask in step.
 */
function grown(pause: number, attempts: number): number {
  return Math.max(pause, Math.min(pause * 2 ** attempts, LONGEST)) * (1 + Math.random() / 2);
}

/**
 * Reads a query from the cache and then from the API. While the component is shown, reads it again after errors that
 * pass, and if values are missing: first when the API proposes it, then after growing pauses of at most 15 seconds, unless
 * the API proposes longer ones.
 */
export function useRead<Data, Variables extends AnyVariables>(
  args: UseQueryArgs<Variables, Data>,
): UseQueryResponse<Data, Variables> {
  const response = useQuery<Data, Variables>({ requestPolicy: "cache-and-network", ...args });
  const [{ error, extensions }, read] = response;
  const pause = pauseOf(error, extensions);
  const attempts = useRef(0);
  useEffect(() => {
    if (!pause) {
      attempts.current = 0;
      return;
    }
    const again = () => {
      attempts.current += 1;
      read({ requestPolicy: "network-only" });
    };
    const timer = setTimeout(again, grown(pause, attempts.current) * 1000);
    return () => clearTimeout(timer);
  }, [pause, error, extensions, read]);
  return response;
}
