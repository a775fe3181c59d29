import type { AnyVariables, CombinedError } from "@urql/core";
import { useEffect } from "react";
import { type UseQueryArgs, type UseQueryResponse, useQuery } from "urql";
import { degradedOf } from "../degraded.js";
import { codeOf, retryAfterOf } from "../errors.js";

const PAUSE = 5; // seconds before a query that has failed after all attempts is sent again

/** Returns the seconds after which it makes sense to ask again; 0 if it does not. */
function pauseOf(error: CombinedError | undefined, extensions: Record<string, unknown> | undefined): number {
  if (error?.networkError) return PAUSE;
  const asked = error && retryAfterOf(error);
  return Math.max(asked ? asked + PAUSE : 0, ...degradedOf({ extensions }).map(({ retryAfter }) => retryAfter ?? 0));
}

/**
 * Reads a query from the cache and then from the API. While the component is shown, reads it again after errors that
 * pass, and if values are missing.
 */
export function useRead<Data, Variables extends AnyVariables>(
  args: UseQueryArgs<Variables, Data>,
): UseQueryResponse<Data, Variables> {
  const response = useQuery<Data, Variables>({ requestPolicy: "cache-and-network", ...args });
  const [{ error, extensions }, read] = response;
  const pause = pauseOf(error, extensions);
  useEffect(() => {
    if (!pause) return;
    const timer = setTimeout(() => read({ requestPolicy: "network-only" }), pause * 1000);
    return () => clearTimeout(timer);
  }, [pause, error, extensions, read]);
  return response;
}
