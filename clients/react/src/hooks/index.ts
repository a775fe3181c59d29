// Everything without elements: for components of your own, and for React Native.
export {
  type Edge,
  type FeedName,
  type Pages,
  useFeed,
  useLikers,
  useLiveCounts,
  useNotifications,
  usePages,
  useRead,
  useReplies,
  type UploadItem,
  type Uploads,
  useUploads,
} from "@plaudit/client/react";
export { type Outcome, type Toggle, useAct } from "./act.js";
export { type Collection, type Collections, useCollections } from "./collections.js";
export { type CommentOptions, type CommentList, type PendingComment, useComments } from "./comments.js";
export { type Follow, useFollow } from "./follow.js";
export { idOf } from "./ids.js";
export { type Problem, problemOf } from "./problem.js";
export { type Links, PlauditProvider, type PlauditProviderProps, type Session, useSession } from "./provider.js";
export { type CountedToggle, type ReactionChoice, type Target, useLike, useReactions, useSave } from "./reactions.js";
