import type { TypedDocumentNode } from "@urql/core";
import {
  FollowedTopicsFeedDocument,
  HomeDocument,
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
