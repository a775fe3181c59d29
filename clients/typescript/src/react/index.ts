export { Provider as PlauditProvider } from "urql";
export { type Comments, useComments, useReplies } from "./comments.js";
export { type Feed, type FeedName, type NewInHome, useFeed, useNewInHome } from "./feeds.js";
export { type Notifications, useNotifications } from "./notifications.js";
export { type Edge, type Pages, usePages } from "./pages.js";
export { useRead } from "./read.js";
export { type ReactionChoice, type Toggle, useLike, useLikers, useLiveCounts, useReactions, useRepost, useSave } from "./reactions.js";
export { type UploadItem, type Uploads, useUploads } from "./uploads.js";
export { useWrite } from "./write.js";
