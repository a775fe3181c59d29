import type { TypedDocumentNode } from "@urql/core";
import { useEffect, useState } from "react";
import { useClient } from "urql";
import {
  FollowedTopicsFeedDocument,
  HomeDocument,
  NewerInHomeDocument,
  NewInHomeDocument,
  type PostCardFragment,
  type PostPageFragment,
  RecommendedDocument,
  SearchPostsDocument,
  type SearchSort,
  SquareDocument,
  TopicFeedDocument,
  UserFeedDocument,
} from "../generated/graphql.js";
import { type Pages, usePages } from "./pages.js";

export type FeedName =
  | { kind: "home" }
  | { kind: "followedTopics" }
  | { kind: "recommended" }
  | { kind: "square"; sort?: "LATEST" | "HOT" }
  | { kind: "topic"; name: string; sort?: "LATEST" | "HOT" }
  | { kind: "user"; handle: string }
  | { kind: "search"; query: string; sort?: SearchSort };
export type Feed = Pages<PostCardFragment>;

// biome-ignore lint/suspicious/noExplicitAny: each document has variables of its own
type AnyQuery = TypedDocumentNode<any, any>;
// biome-ignore lint/suspicious/noExplicitAny: as above
type Source = [AnyQuery, Record<string, unknown>, (data: any) => PostPageFragment | null | undefined];

function sourceOf(feed: FeedName): Source {
  switch (feed.kind) {
    case "home":
      return [HomeDocument, {}, (data) => data.viewer?.home];
    case "followedTopics":
      return [FollowedTopicsFeedDocument, {}, (data) => data.viewer?.followedTopicsFeed];
    case "recommended":
      return [RecommendedDocument, {}, (data) => data.viewer?.recommended];
    case "square":
      return [SquareDocument, { sort: feed.sort ?? "LATEST" }, (data) => data.square];
    case "topic":
      return [TopicFeedDocument, { name: feed.name, sort: feed.sort ?? "LATEST" }, (data) => data.topic?.posts];
    case "user":
      return [UserFeedDocument, { handle: feed.handle }, (data) => data.user?.posts];
    case "search":
      return [SearchPostsDocument, { query: feed.query, sort: feed.sort ?? "BEST" }, (data) => data.searchPosts];
  }
}

/** Reads a feed page by page, newest, hottest or best first. */
export function useFeed(feed: FeedName, first = 20): Feed {
  const [query, variables, pick] = sourceOf(feed);
  return usePages(query, { ...variables, first }, pick);
}

/** New posts in home: how many, at most 100, and whether there are more. */
export interface NewInHome {
  count: number;
  hasMore: boolean;
}

const MOST = 100; // a homeNewCount of 100 means 100 or more
const NONE: NewInHome = { count: 0, hasMore: false };

/**
 * Says how many posts the viewer would see above `since`, the `startCursor` of the home list that is shown; asks every
 * `everyMs` milliseconds while the page is visible, and when it becomes visible. Asks for the cheap `homeNewCount` first,
 * which may include hidden posts, and reads the newest 20 posts only if it is not 0. If there are more than these, the
 * number is about that of `homeNewCount`. Call `refresh` of the list to show them.
 */
export function useNewInHome(since: string | undefined, everyMs = 30_000): NewInHome {
  const client = useClient();
  const [found, setFound] = useState<{ since: string | undefined; news: NewInHome }>({ since, news: NONE });
  useEffect(() => {
    if (!since) return;
    let isCurrent = true;
    const ask = async (): Promise<void> => {
      if (document.hidden) return;
      const fresh = { requestPolicy: "network-only" } as const;
      const counted = await client.query(NewInHomeDocument, { since }, fresh).toPromise();
      const about = counted.data?.viewer?.homeNewCount;
      if (!about) return;
      const newer = await client.query(NewerInHomeDocument, { before: since }, fresh).toPromise();
      const page = newer.data?.viewer?.home;
      if (isCurrent && page) {
        const { hasPreviousPage } = page.pageInfo;
        const count = hasPreviousPage ? Math.max(about, page.nodes.length + 1) : page.nodes.length;
        setFound({ since, news: { count, hasMore: hasPreviousPage && about >= MOST } });
      }
    };
    const timer = setInterval(ask, everyMs);
    document.addEventListener("visibilitychange", ask);
    return () => {
      isCurrent = false;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", ask);
    };
  }, [client, since, everyMs]);
  return found.since === since ? found.news : NONE;
}
