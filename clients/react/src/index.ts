export { Comments, type CommentsProps } from "./components/comments.js";
export { Composer } from "./components/composer.js";
export { FollowButton } from "./components/follow-button.js";
export { LikeButton } from "./components/like-button.js";
export { ReportDialog } from "./components/report-dialog.js";
export * from "./hooks/index.js";
export { type Text, useText } from "./text.js";
