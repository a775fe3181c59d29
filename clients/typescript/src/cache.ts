import { type Cache, type CacheExchangeOpts, cacheExchange, type Resolver, type UpdateResolver } from "@urql/exchange-graphcache";
import { relayPagination } from "@urql/exchange-graphcache/extras";
import type { Exchange } from "@urql/core";
import schema from "./generated/cache-schema.json" with { type: "json" };

type Entity = { __typename: string; id: string };

const TARGETS = ["Post", "Comment", "Entity"];

const page = relayPagination();

/** The `viewerReaction` of an object whose reaction could not be read. Null means that there is none. */
export const UNKNOWN = "UNKNOWN";

const reaction: Resolver = ({ viewerReaction }, _args, _cache, info) => {
  if (viewerReaction !== undefined) return viewerReaction;
  info.partial = true;
  return UNKNOWN;
};

/** Returns the cached object with an id. */
function cached(cache: Cache, id: string): Entity | undefined {
  const __typename = TARGETS.find((name) => cache.resolve({ __typename: name, id }, "id") !== undefined);
  return __typename === undefined ? undefined : { __typename, id };
}

/**
 * Returns a payload with the target as it will be after a change, or null if the target is not cached. What is unknown
 * stays unknown.
 */
function changed(name: string, field: string, value: unknown, count: string, step: number) {
  return (args: Record<string, unknown>, cache: Cache) => {
    const { targetId } = args.input as { targetId: string };
    const target = cached(cache, targetId);
    if (!target) return null;
    const [old, amount] = [cache.resolve(target, field), cache.resolve(target, count)];
    const moves = typeof amount === "number" && old !== undefined && old !== value;
    const fields = ["likeCount", "viewerReaction", "saveCount", "viewerSaved"];
    const kept = Object.fromEntries(fields.map((one) => [one, cache.resolve(target, one)]));
    const after = { ...target, ...kept, [field]: value, [count]: moves ? amount + step : amount };
    return { __typename: name, target: after, userErrors: [] };
  };
}

/** Makes all lists of a field be read anew. */
function forget(cache: Cache, entity: Entity | string | undefined, ...names: string[]): void {
  if (!entity) return;
  for (const { fieldName, arguments: args } of cache.inspectFields(entity)) {
    if (names.includes(fieldName)) cache.invalidate(entity, fieldName, args);
  }
}

function viewerOf(cache: Cache): Entity | undefined {
  const key = cache.resolve("Query", "viewer") as string | undefined;
  return key ? { __typename: "Viewer", id: key.slice("Viewer:".length) } : undefined;
}

type Payload = Record<string, { userErrors: unknown[] } | null>;

function succeeded(result: unknown, mutation: string): boolean {
  return (result as Payload)[mutation]?.userErrors.length === 0;
}

const published: UpdateResolver = (result, _args, cache) => {
  if (!succeeded(result, "publishPost")) return;
  forget(cache, viewerOf(cache), "home");
  forget(cache, "Query", "square");
};

const deletedPost: UpdateResolver = (result, args, cache) => {
  if (!succeeded(result, "deletePost")) return;
  cache.invalidate({ __typename: "Post", id: (args.input as { postId: string }).postId });
};

const OWN = "ownReplies"; // a field that only this cache has: the replies that the viewer has written here

/** A reply is added to those of its root comment. For any other comment, the list of the subject is read anew. */
const commented: UpdateResolver = (result, args, cache) => {
  if (!succeeded(result, "addComment")) return;
  const { subjectId } = args.input as { subjectId: string };
  const { comment } = (result as { addComment: { comment?: { id: string; root?: { id: string } } } }).addComment;
  if (!comment?.root) return forget(cache, cached(cache, subjectId), "comments");
  const root = { __typename: "Comment", id: comment.root.id };
  const earlier = (cache.resolve(root, OWN) as string[] | undefined) ?? [];
  cache.link(root, OWN, [...earlier, cache.keyOfEntity({ __typename: "Comment", id: comment.id })!]);
};

/** An edited comment that the API could not read back is read anew. */
const edited: UpdateResolver = (result, args, cache) => {
  if (!succeeded(result, "editComment") || (result as { editComment: { comment?: unknown } }).editComment.comment) return;
  cache.invalidate({ __typename: "Comment", id: (args.input as { commentId: string }).commentId });
};

/** The pages that were read, and then the viewer's own replies that are on none of them: the newest are last. */
const repliesAndOwn: Resolver = (parent, args, cache, info) => {
  const list = page(parent, args, cache, info) as { edges: string[] } | undefined;
  const own = (cache.resolve(info.parentKey, OWN) as string[] | undefined) ?? [];
  if (!list || !own.length) return list;
  const listed = new Set(list.edges.map((edge) => cache.resolve(edge, "node")));
  const missing = own.filter((key) => !listed.has(key) && !cache.resolve(key, "deleted"));
  return { ...list, edges: [...list.edges, ...missing.map((node) => ({ __typename: "CommentEdge", cursor: "", node }))] };
};

/** Whom the viewer follows, blocks or mutes, which words and which labels, decides what all lists show. */
const listsChanged: UpdateResolver = (_result, _args, cache) => {
  forget(cache, viewerOf(cache), "home", "followedTopicsFeed", "recommended", "notifications", "blocks", "mutes");
  forget(cache, "Query", "square");
};

const topicsChanged: UpdateResolver = (_result, _args, cache) => {
  forget(cache, viewerOf(cache), "home", "followedTopics", "followedTopicsFeed");
};

/** Reads the reactions by kind anew, where they are shown. */
const reacted: UpdateResolver = (_result, args, cache) => {
  forget(cache, cached(cache, (args.input as { targetId: string }).targetId), "reactionCounts", "viewerReactions");
};

const savesChanged: UpdateResolver = (_result, _args, cache) => {
  forget(cache, viewerOf(cache), "saved", "collections");
  for (const { fieldName, fieldKey } of cache.inspectFields("Query")) {
    const read = fieldName === "node" ? cache.resolve("Query", fieldKey) : null;
    if (typeof read === "string" && read.startsWith("Collection:")) forget(cache, read, "items");
  }
};

const decided: UpdateResolver = (_result, _args, cache) => forget(cache, "Query", "moderationQueue", "moderationLog");

const notified: UpdateResolver = (_result, _args, cache) => forget(cache, viewerOf(cache), "notifications");

const deletionChanged: UpdateResolver = (_result, _args, cache) => forget(cache, viewerOf(cache), "deletion");

const exported: UpdateResolver = (_result, _args, cache) => forget(cache, viewerOf(cache), "export");

/** Lists keep a hidden post, so that the user can show it again at once; they leave it out when they are read anew. */
const hidden: UpdateResolver = (_result, _args, cache) => forget(cache, viewerOf(cache), "hiddenPosts");

const VALUES = [
  "AccountDeletion",
  "Appeal",
  "Attachment",
  "ContentLabel",
  "Edit",
  "Export",
  "Facet",
  "Ground",
  "HomeReason",
  "Image",
  "Label",
  "LabelPreference",
  "ModerationCase",
  "ModerationLogEntry",
  "ModerationRecord",
  "Notice",
  "NotificationEvent",
  "NotificationPreference",
  "PageInfo",
  "Quote",
  "ReactionCount",
  "ReactionKind",
  "Report",
  "ReportReasonCount",
  "RepostedBy",
  "SavedItem",
  "SavedQueue",
  "SuggestedUser",
  "Suspension",
  "Transparency",
  "TransparencyCount",
  "TrendingTopic",
  "Upload",
  "UploadHeader",
  "UploadRules",
  "UserError",
];
const CONNECTIONS = ["Post", "Comment", "User", "Notification", "SavedItem", "Collection", "Moderation", "ModerationLog", "Statement", "Mute", "Reactable", "Topic", "Entity", "Edit"];
const embedded = () => null;

const options: CacheExchangeOpts = {
  schema: schema as CacheExchangeOpts["schema"],
  keys: Object.fromEntries(
    [...VALUES, ...CONNECTIONS.flatMap((name) => [`${name}Connection`, `${name}Edge`])].map((name) => [name, embedded]),
  ),
  resolvers: {
    Query: { square: page, moderationLog: page, searchUsers: page, searchPosts: page, searchTopics: page, searchEntities: page },
    Viewer: { home: page, recommended: page, blocks: page, mutes: page, notifications: page, saved: page, collections: page, followedTopics: page, followedTopicsFeed: page, hiddenPosts: page, statements: page },
    User: { posts: page, followers: page, following: page, likes: page, collections: page },
    Topic: { posts: page },
    Post: { comments: page, likers: page, viewerReaction: reaction },
    Entity: { comments: page, likers: page, viewerReaction: reaction },
    Comment: { replies: repliesAndOwn, likers: page, viewerReaction: reaction },
    Collection: { items: page },
  },
  optimistic: {
    like: changed("ReactPayload", "viewerReaction", "LIKE", "likeCount", 1),
    unlike: changed("ReactPayload", "viewerReaction", null, "likeCount", -1),
    save: changed("SavePayload", "viewerSaved", true, "saveCount", 1),
    unsave: changed("SavePayload", "viewerSaved", false, "saveCount", -1),
  },
  updates: {
    Mutation: {
      publishPost: published,
      deletePost: deletedPost,
      addComment: commented,
      editComment: edited,
      follow: listsChanged,
      unfollow: listsChanged,
      block: listsChanged,
      unblock: listsChanged,
      mute: listsChanged,
      unmute: listsChanged,
      followTopic: topicsChanged,
      unfollowTopic: topicsChanged,
      setTopicsInHome: topicsChanged,
      like: reacted,
      unlike: reacted,
      save: savesChanged,
      unsave: savesChanged,
      moderate: decided,
      resolveReports: decided,
      assign: decided,
      release: decided,
      warnUser: decided,
      decideAppeal: decided,
      setLabels: decided,
      suspendUser: decided,
      reinstateUser: decided,
      createCollection: savesChanged,
      deleteCollection: savesChanged,
      muteWords: listsChanged,
      unmuteWords: listsChanged,
      setLabelPreferences: listsChanged,
      hidePost: hidden,
      unhidePost: hidden,
      showLess: hidden,
      markNotificationsRead: notified,
      markNotificationsSeen: notified,
      deleteUser: deletionChanged,
      cancelDeletion: deletionChanged,
      exportUser: exported,
    },
    Subscription: { notificationReceived: notified },
  },
};

/** Keeps each object once, by its id; joins the pages of a list; shows likes and saves before they are acknowledged. */
export function normalizedCache(): Exchange {
  return cacheExchange(options);
}
