import type { CombinedError, TypedDocumentNode } from "@urql/core";
import { useCallback, useEffect, useRef, useState } from "react";
import { type Degraded, degradedOf } from "../degraded.js";
import { codeOf } from "../errors.js";
import { useRead } from "./read.js";

/** Why a post is in a timeline. */
export type HomeReason = { kind: string; topic?: { id: string; name: string } | null };

interface Connection<Node> {
  edges: { cursor: string; node: Node; reason?: string | null; homeReason?: HomeReason | null }[];
  pageInfo: { hasNextPage: boolean; endCursor?: string | null };
}

/** A list that grows by pages. */
export interface Pages<Node> {
  /**
   * The items of all pages that were read; undefined until the first page is known. They stay while the list is read
   * anew after a write.
   */
  items: Node[] | undefined;
  /** For each item, why it is in a timeline; null or undefined if the list gives no such reason. */
  homeReasons: (HomeReason | null | undefined)[];
  /** The cursor of the first item; undefined if the list is empty or not known. */
  startCursor: string | undefined;
  hasMore: boolean;
  isLoading: boolean;
  error: CombinedError | undefined;
  /** What could not be read; empty if nothing is missing. */
  degraded: Degraded[];
  /** Reads the next page. */
  loadMore: () => void;
  /** Reads the list anew, from the first page. */
  refresh: () => void;
}

/** Reads a list page by page. `pick` finds the list in the data. */
export function usePages<Data, Variables extends { after?: string | null }, Node>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Omit<Variables, "after">,
  pick: (data: Data) => Connection<Node> | null | undefined,
): Pages<Node> {
  const list = JSON.stringify(variables);
  const [at, setAt] = useState<{ list: string; after: string | null }>({ list, after: null });
  const after = at.list === list ? at.after : null;
  const [{ data, fetching, stale, error, extensions }, read] = useRead({
    query,
    variables: { ...variables, after } as Variables,
  });
  const current = data ? pick(data) : undefined;
  const isForgotten = data !== undefined && stale && !current; // a write has removed the list from the cache
  const last = useRef({ list, connection: current });
  if (!isForgotten) last.current = { list, connection: current };
  const connection = last.current.list === list ? last.current.connection : current;
  const refresh = useCallback(() => {
    setAt({ list, after: null });
    read({ requestPolicy: "network-only" });
  }, [list, read]);
  useEffect(() => {
    if (isForgotten) setAt({ list, after: null });
  }, [isForgotten, list]);
  const isExpired = after !== null && codeOf(error) === "BAD_CURSOR";
  useEffect(() => {
    if (isExpired) refresh();
  }, [isExpired, refresh]);
  const end = connection?.pageInfo.endCursor ?? null;
  return {
    items: connection?.edges.map(({ node }) => node),
    homeReasons: connection?.edges.map(({ homeReason }) => homeReason) ?? [],
    startCursor: connection?.edges[0]?.cursor,
    hasMore: connection?.pageInfo.hasNextPage ?? false,
    isLoading: fetching || (stale && !connection),
    error,
    degraded: degradedOf({ extensions }),
    loadMore: () => end && !fetching && setAt({ list, after: end }),
    refresh,
  };
}
