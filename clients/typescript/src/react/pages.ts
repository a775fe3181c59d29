import type { CombinedError, TypedDocumentNode } from "@urql/core";
import { useCallback, useEffect, useRef, useState } from "react";
import { type Degraded, degradedOf } from "../degraded.js";
import { codeOf } from "../errors.js";
import type { UserSummaryFragment } from "../generated/graphql.js";
import { useRead } from "./read.js";

/** An item of a list, and why it is there. */
export interface Edge<Node> {
  cursor: string;
  node: Node;
  reason?: string | null;
  /** In the home timeline and that of followed topics: what brings the post there. */
  homeReason?: { kind: string; topic?: { id: string; name: string } | null } | null;
  /** In the home timeline: the followed users whose reposts bring the post to its place. */
  repostedBy?: { totalCount: number; nodes: UserSummaryFragment[] } | null;
}

interface Connection<Node> {
  edges: Edge<Node>[];
  pageInfo: { hasNextPage: boolean; endCursor?: string | null };
}

/** A list that grows by pages. */
export interface Pages<Node> {
  /**
   * The items of all pages that were read; undefined until the first page is known. They stay while the list is read
   * anew after a write.
   */
  items: Node[] | undefined;
  /** The items of all pages that were read, each with why it is in the list. */
  edges: Edge<Node>[] | undefined;
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
    edges: connection?.edges,
    startCursor: connection?.edges[0]?.cursor,
    hasMore: connection?.pageInfo.hasNextPage ?? false,
    isLoading: fetching || (stale && !connection),
    error,
    degraded: degradedOf({ extensions }),
    loadMore: () => end && !fetching && setAt({ list, after: end }),
    refresh,
  };
}
