/* eslint-disable */
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
export type Maybe<T> = T | null;
export type InputMaybe<T> = T | null | undefined;
export type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
export type MakeOptional<T, K extends keyof T> = Omit<T, K> & { [SubKey in K]?: Maybe<T[SubKey]> };
export type MakeMaybe<T, K extends keyof T> = Omit<T, K> & { [SubKey in K]: Maybe<T[SubKey]> };
export type MakeEmpty<T extends { [key: string]: unknown }, K extends keyof T> = { [_ in K]?: never };
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** A non-negative integer below 2^63, sent as a JSON number. It can be too large for a 32-bit integer. */
  Count: { input: number; output: number; }
  /** A date and time in the format of RFC 3339, such as `2026-05-01T12:00:00.000Z`. Output is in UTC with milliseconds. Input may have any offset from UTC and any number of decimals; decimals after the sixth are ignored. Input in another ISO 8601 format, or with the year 0000, fails. A leap second, `23:59:60` in UTC on the last day of a month, counts as the second after it. */
  DateTime: { input: string; output: string; }
  /** Custom data: a JSON object of your choice, which Plaudit stores and returns and does not interpret. At most 4096 bytes of JSON without white space, and at most 5 levels of objects and lists. Another value is refused, and so is a text with the character NUL or with a lone surrogate. */
  JSON: { input: unknown; output: unknown; }
};

/** The input of `addComment`. */
export type AddCommentInput = {
  /** The images, videos and audio files of the comment, in display order, at most 4 by default. Send either `images` or `attachments`: both together fail with `BAD_INPUT`. */
  attachments?: Array<AttachmentInput>;
  /** The content warning, which apps show before the text: at most 200 characters. */
  contentWarning?: InputMaybe<Scalars['String']['input']>;
  /** Custom data of the comment, which everyone who sees the comment can read. */
  custom?: InputMaybe<Scalars['JSON']['input']>;
  /** A key of 1 to 128 characters that you choose for this comment, such as a UUID. If you repeat the request with the same key and input within 90 days (operators can change this), it returns the existing comment and adds no second one. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey: Scalars['String']['input'];
  /** The images of the comment, in display order, at most 4 by default. */
  images?: Array<ImageInput>;
  /** The names of the labels of the comment. `Query.labels` has the names. A label that does not exist, or that authors may not set, is refused with `INVALID`. */
  labels?: InputMaybe<Array<Scalars['String']['input']>>;
  /** The id of the comment to reply to. It must be a comment on the same post or entity. Omit it to write a root comment, which is not a reply. */
  replyToId?: InputMaybe<Scalars['ID']['input']>;
  /** The id of the post or entity to comment on. */
  subjectId: Scalars['ID']['input'];
  /** The text of the comment, at most 2000 characters by default. It can be empty if the comment has images. */
  text: Scalars['String']['input'];
};

/** The decision of a moderator about an appeal. */
export type AppealDecision =
  /** The decision in the statement was right. */
  | 'DENY'
  /** The decision in the statement was wrong. A suspension ends, labels of moderators are removed, the owner of a collection may make it public again, and a dismissed report counts as accepted. */
  | 'GRANT';

/** The input of `appeal`. */
export type AppealInput = {
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The id of the rejected post or comment, or of a `Statement` of the viewer. */
  targetId: Scalars['ID']['input'];
  /** An explanation for the moderators, 1 to 1000 characters. */
  text: Scalars['String']['input'];
};

/** The state of an appeal. */
export type AppealStatus =
  /** The appeal was denied. */
  | 'DENIED'
  /** A moderator decided that the decision was wrong. If the restriction could be lifted, it was lifted. If the appeal was about a dismissed report, the report was accepted. */
  | 'GRANTED'
  /** The post or comment was changed, approved or deleted before a moderator had decided. */
  | 'MOOT'
  /** No moderator has decided yet. */
  | 'OPEN';

/** The input of `assign`. */
export type AssignInput = {
  /** The id of the post, comment, user, entity or collection. */
  targetId: Scalars['ID']['input'];
};

/** An image, video or audio file to show in a post or comment. */
export type AttachmentInput = {
  /** The alternative text: a description of the file in words, at most 500 characters. */
  alt?: InputMaybe<Scalars['String']['input']>;
  /** A BlurHash of the image, or of the poster of a video. */
  blurhash?: InputMaybe<Scalars['String']['input']>;
  /** The duration of a video or audio file in seconds: 0.001 to 86400. */
  durationSeconds?: InputMaybe<Scalars['Float']['input']>;
  /** The height in pixels: 1 to 100000. */
  height?: InputMaybe<Scalars['Int']['input']>;
  /** The kind of the attachment. */
  kind: AttachmentKind;
  /** The media type of the file in lower case, such as `image/png`. */
  mimeType?: InputMaybe<Scalars['String']['input']>;
  /** The https URL of a picture to show before a video or audio file plays. The rules of `url` apply. */
  posterUrl?: InputMaybe<Scalars['String']['input']>;
  /** The https URL of the file, at most 2000 characters. The host must be one that the operator of this deployment allows. */
  url: Scalars['String']['input'];
  /** The width in pixels: 1 to 100000. */
  width?: InputMaybe<Scalars['Int']['input']>;
};

/** The kind of an attachment. */
export type AttachmentKind =
  /** An audio file. */
  | 'AUDIO'
  /** An image. */
  | 'IMAGE'
  /** A video. */
  | 'VIDEO';

/** The moderation status of a post or a comment. */
export type AuditStatus =
  /** Moderation has approved the post or comment. All users can see it, except a comment on a post that is not approved. The tombstone of a deleted comment has this status too. */
  | 'APPROVED'
  /** Moderation has not decided yet. Only the author and moderators can see the post or comment. */
  | 'PENDING'
  /** Moderation has rejected the post or comment. Only the author and moderators can see it. The author can edit the post, or the comment within the edit window, and moderation then decides again. */
  | 'REJECTED';

/** The input of the mutations that block, unblock or unmute a user, or remove a follower. */
export type BoundaryInput = {
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The id of the user to block, unblock or unmute, or to remove from the followers. */
  userId: Scalars['ID']['input'];
};

/** The input of `cancelDeletion`. */
export type CancelDeletionInput = {
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. But the same key for the account of another user counts as a new key. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The id of the user. Requires a token with the scope `users:write`. Omit it for the viewer's own account. */
  userId?: InputMaybe<Scalars['ID']['input']>;
};

/** Selects cases by the moderator to whom they are assigned. */
export type CaseAssignment =
  /** The case is assigned to the viewer. */
  | 'MINE'
  /** The case is not assigned to another moderator. */
  | 'UNASSIGNED';

/** The kind of target of a case in the moderation queue. */
export type CaseKind =
  /** Public collections. */
  | 'COLLECTION'
  /** Comments. */
  | 'COMMENT'
  /** Entities. */
  | 'ENTITY'
  /** Posts. */
  | 'POST'
  /** Users. */
  | 'USER';

/** The order of the moderation queue. */
export type CaseOrder =
  /** Cases with an open notice of a trusted flagger first, then the highest weight of open reports. Notices of others have no weight. Reports from new accounts, from reporters whose reports are mostly dismissed, and from one network weigh less. */
  | 'MOST_REPORTED'
  /** The newest case first, by the same times as in `OLDEST`. */
  | 'NEWEST'
  /** The oldest first, by the time when the case was opened or, if it is resolved, when it was resolved. */
  | 'OLDEST';

/** Whether the target of a case waits for a moderator. */
export type CaseStatus =
  /** It waits for approval, or has open reports, open notices or an open appeal. */
  | 'OPEN'
  /** It does not wait for a moderator any more. */
  | 'RESOLVED';

/** Who may comment on a post or entity, besides its author or owner. */
export type CommentPolicy =
  /** Every user. */
  | 'EVERYONE'
  /** The users whom the author of the post or the owner of the entity follows. */
  | 'FOLLOWED'
  /** The users whom the text of the post mentions. */
  | 'MENTIONED'
  /** No other user. */
  | 'NOBODY';

/** The order of a list of root comments (comments that are not replies). */
export type CommentSort =
  /** Sorts by likes, dislikes, replies and age, best first. Ten times as many likes raise a comment as much as being a week newer. Dislikes lower it. */
  | 'HOT'
  /** Sorts by the time when the comments were written, newest first. */
  | 'NEWEST'
  /** Sorts by the time when the comments were written, oldest first. */
  | 'OLDEST';

/** The input of `createCollection`. */
export type CreateCollectionInput = {
  /** A key of 1 to 128 characters that you choose for this collection, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the collection is not created twice. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey: Scalars['String']['input'];
  /** Whether other users may see the collection. */
  isPublic?: Scalars['Boolean']['input'];
  /** The name of the collection, 1 to 100 characters. */
  name: Scalars['String']['input'];
};

/** The input of `createUpload`. */
export type CreateUploadInput = {
  /** The exact number of bytes of the file: at most `UploadRules.maxBytes`. */
  byteSize: Scalars['Int']['input'];
  /** The media type of the file: one of `UploadRules.mimeTypes`. */
  mimeType: Scalars['String']['input'];
};

/** The input of `createWebhook`. */
export type CreateWebhookInput = {
  /** The businesses (kinds of content) whose events to send, or `user` or `topic`. All if you omit it. */
  businesses?: InputMaybe<Array<Scalars['String']['input']>>;
  /** The kinds of events to send, such as `post.created`. All if you omit it. */
  kinds?: InputMaybe<Array<Scalars['String']['input']>>;
  /** The name: 1 to 40 lower-case letters, digits and hyphens. */
  name: Scalars['String']['input'];
  /** The https URL, at most 2000 characters, without user name, password and fragment. */
  url: Scalars['String']['input'];
};

/** The input of `decideAppeal`. */
export type DecideAppealInput = {
  /** The decision: grant or deny. */
  decision: AppealDecision;
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The reason for the decision, 1 to 500 characters. The person reads it. */
  reason: Scalars['String']['input'];
  /** The id of the statement with the open appeal. */
  statementId: Scalars['ID']['input'];
};

/** The input of `deleteCollection`. */
export type DeleteCollectionInput = {
  /** The id of a collection of the viewer. */
  collectionId: Scalars['ID']['input'];
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The input of `deleteComment`. */
export type DeleteCommentInput = {
  /** The id of the comment to delete. */
  commentId: Scalars['ID']['input'];
};

/** The input of `deletePost`. */
export type DeletePostInput = {
  /** The id of the post to delete. It must be a post of the viewer. */
  postId: Scalars['ID']['input'];
};

/** The input of `deleteSavedQueue`. */
export type DeleteSavedQueueInput = {
  /** The name of the saved queue. */
  name: Scalars['String']['input'];
};

/** The input of `deleteUser`. */
export type DeleteUserInput = {
  /** The number of days in which the deletion can be cancelled: 0 to 365. By default 30; the operator of this deployment can change the default. */
  graceDays?: InputMaybe<Scalars['Int']['input']>;
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. But the same key for the account of another user counts as a new key. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The treatment of posts and comments. */
  mode: DeletionMode;
  /** The id of the user. Requires a token with the scope `users:write`. Omit it for the viewer's own account. */
  userId?: InputMaybe<Scalars['ID']['input']>;
};

/** The input of `deleteWebhook`. */
export type DeleteWebhookInput = {
  /** The name of the webhook. */
  name: Scalars['String']['input'];
};

/** The treatment of the posts and comments of a deleted user. Everything else of the account is removed with both modes: reactions, follows, saves, collections, blocks, mutes, notifications and the profile. */
export type DeletionMode =
  /** Posts and comments stay. Their author is a user without data, with the display name `Deleted user`. */
  | 'ANONYMIZE'
  /** Posts and comments are removed. A comment with replies keeps its place, without text and author. */
  | 'ERASE';

/** The progress of the deletion of an account. */
export type DeletionState =
  /** The data is removed. */
  | 'DONE'
  /** The account is hidden from all other users. `cancelDeletion` restores it. */
  | 'PENDING'
  /** The data is being removed. The deletion cannot be cancelled any more. */
  | 'RUNNING';

/** The input of `detachQuote`. */
export type DetachQuoteInput = {
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The id of the post that quotes a post of the viewer. */
  postId: Scalars['ID']['input'];
};

/** The input of `dismissSuggestion`. */
export type DismissSuggestionInput = {
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The id of the user who must not be suggested any more. */
  userId: Scalars['ID']['input'];
};

/** The input of `editComment`. A field that you omit keeps its value. Null in `text`, `images`, `attachments` or `labels` fails with `BAD_INPUT`. */
export type EditCommentInput = {
  /** The new images, videos and audio files in display order, at most 4 by default. They replace all attachments of the comment. Send either `images` or `attachments`. */
  attachments?: InputMaybe<Array<AttachmentInput>>;
  /** The id of the comment to edit. It must be a comment of the viewer. */
  commentId: Scalars['ID']['input'];
  /** The new content warning, which apps show before the text: at most 200 characters. Null removes it. */
  contentWarning?: InputMaybe<Scalars['String']['input']>;
  /** The new custom data. It replaces all custom data of the comment; null removes it. */
  custom?: InputMaybe<Scalars['JSON']['input']>;
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The new images in display order, at most 4 by default. They replace all attachments of the comment. */
  images?: InputMaybe<Array<ImageInput>>;
  /** The names of the labels of the author. They replace the labels that the author has set before. Labels of moderators stay. `Query.labels` has the names. A label that does not exist, or that authors may not set, is refused with `INVALID`. */
  labels?: InputMaybe<Array<Scalars['String']['input']>>;
  /** The new text, at most 2000 characters by default. It can be empty if the comment has images. */
  text?: InputMaybe<Scalars['String']['input']>;
};

/** The input of `editPost`. A field that you omit keeps its value. Null in `text`, `images`, `attachments`, `topics` or `labels` fails with `BAD_INPUT`. */
export type EditPostInput = {
  /** The new images, videos and audio files in display order, at most 9 by default. They replace all attachments of the post. Send either `images` or `attachments`. */
  attachments?: InputMaybe<Array<AttachmentInput>>;
  /** The new content warning, which apps show before the text: at most 200 characters. Null removes it. */
  contentWarning?: InputMaybe<Scalars['String']['input']>;
  /** The new custom data. It replaces all custom data of the post; null removes it. */
  custom?: InputMaybe<Scalars['JSON']['input']>;
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The new images in display order, at most 9 by default. They replace all attachments of the post. */
  images?: InputMaybe<Array<ImageInput>>;
  /** The names of the labels of the author. They replace the labels that the author has set before. Labels of moderators stay. `Query.labels` has the names. A label that does not exist, or that authors may not set, is refused with `INVALID`. */
  labels?: InputMaybe<Array<Scalars['String']['input']>>;
  /** The id of the post to edit. It must be a post of the viewer. */
  postId: Scalars['ID']['input'];
  /** The new text, at most 5000 characters by default. It can be empty if the post has images. */
  text?: InputMaybe<Scalars['String']['input']>;
  /** The new topics, at most 10 by default. They replace all topics of the post. Each has 1 to 50 letters, digits, `_` and `-`, with or without a leading `#`. */
  topics?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Whether the post also gets the topics that the new text names, after those in `topics`. Together they replace all topics of the post. Has no effect without `text`. */
  topicsFromText?: Scalars['Boolean']['input'];
};

/** An entity to register, or a registered entity to change. In a registered entity, a field that you omit keeps its value, and null removes the value (in `commentsClosed`, null keeps it). */
export type EntityInput = {
  /** The name of the business (the kind of content) of the entity, such as `video`. Fails with `BAD_INPUT` for a business that the operator of this deployment has not configured. */
  business: Scalars['String']['input'];
  /** Whether the entity refuses new comments. If it is omitted or null, a registered entity keeps its value, and a new entity accepts comments. */
  commentsClosed?: InputMaybe<Scalars['Boolean']['input']>;
  /** Custom data of the entity, which all callers can read. */
  custom?: InputMaybe<Scalars['JSON']['input']>;
  /** The id of the entity in the system that it comes from: 1 to 64 of the characters `A-Z a-z 0-9 . _ ~ -`. Otherwise the request fails with `BAD_INPUT`. */
  key: Scalars['String']['input'];
  /** The names of the labels of the entity. They replace the labels that a service has set before. Labels of moderators stay. The post that announces the entity gets the same labels. An unknown label is refused with `INVALID`. */
  labels?: InputMaybe<Array<Scalars['String']['input']>>;
  /** The user who owns the entity, who is notified of its likes and comments and may delete its comments. */
  owner?: InputMaybe<UserRef>;
  /** The title of the entity, at most 500 characters. */
  title?: InputMaybe<Scalars['String']['input']>;
  /** The topics of the entity, at most 10 by default, written as in `publishPost`. They replace all topics of the entity. The post that announces the entity gets them. */
  topics?: InputMaybe<Array<Scalars['String']['input']>>;
  /** The http or https URL of the entity. */
  url?: InputMaybe<Scalars['String']['input']>;
};

/** Whether an export of an account can be downloaded. */
export type ExportState =
  /** The URL has expired. Request another export. */
  | 'EXPIRED'
  /** The export can be downloaded from its URL. */
  | 'READY';

/** The input of `exportUser`. */
export type ExportUserInput = {
  /** The id of a user of the identity provider that issued the token. Requires a token with the scope `users:write`. If you omit it, the account of the viewer (the signed-in user) is exported. */
  userId?: InputMaybe<Scalars['ID']['input']>;
};

/** The kind of a facet. */
export type FacetKind =
  /** An address that begins with `http://`, `https://` or `www.`. */
  | 'LINK'
  /** A user, named by `@` and a handle. */
  | 'MENTION'
  /** A topic, named by `#` and its name. */
  | 'TOPIC';

/** The input of `followEntity` and `unfollowEntity`. */
export type FollowEntityInput = {
  /** The id of the entity. */
  entityId: Scalars['ID']['input'];
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The input of `follow`, `unfollow`, `acceptFollow` and `rejectFollow`. */
export type FollowInput = {
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. But for `acceptFollow` and `rejectFollow`, the same key with another `userId` counts as a new key. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The id of the user to follow or unfollow, or whose request is answered. */
  userId: Scalars['ID']['input'];
};

/** The input of `followTopic` and `unfollowTopic`. */
export type FollowTopicInput = {
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The id of the topic. */
  topicId: Scalars['ID']['input'];
};

/** How the moderators learned about what they restricted. */
export type FoundBy =
  /** By automated means: rules, the word list or the external reviewer. */
  | 'AUTOMATED'
  /** By a notice of a person, perhaps without an account. */
  | 'NOTICE'
  /** By their own search, without reports, notices and automated means. */
  | 'OWN_INITIATIVE'
  /** By reports of users. */
  | 'REPORTS';

/** What a ground is. */
export type GroundKind =
  /** A law: the content or the behaviour is illegal. */
  | 'LAW'
  /** A clause of the rules of this deployment. */
  | 'RULES';

/** The input of `hidePost`, `unhidePost` and `showLess`. */
export type HidePostInput = {
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The id of the post. */
  postId: Scalars['ID']['input'];
};

/** Chooses entries of a home timeline. An entry must match all fields that are given. Use one filter for all pages of a list. */
export type HomeFilter = {
  /** If `true`, only posts with images. If `false`, only posts without images. If it is omitted, all posts. */
  hasImages?: InputMaybe<Scalars['Boolean']['input']>;
  /** The kinds of entries. With `POSTS` alone, reposts do not change the places of posts. All kinds if it is omitted or empty. */
  kinds?: InputMaybe<Array<HomeKind>>;
};

/** A kind of entries of a home timeline. */
export type HomeKind =
  /** Posts at the time when they were published. */
  | 'POSTS'
  /** Posts that a followed user has reposted, at the time of the repost. */
  | 'REPOSTS';

/** What brings a post into the home timeline of a user who does not follow its author. */
export type HomeReasonKind =
  /** The post refers to an entity that the viewer follows, or announces it. */
  | 'ENTITY'
  /** A user whom the viewer follows has reposted the post. */
  | 'REPOST'
  /** The post has a topic that the viewer follows. */
  | 'TOPIC';

/** An image to show in a post or comment. */
export type ImageInput = {
  /** The alternative text: a description of the file in words, at most 500 characters. */
  alt?: InputMaybe<Scalars['String']['input']>;
  /** A BlurHash of the image, or of the poster of a video. */
  blurhash?: InputMaybe<Scalars['String']['input']>;
  /** The height in pixels: 1 to 100000. */
  height?: InputMaybe<Scalars['Int']['input']>;
  /** The media type of the file in lower case, such as `image/png`. */
  mimeType?: InputMaybe<Scalars['String']['input']>;
  /** The https URL of the file, at most 2000 characters. The host must be one that the operator of this deployment allows. */
  url: Scalars['String']['input'];
  /** The width in pixels: 1 to 100000. */
  width?: InputMaybe<Scalars['Int']['input']>;
};

/** The input of `importOperations`. */
export type ImportOperationsInput = {
  /** The name of the client that uses the operations: 1 to 100 ASCII characters, not `other` or `none`. Needs `clientVersions`. */
  client?: InputMaybe<Scalars['String']['input']>;
  /** The versions of the client that use the operations: at most 100. Needs `client`. */
  clientVersions?: InputMaybe<Array<Scalars['String']['input']>>;
  /** The operations: 1 to 100, with 1,000,000 characters of text together. */
  operations: Array<PersistedOperationInput>;
};

/** The input of `importWordList`. */
export type ImportWordListInput = {
  /** The reason of the change, for the log of changes: at most 500 characters. */
  reason?: InputMaybe<Scalars['String']['input']>;
  /** The whole list, in the form of `WordList.text`: at most 1,000,000 characters, and not more than a request may have. */
  text: Scalars['String']['input'];
};

/** What the viewer (the signed-in user) wants to see of content with a label. */
export type LabelPreferenceInput = {
  /** The name of the label. */
  label: Scalars['String']['input'];
  /** What the viewer wants to see. Omit it, or send null, to return to the default of the viewer's age band. */
  visibility?: InputMaybe<LabelVisibility>;
};

/** Who has set a label. */
export type LabelSource =
  /** The author. */
  | 'AUTHOR'
  /** A moderator, the moderation rules or the external reviewer. Neither the author nor a service can remove the label. */
  | 'MODERATOR'
  /** The service that has registered the entity. On a post that announces an entity, all labels of the entity have this source, also those that a moderator has set on the entity. */
  | 'SERVICE';

/** What a viewer sees of content with a label. */
export type LabelVisibility =
  /** The API leaves the content out. Only the author or owner of the content, and moderators, see it. */
  | 'HIDE'
  /** The content, without a warning. */
  | 'SHOW'
  /** The content. Apps cover the content with a warning that the viewer can dismiss. */
  | 'WARN';

/** The period in which a leaderboard counts likes. */
export type LeaderboardWindow =
  /** All likes, whenever they were given. */
  | 'ALL'
  /** The current day: since 0 o'clock UTC. */
  | 'DAY'
  /** The current day (UTC) and the six days before it. */
  | 'WEEK';

/** The input of `markNotificationRead`. */
export type MarkNotificationReadInput = {
  /** The id of the notification. */
  notificationId: Scalars['ID']['input'];
};

/** The input of `markNotificationsRead`. */
export type MarkNotificationsReadInput = {
  /** The cursor (`NotificationEdge.cursor`) of the newest notification that the viewer has seen. */
  upTo: Scalars['String']['input'];
};

/** The input of `markNotificationsSeen`. */
export type MarkNotificationsSeenInput = {
  /** The cursor (`NotificationEdge.cursor`) of the newest notification that your app has shown. */
  upTo: Scalars['String']['input'];
};

/** The input of `moderate`. */
export type ModerateInput = {
  /** The decision: approve or reject. */
  decision: ModerationDecision;
  /** The name of the ground of the decision, one of `Query.grounds`. If it is omitted, statements of reasons name the ground that the operator has configured as the default. */
  ground?: InputMaybe<Scalars['String']['input']>;
  /** The reason for the decision, 1 to 500 characters. The users who reported the target are notified of it and, if the decision is `REJECT`, the author. */
  reason: Scalars['String']['input'];
  /** The id of the post or comment to approve or reject. */
  targetId: Scalars['ID']['input'];
};

/** The action that a line of the moderation log records. */
export type ModerationAction =
  /** An appeal was denied. If the appeal was against a rejection, the post or comment stays rejected. */
  | 'APPEAL_DENIED'
  /** An appeal was granted. If the appeal was against a rejection, the post or comment is approved. */
  | 'APPEAL_GRANTED'
  /** The post or comment was approved, or the owner may make the collection public again. */
  | 'APPROVED'
  /** The comment was deleted by a user other than its author. */
  | 'DELETED'
  /** The post or comment waits for review. */
  | 'HELD'
  /** Labels were set on the post, comment or entity by a moderator, a rule or the external reviewer, or a moderator removed them. */
  | 'LABELED'
  /** A moderator ended the suspension of the user. */
  | 'REINSTATED'
  /** The post, comment, profile text or avatar was rejected, or the collection was made private. */
  | 'REJECTED'
  /** The open reports were accepted. */
  | 'REPORTS_ACCEPTED'
  /** The open reports were dismissed. */
  | 'REPORTS_DISMISSED'
  /** The user was suspended. */
  | 'SUSPENDED'
  /** The suspension of the user reached its end. */
  | 'SUSPENSION_ENDED'
  /** A moderator unlisted the topic: only moderators find it in trends and lists of topics. */
  | 'TOPIC_HELD'
  /** A moderator listed the topic again. */
  | 'TOPIC_OPENED'
  /** The user was warned. */
  | 'WARNED';

/** The decision of a moderator about a post or comment. */
export type ModerationDecision =
  /** Approves the post or comment: all users can see it. */
  | 'APPROVE'
  /** Rejects the post or comment: only the author and moderators can see it. */
  | 'REJECT';

/** The role in which the action was done. */
export type ModerationRole =
  /** A moderator. */
  | 'MODERATOR'
  /** The owner of the post or entity that was commented on. */
  | 'OWNER'
  /** The external reviewer. */
  | 'REVIEWER'
  /** The rules about behaviour, or the word list. */
  | 'RULES'
  /** Plaudit itself. */
  | 'SYSTEM';

/** A reason why something is in the moderation queue. */
export type ModerationSource =
  /** A user has appealed against a decision about the target: a rejection, the deletion of a comment, labels, a suspension, a warning, a rejected profile text or avatar, a collection that was made private, or the dismissal of a report. */
  | 'APPEALS'
  /** A person, perhaps without an account, has sent a notice that it is illegal. */
  | 'NOTICES'
  /** Users have reported it. */
  | 'REPORTS'
  /** The external reviewer has not decided yet, or leaves the decision to a moderator. */
  | 'REVIEWER'
  /** A rule objected to the post or comment, pre-moderation applies to it, or reports hide it. */
  | 'RULES'
  /** A post or comment contains a word of the word list. */
  | 'WORDS';

/** The role of a user in moderation. Each role may do everything that the roles before it may do. */
export type ModeratorRole =
  /** Reads the moderation log, and content, suspensions and topics as moderators see them. Changes nothing. */
  | 'AUDITOR'
  /** Also warns, suspends and reinstates users, decides appeals, and unlists topics. Tokens with the scope `moderate` have this role. */
  | 'LEAD'
  /** Also takes cases, decides about content and reports, sets labels and deletes comments. */
  | 'MODERATOR'
  /** Also reads the moderation queue. */
  | 'VIEWER';

/** The input of `mute`. */
export type MuteInput = {
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The time when the mute ends, in the future. Omit it for a mute without an end. */
  until?: InputMaybe<Scalars['DateTime']['input']>;
  /** The id of the user to mute. */
  userId: Scalars['ID']['input'];
};

/** The input of `muteReposts` and `unmuteReposts`. */
export type MuteRepostsInput = {
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The id of the user. */
  userId: Scalars['ID']['input'];
};

/** The input of `muteThread` and `unmuteThread`. */
export type MuteThreadInput = {
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The id of the post, entity or comment. For a reply, the thread is that of its root comment. */
  targetId: Scalars['ID']['input'];
};

/** The input of `muteWords`. */
export type MuteWordsInput = {
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The words to mute: 1 to 100. */
  words: Array<MutedWordInput>;
};

/** A word, phrase or topic to mute. */
export type MutedWordInput = {
  /** If true, the word hides no posts and comments of users whom the viewer follows. */
  exceptFollowed?: Scalars['Boolean']['input'];
  /** What the word is compared with, at least one of them. */
  targets?: Array<MutedWordTarget>;
  /** The word or phrase: 1 to 100 characters. `#cats` matches the topic, and the text `#cats`. Case, width and repeated spaces do not matter. */
  text: Scalars['String']['input'];
  /** The time when the word stops muting, in the future. Omit it for a mute without an end. */
  until?: InputMaybe<Scalars['DateTime']['input']>;
  /** Whether the word matches only whole words. In scripts without spaces between words, such as Chinese, Japanese and Thai, a word always matches anywhere. */
  wholeWord?: Scalars['Boolean']['input'];
};

/** What a muted word is compared with. */
export type MutedWordTarget =
  /** The text of the post or comment, the descriptions of its images, videos and audio files, the display name and the handle of its author, and the text and the descriptions of a quoted post. */
  | 'TEXT'
  /** The topics of a post. `cute cats` also matches the topics `cute_cats` and `cutecats`. */
  | 'TOPICS';

/** The input of `notice`. */
export type NoticeInput = {
  /** The e-mail address of the person, at most 254 characters. Required unless `unnamed` is true. */
  email?: InputMaybe<Scalars['String']['input']>;
  /** Why the object is illegal: 1 to 2000 characters for the moderators. */
  explanation: Scalars['String']['input'];
  /** The statement of the person that the notice is accurate and complete, in good faith. Must be true. */
  goodFaith: Scalars['Boolean']['input'];
  /** A key of 1 to 128 characters that you choose for this notice, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), without a token within 1 hour, the notice is not sent twice, and the response has the same receipt or the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The law that the object breaks: 1 to 200 characters in one line. */
  law: Scalars['String']['input'];
  /** The name of the person, at most 200 characters. Required unless `unnamed` is true. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** The token of a solved captcha, at most 8192 characters. Required without a token of a user, if the operator of this deployment asks for a captcha. */
  proof?: InputMaybe<Scalars['String']['input']>;
  /** The id of a post, comment, user or entity. */
  targetId: Scalars['ID']['input'];
  /** Whether the person gives no name and no e-mail address. The law allows this only for notices about sexual abuse of a child. */
  unnamed?: Scalars['Boolean']['input'];
};

/** The state of a notice. */
export type NoticeState =
  /** A moderator found the notice justified. */
  | 'ACCEPTED'
  /** A moderator found the notice unfounded. */
  | 'DISMISSED'
  /** The object was deleted before a moderator had decided. */
  | 'MOOT'
  /** No moderator has decided yet. */
  | 'OPEN';

/** The kind of events that a notification is about. */
export type NotificationKind =
  /** Users commented on a post or an entity of the viewer. */
  | 'COMMENT'
  /** Users followed the viewer. */
  | 'FOLLOW'
  /** Users whose accounts are private accepted the viewer's requests to follow them. */
  | 'FOLLOW_ACCEPTED'
  /** Users asked to follow the viewer, whose account is private. */
  | 'FOLLOW_REQUEST'
  /** Users liked a post, a comment or an entity of the viewer, or gave it another reaction that is not a dislike. */
  | 'LIKE'
  /** A user mentioned the viewer with `@handle` in a post or a comment. */
  | 'MENTION'
  /** A post, a comment, or a text or the avatar of the profile of the viewer was rejected, labels were set on or removed from a post, comment or entity of the viewer, a post or comment of the viewer has waited for a moderator for a long time, a comment of the viewer was deleted by another user, a collection of the viewer was made private or allowed again, the viewer was warned or suspended, or an appeal of the viewer was decided. */
  | 'MODERATION'
  /** A user whom the viewer follows and has chosen with `setPostNotifications` published a post, or a post that announces a new entity. */
  | 'NEW_POST'
  /** A user quoted a post of the viewer in a post. */
  | 'QUOTE'
  /** Users replied to a comment of the viewer. */
  | 'REPLY'
  /** A moderator has decided a report of the viewer, or what the viewer reported was deleted. */
  | 'REPORT'
  /** Users reposted a post of the viewer. */
  | 'REPOST';

/** Whether the viewer (the signed-in user) wants notifications of a kind. */
export type NotificationPreferenceInput = {
  /** Whether the viewer wants notifications of this kind. */
  enabled: Scalars['Boolean']['input'];
  /** The kind of notifications. */
  kind: NotificationKind;
  /** Whether the viewer wants notifications of this kind only about actions of users whom the viewer follows when the notification is delivered. If you omit it or pass null, it stays as it is. */
  onlyFollowed?: InputMaybe<Scalars['Boolean']['input']>;
};

/** The kind of a GraphQL operation. */
export type OperationKind =
  /** A mutation. */
  | 'MUTATION'
  /** A query. */
  | 'QUERY'
  /** A subscription. */
  | 'SUBSCRIPTION';

/** An operation to check or to import. */
export type PersistedOperationInput = {
  /** The id: at most 200 of the characters `A-Z a-z 0-9 - . _ ~`, `sha256:` and the SHA-256 of the text, or a prefix of your own that begins with `x-`, a colon and a name. */
  id: Scalars['ID']['input'];
  /** The kind that the text must have. Any kind if you omit it. */
  kind?: InputMaybe<OperationKind>;
  /** The name that the text must have. Any name if you omit it. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** The name of the manifest, for operators: at most 200 characters. */
  source?: Scalars['String']['input'];
  /** The text, with one operation: 1 to 100,000 characters. */
  text: Scalars['String']['input'];
};

/** The input of `pinComment` and `unpinComment`. */
export type PinCommentInput = {
  /** The id of the comment. The viewer must be the author of its post, or the owner of its entity. */
  commentId: Scalars['ID']['input'];
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The input of `pinPost` and `unpinPost`. */
export type PinPostInput = {
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The id of the post. It must be a post of the viewer. */
  postId: Scalars['ID']['input'];
};

/** The input of `publishPost`. */
export type PublishPostInput = {
  /** The images, videos and audio files of the post, in display order, at most 9 by default. Send either `images` or `attachments`: both together fail with `BAD_INPUT`. */
  attachments?: Array<AttachmentInput>;
  /** The content warning, which apps show before the text: at most 200 characters. */
  contentWarning?: InputMaybe<Scalars['String']['input']>;
  /** Custom data of the post, which everyone who sees the post can read. */
  custom?: InputMaybe<Scalars['JSON']['input']>;
  /** The id of an entity that the post refers to, such as a video. The post needs text or images too. `editPost` cannot change the entity. */
  entityId?: InputMaybe<Scalars['ID']['input']>;
  /** A key of 1 to 128 characters that you choose for this post, such as a UUID. If you repeat the request with the same key and input within 90 days (operators can change this), it returns the existing post and publishes no second one. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey: Scalars['String']['input'];
  /** The images of the post, in display order, at most 9 by default. */
  images?: Array<ImageInput>;
  /** The names of the labels of the post. `Query.labels` has the names. A label that does not exist, or that authors may not set, is refused with `INVALID`. */
  labels?: InputMaybe<Array<Scalars['String']['input']>>;
  /** The id of the post that this post quotes. It must be approved. */
  quoteOf?: InputMaybe<Scalars['ID']['input']>;
  /** The text of the post, at most 5000 characters by default. It can be empty if the post has images. */
  text: Scalars['String']['input'];
  /** The topics of the post, at most 10 by default. Each has 1 to 50 letters, digits, `_` and `-`, with or without a leading `#`. The name is stored in lower case and otherwise keeps its spelling. */
  topics?: Array<Scalars['String']['input']>;
  /** Whether the post also gets the topics that its text names, such as `#tea`, after those in `topics`. If there are more topics than a post can have, the last ones of the text are left out. */
  topicsFromText?: Scalars['Boolean']['input'];
};

/** Quiet hours. */
export type QuietHoursInput = {
  /** The time at which the quiet hours begin, from `00:00` to `23:59`. */
  from: Scalars['String']['input'];
  /** The time zone of both times, a name of the IANA database such as `Asia/Shanghai`. */
  timeZone: Scalars['String']['input'];
  /** The time at which the quiet hours end: on the next day if it is before `from`. */
  to: Scalars['String']['input'];
};

/** Why a quoted post is not shown. */
export type QuoteMissing =
  /** It was deleted. */
  | 'DELETED'
  /** The post that quotes it is quoted itself. Read that post on its own. */
  | 'NESTED'
  /** The viewer may not see it: it is not approved, or a block, a private account, a suspension or a label hides it. */
  | 'NOT_VISIBLE'
  /** Its author has detached the quote (`detachQuote`). */
  | 'REMOVED_BY_AUTHOR';

/** Who may quote the posts of a user, besides the user. */
export type QuotePolicy =
  /** Every user who may see the post. */
  | 'EVERYONE'
  /** The followers of the user. */
  | 'FOLLOWERS'
  /** Nobody else. */
  | 'NOBODY';

/** The input of `like`, `unlike`, `dislike` and `undislike`. */
export type ReactInput = {
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The place in your app where the user reacted, such as `feed`, 1 to 64 characters. It is stored with the reaction for analysis by the operator, and is not returned by this API. */
  source?: InputMaybe<Scalars['String']['input']>;
  /** The id of the post, comment or entity. */
  targetId: Scalars['ID']['input'];
};

/** The reaction of a user to an object. */
export type Reaction =
  /** The user dislikes the object. */
  | 'DISLIKE'
  /** The user likes the object. */
  | 'LIKE';

/** The input of `react`. */
export type ReactionInput = {
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The name of the kind of reaction, as `reactionKinds` of the target has it: `like`, `dislike`, or a kind that the operator of this deployment has configured, such as `love` or an emoji. Variation selectors and skin tones of an emoji are ignored. */
  kind: Scalars['String']['input'];
  /** The place in your app where the user reacted, such as `feed`, 1 to 64 characters. It is stored with the reaction for analysis by the operator, and is not returned by this API. */
  source?: InputMaybe<Scalars['String']['input']>;
  /** The id of the post, comment or entity. */
  targetId: Scalars['ID']['input'];
};

/** The input of `recordActions`. */
export type RecordActionsInput = {
  /** The name of a counter that the operator of this deployment has defined for this kind of content, such as `plays`. */
  action: Scalars['String']['input'];
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), without a token within 1 hour, nothing is counted twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The ids of 1 to 100 posts, or of 1 to 100 entities of one business (one kind of content). An id that occurs twice counts once. */
  targetIds: Array<Scalars['ID']['input']>;
};

/** The input of `recordViews` and `recordShares`. */
export type RecordInput = {
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), without a token within 1 hour, nothing is counted twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The ids of 1 to 100 posts and entities. An id that occurs twice counts once. */
  targetIds: Array<Scalars['ID']['input']>;
};

/** The input of `reinstateUser`. */
export type ReinstateUserInput = {
  /** The id of the user to reinstate. */
  userId: Scalars['ID']['input'];
};

/** Whether the viewer (the signed-in user) and another user follow each other, which of the two follows, and whether the viewer has asked to follow. */
export type Relation =
  /** The user follows the viewer, and the viewer does not follow the user. */
  | 'FOLLOWED_BY'
  /** The viewer follows the user, and the user does not follow the viewer. */
  | 'FOLLOWING'
  /** The viewer and the user follow each other. */
  | 'FRIENDS'
  /** Neither of the two users follows the other. */
  | 'NONE'
  /** The viewer has asked to follow the user, who has not answered yet. The user may follow the viewer. */
  | 'REQUESTED'
  /** The user is the viewer. */
  | 'SELF';

/** The input of `release`. */
export type ReleaseInput = {
  /** The id of the post, comment, user, entity or collection. */
  targetId: Scalars['ID']['input'];
};

/** The input of `removeWords`. */
export type RemoveWordsInput = {
  /** The reason of the change, for the log of changes: at most 500 characters. */
  reason?: InputMaybe<Scalars['String']['input']>;
  /** The words or phrases: 1 to 100. Each line of the list with one of them is removed. They are compared as in texts: `CASINO` removes `casino`. */
  words: Array<Scalars['String']['input']>;
};

/** The input of `report`. */
export type ReportInput = {
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** An explanation for the moderators, at most 1000 characters. */
  note?: InputMaybe<Scalars['String']['input']>;
  /** The reason of the report. */
  reason: ReportReason;
  /** The id of a post, comment, user, entity or public collection. */
  targetId: Scalars['ID']['input'];
};

/** The reason of a report. */
export type ReportReason =
  /** Bullying, insults or threats against a person. */
  | 'HARASSMENT'
  /** Hatred against a group of people. */
  | 'HATE'
  /** Content that is illegal for another reason. */
  | 'ILLEGAL'
  /** The account pretends to be another person or organization. */
  | 'IMPERSONATION'
  /** A violation of copyright or of a trademark. */
  | 'INTELLECTUAL_PROPERTY'
  /** False information that can do harm. */
  | 'MISINFORMATION'
  /** Another reason, which the note explains. */
  | 'OTHER'
  /** Suicide, self-harm or eating disorders. */
  | 'SELF_HARM'
  /** Sexual content. */
  | 'SEXUAL'
  /** Advertising, fraud, or repeated unwanted content. */
  | 'SPAM'
  /** Depictions of violence, or calls for it. */
  | 'VIOLENCE';

/** The decision of a moderator about the reports of a target. */
export type ReportResolution =
  /** The reports are right. The target stays as it is, for example because the user was suspended. */
  | 'ACCEPT'
  /** The reports are wrong. The target stays as it is. */
  | 'DISMISS'
  /** The reports are right. The post or comment is rejected, or the collection is made private. */
  | 'REMOVE';

/** The input of `repost` and `unrepost`. */
export type RepostInput = {
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The id of the post. */
  postId: Scalars['ID']['input'];
};

/** The input of `resolveReports`. */
export type ResolveReportsInput = {
  /** The name of the ground of the decision, one of `Query.grounds`. If it is omitted, statements of reasons name the ground that the operator has configured as the default. */
  ground?: InputMaybe<Scalars['String']['input']>;
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The reason of the decision, 1 to 500 characters. The reporters and, for `REMOVE`, the author are notified of it. */
  reason: Scalars['String']['input'];
  /** What to do with the reports. */
  resolution: ReportResolution;
  /** The id of the reported object. */
  targetId: Scalars['ID']['input'];
};

/** The input of `restoreClientVersions`. */
export type RestoreClientVersionsInput = {
  /** The name of the client. */
  client: Scalars['String']['input'];
  /** The versions: 1 to 100. */
  clientVersions: Array<Scalars['String']['input']>;
};

/** The input of `restoreOperations`. */
export type RestoreOperationsInput = {
  /** The ids of the operations: 1 to 100. */
  ids: Array<Scalars['ID']['input']>;
};

/** What a statement of reasons is about. */
export type Restriction =
  /** A comment of the person was deleted by a moderator, or by the owner of the post or entity. */
  | 'DELETED'
  /** A post or comment of the person has waited for review for a long time. */
  | 'HELD'
  /** A moderator, a rule or the external reviewer set labels on a post or comment of the person, or a moderator set labels on an entity of the person. */
  | 'LABELED'
  /** A public collection of the person was made private, by a moderator or because the external reviewer rejected its name. */
  | 'MADE_PRIVATE'
  /** A text or the avatar of the person's profile was rejected, and replaced or removed. */
  | 'PROFILE_REJECTED'
  /** A post or comment of the person was rejected: only the person and moderators see it. */
  | 'REJECTED'
  /** A moderator accepted a report of the person. */
  | 'REPORT_ACCEPTED'
  /** A moderator dismissed a report of the person. */
  | 'REPORT_DISMISSED'
  /** The person was suspended. */
  | 'SUSPENDED'
  /** The person was warned. */
  | 'WARNED';

/** The input of `retryWebhook`. */
export type RetryWebhookInput = {
  /** The name of the webhook. */
  name: Scalars['String']['input'];
};

/** The input of `rotateWebhookSecret`. */
export type RotateWebhookSecretInput = {
  /** The name of the webhook. */
  name: Scalars['String']['input'];
};

/** The input of `save`. */
export type SaveInput = {
  /** The id of a collection of the viewer. The object is saved into it, or moved into it if it is saved elsewhere. If you omit this field, an object that is saved already stays where it is, and any other object is saved into no collection. If it is null, the object is saved into no collection, or taken out of its collection. */
  collectionId?: InputMaybe<Scalars['ID']['input']>;
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The id of the post, comment or entity. */
  targetId: Scalars['ID']['input'];
};

/** The input of `saveQueue`. The filters are arguments of `moderationQueue`. */
export type SaveQueueInput = {
  /** The argument `assignment`. */
  assignment?: InputMaybe<CaseAssignment>;
  /** The argument `kind`. */
  kind?: InputMaybe<CaseKind>;
  /** The name, 1 to 60 characters. Replaces an earlier saved queue with the same name. */
  name: Scalars['String']['input'];
  /** The name of another saved queue, which is removed, to rename it. Ignored if there is none. */
  replaces?: InputMaybe<Scalars['String']['input']>;
  /** The argument `sort`. */
  sort?: CaseOrder;
  /** The argument `source`. */
  source?: InputMaybe<ModerationSource>;
  /** The argument `status`. */
  status?: CaseStatus;
};

/** A kind of saved object. */
export type SavedKind =
  /** Comments. */
  | 'COMMENT'
  /** Entities: objects of another system, such as videos. */
  | 'ENTITY'
  /** Posts. */
  | 'POST';

/** The order of what a search finds. */
export type SearchSort =
  /** Sorts by how well the text matches, by age and, for posts, by likes and dislikes, best first. If there are more than 1000 matches, lists only the newest 1000. If nothing matches, corrects words with one wrong letter. */
  | 'BEST'
  /** Sorts by the time when the posts or comments were published, newest first. */
  | 'NEWEST';

/** The input of `setCommentPolicy`. */
export type SetCommentPolicyInput = {
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** Who may comment. An entity cannot have `MENTIONED`. */
  policy: CommentPolicy;
  /** The id of the post or entity. The viewer must be its author or owner. */
  subjectId: Scalars['ID']['input'];
};

/** The input of `setDiscoverable`. */
export type SetDiscoverableInput = {
  /** Whether searches find the viewer. */
  discoverable: Scalars['Boolean']['input'];
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The input of `setLabelPreferences`. */
export type SetLabelPreferencesInput = {
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The labels to change, each at most once. Other labels stay as they are. */
  preferences: Array<LabelPreferenceInput>;
};

/** The input of `setLabels`. */
export type SetLabelsInput = {
  /** The name of the ground of the decision, one of `Query.grounds`. If it is omitted, statements of reasons name the ground that the operator has configured as the default. */
  ground?: InputMaybe<Scalars['String']['input']>;
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The names of the labels. They replace all labels that moderators, the rules and the external reviewer have set on the target. An empty list removes all of these. Labels that the author or a service has set stay. */
  labels: Array<Scalars['String']['input']>;
  /** The reason, 1 to 500 characters. The author or owner is notified of it, and it is in the moderation log. */
  reason: Scalars['String']['input'];
  /** The id of the post, comment or entity. */
  targetId: Scalars['ID']['input'];
};

/** The input of `setLanguage`. */
export type SetLanguageInput = {
  /** The language as a tag of BCP 47, such as `en`, `zh-Hans` or `pt-BR`, at most 35 characters. It need not be one for which there are texts. Null, or no value, removes the choice. */
  language?: InputMaybe<Scalars['String']['input']>;
};

/** The input of `setNotificationPreferences`. */
export type SetNotificationPreferencesInput = {
  /** The kinds to change, each at most once. Other kinds stay as they are. */
  preferences: Array<NotificationPreferenceInput>;
};

/** The input of `setPostNotifications`. */
export type SetPostNotificationsInput = {
  /** Whether the viewer wants notifications about new posts of the author. */
  enabled: Scalars['Boolean']['input'];
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The id of the author. */
  userId: Scalars['ID']['input'];
};

/** The input of `setQuietHours`. */
export type SetQuietHoursInput = {
  /** The quiet hours. Null, or no value, removes the quiet hours. */
  quietHours?: InputMaybe<QuietHoursInput>;
};

/** The input of `setQuotePolicy`. */
export type SetQuotePolicyInput = {
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** Who may quote the posts of the viewer. */
  policy: QuotePolicy;
};

/** The input of `setTopicState`. */
export type SetTopicStateInput = {
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The name of the topic in any spelling, with or without a leading `#`. The topic need not have posts yet. */
  name: Scalars['String']['input'];
  /** The reason, at most 500 characters. The moderation log records it. */
  reason?: InputMaybe<Scalars['String']['input']>;
  /** The state that the topic gets. */
  state: TopicState;
};

/** The input of `setTopicsInHome`. */
export type SetTopicsInHomeInput = {
  /** Whether the home timeline shows posts of followed topics. */
  enabled: Scalars['Boolean']['input'];
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The reason why a user is suggested. */
export type SuggestionReason =
  /** Users whom the viewer follows also follow this user. `followedBy` has some of them. */
  | 'FOLLOWED_BY_FOLLOWED'
  /** The user has joined in the last 30 days and has published a post. */
  | 'NEW_MEMBER'
  /** The user has written some of the hottest posts of `topic`, which the viewer follows. */
  | 'POPULAR_IN_TOPIC'
  /** The user likes posts that the viewer has liked. */
  | 'SIMILAR_LIKES';

/** The input of `suspendUser`. */
export type SuspendUserInput = {
  /** The name of the ground of the decision, one of `Query.grounds`. If it is omitted, statements of reasons name the ground that the operator has configured as the default. The mode `SHADOW` requires the ground for deceptive commercial content, because the user is not told about the suspension. */
  ground?: InputMaybe<Scalars['String']['input']>;
  /** How much the suspension restricts the user. */
  mode: SuspensionMode;
  /** The reason for the suspension, 1 to 500 characters. The user can read it, unless the mode is `SHADOW`. */
  reason: Scalars['String']['input'];
  /** The time when the suspension ends, in the future. Omit it for a suspension without an end. */
  until?: InputMaybe<Scalars['DateTime']['input']>;
  /** The id of the user to suspend. */
  userId: Scalars['ID']['input'];
};

/** How much a suspension restricts a user. */
export type SuspensionMode =
  /** As `READ_ONLY`. In addition, the profile and the content are hidden from all but the user and moderators. */
  | 'HIDDEN'
  /** The user cannot publish, edit, comment, react, follow, or change the profile. The profile and the content stay visible. */
  | 'READ_ONLY'
  /** The profile and the content are hidden from all but the user and moderators. The user can still write, and cannot see the suspension. */
  | 'SHADOW';

/** The order of a list of posts. */
export type TimelineSort =
  /** Sorts by likes, dislikes and age, best first. Ten likes raise a post as much as being about 12 hours newer, a hundred as much as 25 hours. Dislikes lower it. */
  | 'HOT'
  /** Sorts by the time when the posts were published, newest first. */
  | 'LATEST';

/** What moderators have decided about a topic. */
export type TopicState =
  /** The topic is unlisted: only moderators get it from `trendingTopics`, `topics` and `searchTopics`. Its posts stay visible. */
  | 'HELD'
  /** All users get the topic from `trendingTopics`, `topics` and `searchTopics`. */
  | 'OPEN';

/** The unit of a count of a transparency report. */
export type TransparencyUnit =
  /** A number of notices, decisions, appeals and so on. */
  | 'NUMBER'
  /** A median of times in seconds, accurate to one percent. */
  | 'SECONDS';

/** The period whose posts a trend counts. The weight of a post halves with each quarter of the period. */
export type TrendWindow =
  /** The last 24 hours. */
  | 'DAY'
  /** The last hour. */
  | 'HOUR'
  /** The last seven days. */
  | 'WEEK';

/** The input of `unmuteWords`. It has 1 to 100 ids and texts in all. */
export type UnmuteWordsInput = {
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The ids of muted words. */
  ids?: Array<Scalars['ID']['input']>;
  /** The texts of muted words. */
  texts?: Array<Scalars['String']['input']>;
};

/** The input of `unreact`. */
export type UnreactInput = {
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The name of the kind of reaction. Omit it, or send null, to remove all reactions of the viewer. */
  kind?: InputMaybe<Scalars['String']['input']>;
  /** The place in your app where the user reacted, such as `feed`, 1 to 64 characters. It is stored with the reaction for analysis by the operator, and is not returned by this API. */
  source?: InputMaybe<Scalars['String']['input']>;
  /** The id of the post, comment or entity. */
  targetId: Scalars['ID']['input'];
};

/** The input of `unsave`. */
export type UnsaveInput = {
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The id of the post, comment or entity. */
  targetId: Scalars['ID']['input'];
};

/** The input of `updateCollection`. A field that is omitted or null keeps its value. */
export type UpdateCollectionInput = {
  /** The id of a collection of the viewer. */
  collectionId: Scalars['ID']['input'];
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** Whether other users may see the collection. */
  isPublic?: InputMaybe<Scalars['Boolean']['input']>;
  /** The new name, 1 to 100 characters. */
  name?: InputMaybe<Scalars['String']['input']>;
};

/** The input of `updateProfile`. A field that you omit keeps its value. Null in `handle`, `displayName`, `bio` or `isPrivate` fails with `BAD_INPUT`. */
export type UpdateProfileInput = {
  /** The https URL of the new profile picture, at most 2000 characters. The host must be one that the operator of this deployment allows. Null removes the picture. */
  avatarUrl?: InputMaybe<Scalars['String']['input']>;
  /** The new bio (the text in which the user describes themselves), at most 500 characters. An empty string removes the bio. */
  bio?: InputMaybe<Scalars['String']['input']>;
  /** The new display name, 1 to 64 characters. A reserved name, which readers could mistake for staff, fails with `TEXT_NOT_ALLOWED`. */
  displayName?: InputMaybe<Scalars['String']['input']>;
  /** The new handle (the unique name of the user): 2 to 30 of the characters `a-z`, `0-9` and `_`. `.` and `-` between two of these characters only if the operator of this deployment allows them. Upper case is converted to lower case. For 30 days by default, no other user can take the old handle, and the user can take it back. */
  handle?: InputMaybe<Scalars['String']['input']>;
  /** Whether the account is private: only followers see the user's posts, likes and lists of users, and `follow` asks for permission. Followers stay when an account becomes private. Requests stay open when an account becomes public. */
  isPrivate?: InputMaybe<Scalars['Boolean']['input']>;
};

/** The reason why a mutation was refused and changed nothing. */
export type UserErrorCode =
  /** The input `action` is not the name of a counter of this kind of content. */
  | 'ACTION_UNKNOWN'
  /** The viewer has appealed against this decision before. */
  | 'ALREADY_APPEALED'
  /** The viewer blocks the owner of this entity, or the owner blocks the viewer. From `editComment`, the code can also mean a block with the author of the answered comment. From `follow`: one of the two users blocks the other; mostly `follow` answers `TARGET_NOT_FOUND` in this case. */
  | 'BLOCKED'
  /** The viewer blocks the maximum number of users. The message states the number. */
  | 'BLOCK_LIMIT_REACHED'
  /** The id is that of the viewer. A user cannot block themselves. */
  | 'CANNOT_BLOCK_SELF'
  /** The id is that of the viewer. A user cannot follow themselves. */
  | 'CANNOT_FOLLOW_SELF'
  /** The id is that of the viewer. A user cannot mute themselves. */
  | 'CANNOT_MUTE_SELF'
  /** The target is the viewer, or belongs to the viewer. */
  | 'CANNOT_REPORT_SELF'
  /** The case is assigned to another moderator. */
  | 'CASE_ASSIGNED'
  /** The target has no open case in the moderation queue. */
  | 'CASE_NOT_FOUND'
  /** The viewer has the maximum number of collections. The message states the number. */
  | 'COLLECTION_LIMIT_REACHED'
  /** The post or entity refuses new comments, or moderation has rejected the comment to reply to. */
  | 'COMMENTS_CLOSED'
  /** The author of the post or the owner of the entity allows comments of some users only, and the viewer is none of them. `commentPolicy` has the rule. */
  | 'COMMENTS_RESTRICTED'
  /** Dislikes are disabled for this kind of content. */
  | 'DISLIKE_DISABLED'
  /** The comment is too old to be edited. The message states for how long a comment can be edited. */
  | 'EDIT_WINDOW_OVER'
  /** The account was exported too recently. The message states when it can be exported again. */
  | 'EXPORT_LIMIT_REACHED'
  /** The viewer follows, or has asked to follow, the maximum number of users. The message states the number. */
  | 'FOLLOW_LIMIT_REACHED'
  /** Another user has this handle or had it recently, or it is reserved. */
  | 'HANDLE_TAKEN'
  /** The idempotency key was used before with another input. Use a new key for each change. */
  | 'IDEMPOTENCY_MISMATCH'
  /** The image URL is not https, has a host that the operator of this deployment does not allow, or has a form that is not allowed. The message states why. */
  | 'IMAGE_NOT_ALLOWED'
  /** The value is not valid for this field. The message states why. */
  | 'INVALID'
  /** The viewer mutes the maximum number of users or words, mutes words that are too long together, hides the maximum number of posts, or has the maximum number of muted threads, muted reposts and dismissed suggestions together. The message states the number. */
  | 'MUTE_LIMIT_REACHED'
  /** The post, comment or entity belongs to another user, and the viewer may not change it. From `appeal`: the post or comment is not rejected, nobody can appeal against this kind of statement, the restriction was lifted or replaced, or the time for an appeal is over. From `updateCollection`: a moderator has made the collection private. From `setLabelPreferences`: the viewer's age band fixes the visibility of the label. From mutations of moderators: the target is the viewer or belongs to the viewer, or its author appeals against a decision of the viewer. From `decideAppeal`: the statement has no open appeal, or is about a rejected post or comment. */
  | 'NOT_ALLOWED'
  /** The viewer has pinned the maximum number of posts. The message states the number. */
  | 'PIN_LIMIT_REACHED'
  /** The viewer has saved the maximum number of queues. The message states the number. */
  | 'QUEUE_LIMIT_REACHED'
  /** The input `kind` is not a kind of reaction that users can give here. The message names the kinds. */
  | 'REACTION_UNKNOWN'
  /** This user has no open request to follow the viewer. It may have been withdrawn or rejected, or ended by a block. */
  | 'REQUEST_NOT_FOUND'
  /** A suspension of the viewer forbids this. The message states the end of the suspension, if it has one. */
  | 'SUSPENDED'
  /** The comment was deleted or, for `editPost`, `pinPost` and `appeal`, the post. From `deleteUser` and `cancelDeletion`: the data of the account is being removed or was removed. From `registerEntities`: the entity is being erased. From `publishPost`, `addComment`, `createCollection` and `updateCollection`, the code can also mean that the idempotency key belongs to a post, comment or collection that was deleted since. */
  | 'TARGET_DELETED'
  /** No object of the required type has this id, or the viewer may not see it. */
  | 'TARGET_NOT_FOUND'
  /** The text is empty or has no visible characters. A post or comment needs a text or an image. */
  | 'TEXT_EMPTY'
  /** The text contains control characters other than line breaks and tabs. */
  | 'TEXT_INVALID'
  /** The moderation rules do not allow this text, or this display name is reserved. The message states why. */
  | 'TEXT_NOT_ALLOWED'
  /** The text has too many characters. The message states the maximum. */
  | 'TEXT_TOO_LONG'
  /** The post or comment has too many images. The message states the maximum. */
  | 'TOO_MANY_IMAGES'
  /** The post has too many topics. The message states the maximum. */
  | 'TOO_MANY_TOPICS'
  /** A topic must have 1 to 50 letters, digits, `_` and `-`. Single apostrophes, middle dots and hyphens may stand between letters. */
  | 'TOPIC_INVALID';

/** A user to register. A user who exists already is not changed. */
export type UserInput = {
  /** The https URL of the profile picture, at most 2000 characters. The host must be one that the operator of this deployment allows. Omit it if there is none. */
  avatarUrl?: InputMaybe<Scalars['String']['input']>;
  /** The name of the user to show to others, at most 64 characters. If you omit it, it is the handle. */
  displayName?: InputMaybe<Scalars['String']['input']>;
  /** The id of the user at the identity provider that issued the caller's token: the claim `sub` of the user's own tokens. 1 to 255 characters. */
  externalId: Scalars['String']['input'];
  /** The preferred handle (the unique name of the user): 2 to 64 of the characters `a-z`, `0-9`, `_`, `.` and `-`. Each `.` and `-` must stand between two of the other characters. Upper case is converted to lower case. If another user has it, digits are appended. If you omit it, a handle is made from the display name or at random. */
  handle?: InputMaybe<Scalars['String']['input']>;
};

/** A reference to a user. Set exactly one of the two fields, otherwise the request fails with `BAD_INPUT`. */
export type UserRef = {
  /** The id of the user at the identity provider that issued the caller's token: the claim `sub` of the user's own tokens. 1 to 255 characters. */
  externalId?: InputMaybe<Scalars['String']['input']>;
  /** The id of the user in this API, as in `User.id`. */
  id?: InputMaybe<Scalars['ID']['input']>;
};

/** A user to create or to change. In a user who exists, a field that you omit keeps its value. Null in `handle`, `displayName`, `bio` or `isPrivate` fails with `BAD_INPUT`. */
export type UserUpsertInput = {
  /** The age band of the user, one of those that the operator of this deployment has configured. It applies if the token of a request states no age band. Null removes it. Only the user can read it. */
  ageBand?: InputMaybe<Scalars['String']['input']>;
  /** The https URL of the profile picture, at most 2000 characters. The host must be one that the operator of this deployment allows. Null removes the picture. */
  avatarUrl?: InputMaybe<Scalars['String']['input']>;
  /** The text that describes the user, at most 500 characters. An empty string removes it. */
  bio?: InputMaybe<Scalars['String']['input']>;
  /** When the user joined, in the past and not before the year 2000. It becomes `User.createdAt` of a new user, so that moderation does not treat long-standing members as new accounts. If you omit it or pass null, a new user joins now. For a user who exists it has no effect. */
  createdAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** Custom data of the user, which all callers can read. Null removes it. */
  custom?: InputMaybe<Scalars['JSON']['input']>;
  /** The name of the user to show to others, 1 to 64 characters. If you omit it, the name of a new user is the handle. */
  displayName?: InputMaybe<Scalars['String']['input']>;
  /** The id of the user at the identity provider that issued the caller's token: the claim `sub` of the user's own tokens. 1 to 255 characters. */
  externalId: Scalars['String']['input'];
  /** The handle (the unique name of the user): 2 to 64 of the characters `a-z`, `0-9`, `_`, `.` and `-`. Each `.` and `-` must stand between two of the other characters. Upper case is converted to lower case. If you omit it, a new user gets a handle made from the display name or at random. */
  handle?: InputMaybe<Scalars['String']['input']>;
  /** Whether the account is private: only followers see the user's posts, likes and lists of users. If you omit it, the account of a new user is public. */
  isPrivate?: InputMaybe<Scalars['Boolean']['input']>;
  /** The language in which the user reads notifications, as a tag of BCP 47 such as `en` or `zh-Hans`. It replaces the user's own choice. Null removes it. */
  language?: InputMaybe<Scalars['String']['input']>;
};

/** The input of `warnUser`. */
export type WarnUserInput = {
  /** The name of the ground of the decision, one of `Query.grounds`. If it is omitted, statements of reasons name the ground that the operator has configured as the default. */
  ground?: InputMaybe<Scalars['String']['input']>;
  /** A key of 1 to 128 characters that you choose for this change, such as a UUID. If you repeat the request with the same key and input within 24 hours (after 1000 keys in an hour: within a minute), the change is not made twice, and the response has the same user errors. If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request failed. The same key with another input is refused with `IDEMPOTENCY_MISMATCH`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The reason for the warning, 1 to 500 characters. The user reads it. */
  reason: Scalars['String']['input'];
  /** The id of the user to warn. */
  userId: Scalars['ID']['input'];
};

/** Tells whether events are sent to a webhook. */
export type WebhookState =
  /** Events are sent. */
  | 'ACTIVE'
  /** Events were removed before they could be sent. The remaining events wait. */
  | 'LAPSED'
  /** An operator has paused the webhook, or sending has failed for too long. Events wait. */
  | 'PAUSED';

/** The input of `withdrawClientVersions`. */
export type WithdrawClientVersionsInput = {
  /** The name of the client. */
  client: Scalars['String']['input'];
  /** The versions: 1 to 100. */
  clientVersions: Array<Scalars['String']['input']>;
  /** The message for users, 1 to 500 characters. */
  message?: Scalars['String']['input'];
};

/** The input of `withdrawOperations`. */
export type WithdrawOperationsInput = {
  /** The ids of the operations: 1 to 100. */
  ids: Array<Scalars['ID']['input']>;
  /** The message for users, 1 to 500 characters. */
  message?: Scalars['String']['input'];
};

export type AccountQueryVariables = Exact<{ [key: string]: never; }>;


export type AccountQuery = { __typename: 'Query', viewer?: { __typename: 'Viewer', id: string, deletion?: { __typename: 'AccountDeletion', state: DeletionState, mode: DeletionMode, dueAt: string } | null, export?: { __typename: 'Export', state: ExportState, url?: string | null, expiresAt: string } | null } | null };

export type ExportUserMutationVariables = Exact<{ [key: string]: never; }>;


export type ExportUserMutation = { __typename: 'Mutation', exportUser?: { __typename: 'ExportUserPayload', export?: { __typename: 'Export', state: ExportState, url?: string | null, expiresAt: string } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type DeleteUserMutationVariables = Exact<{
  mode: DeletionMode;
  graceDays?: InputMaybe<Scalars['Int']['input']>;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type DeleteUserMutation = { __typename: 'Mutation', deleteUser?: { __typename: 'DeletionPayload', deletion?: { __typename: 'AccountDeletion', state: DeletionState, mode: DeletionMode, dueAt: string } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type CancelDeletionMutationVariables = Exact<{
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type CancelDeletionMutation = { __typename: 'Mutation', cancelDeletion?: { __typename: 'DeletionPayload', deletion?: { __typename: 'AccountDeletion', state: DeletionState, mode: DeletionMode, dueAt: string } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type SetLanguageMutationVariables = Exact<{
  language?: InputMaybe<Scalars['String']['input']>;
}>;


export type SetLanguageMutation = { __typename: 'Mutation', setLanguage?: { __typename: 'SetLanguagePayload', viewer?: { __typename: 'Viewer', id: string, language?: string | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type LanguageQueryVariables = Exact<{ [key: string]: never; }>;


export type LanguageQuery = { __typename: 'Query', viewer?: { __typename: 'Viewer', id: string, language?: string | null } | null };

export type SavedQueryVariables = Exact<{
  kind?: InputMaybe<SavedKind>;
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type SavedQuery = { __typename: 'Query', viewer?: { __typename: 'Viewer', id: string, saved?: { __typename: 'SavedItemConnection', edges: Array<{ __typename: 'SavedItemEdge', cursor: string, node: { __typename: 'SavedItem', targetId?: string | null, savedAt: string, collection?: { __typename: 'Collection', id: string, name: string } | null, target?:
            | { __typename: 'Comment', createdAt: string, deleted: boolean, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, commentText?: string | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, subject?:
                | { __typename: 'Entity', id: string }
                | { __typename: 'Post', id: string }
               | null }
            | { __typename: 'Entity', business: string, key: string, title?: string | null, url?: string | null, commentCount?: number | null, viewCount?: number | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, owner?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null }
            | { __typename: 'Post', text: string, createdAt: string, editedAt?: string | null, auditStatus: AuditStatus, awaitsModerator: boolean, commentCount?: number | null, viewCount?: number | null, repostCount?: number | null, viewerHasReposted?: boolean | null, announcesEntity: boolean, contentWarning?: string | null, viewerHasHidden?: boolean | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, facets: Array<{ __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null }>, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, topics: Array<{ __typename: 'Topic', id: string, name: string }>, quote?: { __typename: 'Quote', missing?: QuoteMissing | null, post?: { __typename: 'Post', id: string, text: string, contentWarning?: string | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null } | null } | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, entity?: { __typename: 'Entity', id: string, business: string, key: string, title?: string | null } | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }> }
           | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null } | null };

export type CollectionsQueryVariables = Exact<{
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type CollectionsQuery = { __typename: 'Query', viewer?: { __typename: 'Viewer', id: string, collections?: { __typename: 'CollectionConnection', edges: Array<{ __typename: 'CollectionEdge', cursor: string, node: { __typename: 'Collection', id: string, name: string, isPublic: boolean, createdAt: string } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null } | null };

export type CollectionQueryVariables = Exact<{
  id: Scalars['ID']['input'];
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type CollectionQuery = { __typename: 'Query', node?:
    | { __typename: 'Collection', name: string, isPublic: boolean, id: string, owner?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, items?: { __typename: 'SavedItemConnection', edges: Array<{ __typename: 'SavedItemEdge', cursor: string, node: { __typename: 'SavedItem', targetId?: string | null, savedAt: string, collection?: { __typename: 'Collection', id: string } | null, target?:
              | { __typename: 'Comment', createdAt: string, deleted: boolean, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, commentText?: string | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, subject?:
                  | { __typename: 'Entity', id: string }
                  | { __typename: 'Post', id: string }
                 | null }
              | { __typename: 'Entity', business: string, key: string, title?: string | null, url?: string | null, commentCount?: number | null, viewCount?: number | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, owner?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null }
              | { __typename: 'Post', text: string, createdAt: string, editedAt?: string | null, auditStatus: AuditStatus, awaitsModerator: boolean, commentCount?: number | null, viewCount?: number | null, repostCount?: number | null, viewerHasReposted?: boolean | null, announcesEntity: boolean, contentWarning?: string | null, viewerHasHidden?: boolean | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, facets: Array<{ __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null }>, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, topics: Array<{ __typename: 'Topic', id: string, name: string }>, quote?: { __typename: 'Quote', missing?: QuoteMissing | null, post?: { __typename: 'Post', id: string, text: string, contentWarning?: string | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null } | null } | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, entity?: { __typename: 'Entity', id: string, business: string, key: string, title?: string | null } | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }> }
             | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null }
    | { __typename: 'Comment', id: string }
    | { __typename: 'Entity', id: string }
    | { __typename: 'Notification', id: string }
    | { __typename: 'Post', id: string }
    | { __typename: 'Statement', id: string }
    | { __typename: 'Topic', id: string }
    | { __typename: 'User', id: string }
    | { __typename: 'Viewer', id: string }
   | null };

export type SavedEntryFragment = { __typename: 'SavedItem', targetId?: string | null, savedAt: string, collection?: { __typename: 'Collection', id: string } | null, target?:
    | { __typename: 'Comment', createdAt: string, deleted: boolean, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, commentText?: string | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, subject?:
        | { __typename: 'Entity', id: string }
        | { __typename: 'Post', id: string }
       | null }
    | { __typename: 'Entity', business: string, key: string, title?: string | null, url?: string | null, commentCount?: number | null, viewCount?: number | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, owner?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null }
    | { __typename: 'Post', text: string, createdAt: string, editedAt?: string | null, auditStatus: AuditStatus, awaitsModerator: boolean, commentCount?: number | null, viewCount?: number | null, repostCount?: number | null, viewerHasReposted?: boolean | null, announcesEntity: boolean, contentWarning?: string | null, viewerHasHidden?: boolean | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, facets: Array<{ __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null }>, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, topics: Array<{ __typename: 'Topic', id: string, name: string }>, quote?: { __typename: 'Quote', missing?: QuoteMissing | null, post?: { __typename: 'Post', id: string, text: string, contentWarning?: string | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null } | null } | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, entity?: { __typename: 'Entity', id: string, business: string, key: string, title?: string | null } | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }> }
   | null };

export type CreateCollectionMutationVariables = Exact<{
  name: Scalars['String']['input'];
  isPublic?: Scalars['Boolean']['input'];
  idempotencyKey: Scalars['String']['input'];
}>;


export type CreateCollectionMutation = { __typename: 'Mutation', createCollection?: { __typename: 'CollectionPayload', collection?: { __typename: 'Collection', id: string, name: string, isPublic: boolean, createdAt: string } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type DeleteCollectionMutationVariables = Exact<{
  id: Scalars['ID']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type DeleteCollectionMutation = { __typename: 'Mutation', deleteCollection?: { __typename: 'DeleteCollectionPayload', deletedId?: string | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type CommentsQueryVariables = Exact<{
  subjectId: Scalars['ID']['input'];
  sort?: CommentSort;
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type CommentsQuery = { __typename: 'Query', node?:
    | { __typename: 'Collection', id: string }
    | { __typename: 'Comment', id: string }
    | { __typename: 'Entity', commentCount?: number | null, id: string, comments?: { __typename: 'CommentConnection', edges: Array<{ __typename: 'CommentEdge', cursor: string, node: { __typename: 'Comment', text?: string | null, createdAt: string, editedAt?: string | null, deleted: boolean, isPinned?: boolean | null, auditStatus: AuditStatus, awaitsModerator: boolean, floor?: number | null, replyCount?: number | null, contentWarning?: string | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, facets: Array<{ __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null }>, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, repliedTo?: { __typename: 'User', id: string, handle: string, displayName: string } | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null }
    | { __typename: 'Notification', id: string }
    | { __typename: 'Post', commentCount?: number | null, id: string, comments?: { __typename: 'CommentConnection', edges: Array<{ __typename: 'CommentEdge', cursor: string, node: { __typename: 'Comment', text?: string | null, createdAt: string, editedAt?: string | null, deleted: boolean, isPinned?: boolean | null, auditStatus: AuditStatus, awaitsModerator: boolean, floor?: number | null, replyCount?: number | null, contentWarning?: string | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, facets: Array<{ __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null }>, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, repliedTo?: { __typename: 'User', id: string, handle: string, displayName: string } | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null }
    | { __typename: 'Statement', id: string }
    | { __typename: 'Topic', id: string }
    | { __typename: 'User', id: string }
    | { __typename: 'Viewer', id: string }
   | null };

export type RepliesQueryVariables = Exact<{
  commentId: Scalars['ID']['input'];
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type RepliesQuery = { __typename: 'Query', node?:
    | { __typename: 'Collection', id: string }
    | { __typename: 'Comment', replyCount?: number | null, id: string, replies?: { __typename: 'CommentConnection', edges: Array<{ __typename: 'CommentEdge', cursor: string, node: { __typename: 'Comment', text?: string | null, createdAt: string, editedAt?: string | null, deleted: boolean, isPinned?: boolean | null, auditStatus: AuditStatus, awaitsModerator: boolean, floor?: number | null, replyCount?: number | null, contentWarning?: string | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, facets: Array<{ __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null }>, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, repliedTo?: { __typename: 'User', id: string, handle: string, displayName: string } | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null }
    | { __typename: 'Entity', id: string }
    | { __typename: 'Notification', id: string }
    | { __typename: 'Post', id: string }
    | { __typename: 'Statement', id: string }
    | { __typename: 'Topic', id: string }
    | { __typename: 'User', id: string }
    | { __typename: 'Viewer', id: string }
   | null };

export type AddCommentMutationVariables = Exact<{
  subjectId: Scalars['ID']['input'];
  replyToId?: InputMaybe<Scalars['ID']['input']>;
  text: Scalars['String']['input'];
  idempotencyKey: Scalars['String']['input'];
}>;


export type AddCommentMutation = { __typename: 'Mutation', addComment?: { __typename: 'CommentPayload', comment?: { __typename: 'Comment', text?: string | null, createdAt: string, editedAt?: string | null, deleted: boolean, isPinned?: boolean | null, auditStatus: AuditStatus, awaitsModerator: boolean, floor?: number | null, replyCount?: number | null, contentWarning?: string | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, root?: { __typename: 'Comment', id: string, replyCount?: number | null } | null, subject?:
        | { __typename: 'Entity', id: string, commentCount?: number | null, rootCommentCount?: number | null }
        | { __typename: 'Post', id: string, commentCount?: number | null, rootCommentCount?: number | null }
       | null, facets: Array<{ __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null }>, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, repliedTo?: { __typename: 'User', id: string, handle: string, displayName: string } | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type EditCommentMutationVariables = Exact<{
  commentId: Scalars['ID']['input'];
  text: Scalars['String']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type EditCommentMutation = { __typename: 'Mutation', editComment?: { __typename: 'CommentPayload', comment?: { __typename: 'Comment', text?: string | null, createdAt: string, editedAt?: string | null, deleted: boolean, isPinned?: boolean | null, auditStatus: AuditStatus, awaitsModerator: boolean, floor?: number | null, replyCount?: number | null, contentWarning?: string | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, facets: Array<{ __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null }>, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, repliedTo?: { __typename: 'User', id: string, handle: string, displayName: string } | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type DeleteCommentMutationVariables = Exact<{
  id: Scalars['ID']['input'];
}>;


export type DeleteCommentMutation = { __typename: 'Mutation', deleteComment?: { __typename: 'DeleteCommentPayload', comment?: { __typename: 'Comment', text?: string | null, createdAt: string, editedAt?: string | null, deleted: boolean, isPinned?: boolean | null, auditStatus: AuditStatus, awaitsModerator: boolean, floor?: number | null, replyCount?: number | null, contentWarning?: string | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, facets: Array<{ __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null }>, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, repliedTo?: { __typename: 'User', id: string, handle: string, displayName: string } | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type CommentSubjectQueryVariables = Exact<{
  id: Scalars['ID']['input'];
}>;


export type CommentSubjectQuery = { __typename: 'Query', node?:
    | { __typename: 'Collection', id: string }
    | { __typename: 'Comment', id: string }
    | { __typename: 'Entity', commentCount?: number | null, rootCommentCount?: number | null, commentsClosed: boolean, viewerCanComment?: boolean | null, id: string }
    | { __typename: 'Notification', id: string }
    | { __typename: 'Post', commentCount?: number | null, rootCommentCount?: number | null, commentsClosed: boolean, viewerCanComment?: boolean | null, id: string }
    | { __typename: 'Statement', id: string }
    | { __typename: 'Topic', id: string }
    | { __typename: 'User', id: string }
    | { __typename: 'Viewer', id: string }
   | null };

export type EntityQueryVariables = Exact<{
  id: Scalars['ID']['input'];
}>;


export type EntityQuery = { __typename: 'Query', node?:
    | { __typename: 'Collection', id: string }
    | { __typename: 'Comment', id: string }
    | { __typename: 'Entity', rootCommentCount?: number | null, commentsClosed: boolean, viewerCanComment?: boolean | null, id: string, business: string, key: string, title?: string | null, url?: string | null, commentCount?: number | null, viewCount?: number | null, viewerReactions?: Array<string> | null, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, owner?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, reactionKinds: Array<{ __typename: 'ReactionKind', kind: string, isLike: boolean }>, reactionCounts?: Array<{ __typename: 'ReactionCount', kind: string, count: number }> | null }
    | { __typename: 'Notification', id: string }
    | { __typename: 'Post', id: string }
    | { __typename: 'Statement', id: string }
    | { __typename: 'Topic', id: string }
    | { __typename: 'User', id: string }
    | { __typename: 'Viewer', id: string }
   | null };

export type HomeQueryVariables = Exact<{
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type HomeQuery = { __typename: 'Query', viewer?: { __typename: 'Viewer', id: string, home?: { __typename: 'PostConnection', edges: Array<{ __typename: 'PostEdge', cursor: string, reason?: string | null, repostedBy?: { __typename: 'RepostedBy', totalCount: number, nodes: Array<{ __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null }> } | null, homeReason?: { __typename: 'HomeReason', kind: HomeReasonKind, topic?: { __typename: 'Topic', id: string, name: string } | null } | null, node: { __typename: 'Post', text: string, createdAt: string, editedAt?: string | null, auditStatus: AuditStatus, awaitsModerator: boolean, commentCount?: number | null, viewCount?: number | null, repostCount?: number | null, viewerHasReposted?: boolean | null, announcesEntity: boolean, contentWarning?: string | null, viewerHasHidden?: boolean | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, facets: Array<{ __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null }>, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, topics: Array<{ __typename: 'Topic', id: string, name: string }>, quote?: { __typename: 'Quote', missing?: QuoteMissing | null, post?: { __typename: 'Post', id: string, text: string, contentWarning?: string | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null } | null } | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, entity?: { __typename: 'Entity', id: string, business: string, key: string, title?: string | null } | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }> } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null } | null };

export type NewInHomeQueryVariables = Exact<{
  since: Scalars['String']['input'];
}>;


export type NewInHomeQuery = { __typename: 'Query', viewer?: { __typename: 'Viewer', id: string, homeNewCount?: number | null } | null };

export type NewerInHomeQueryVariables = Exact<{
  last?: Scalars['Int']['input'];
  before: Scalars['String']['input'];
}>;


export type NewerInHomeQuery = { __typename: 'Query', viewer?: { __typename: 'Viewer', id: string, home?: { __typename: 'PostConnection', nodes: Array<{ __typename: 'Post', id: string }>, pageInfo: { __typename: 'PageInfo', hasPreviousPage: boolean } } | null } | null };

export type RecommendedQueryVariables = Exact<{
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type RecommendedQuery = { __typename: 'Query', viewer?: { __typename: 'Viewer', id: string, recommended?: { __typename: 'PostConnection', edges: Array<{ __typename: 'PostEdge', cursor: string, reason?: string | null, homeReason?: { __typename: 'HomeReason', kind: HomeReasonKind, topic?: { __typename: 'Topic', id: string, name: string } | null } | null, node: { __typename: 'Post', text: string, createdAt: string, editedAt?: string | null, auditStatus: AuditStatus, awaitsModerator: boolean, commentCount?: number | null, viewCount?: number | null, repostCount?: number | null, viewerHasReposted?: boolean | null, announcesEntity: boolean, contentWarning?: string | null, viewerHasHidden?: boolean | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, facets: Array<{ __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null }>, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, topics: Array<{ __typename: 'Topic', id: string, name: string }>, quote?: { __typename: 'Quote', missing?: QuoteMissing | null, post?: { __typename: 'Post', id: string, text: string, contentWarning?: string | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null } | null } | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, entity?: { __typename: 'Entity', id: string, business: string, key: string, title?: string | null } | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }> } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null } | null };

export type SquareQueryVariables = Exact<{
  sort?: TimelineSort;
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type SquareQuery = { __typename: 'Query', square?: { __typename: 'PostConnection', edges: Array<{ __typename: 'PostEdge', cursor: string, reason?: string | null, homeReason?: { __typename: 'HomeReason', kind: HomeReasonKind, topic?: { __typename: 'Topic', id: string, name: string } | null } | null, node: { __typename: 'Post', text: string, createdAt: string, editedAt?: string | null, auditStatus: AuditStatus, awaitsModerator: boolean, commentCount?: number | null, viewCount?: number | null, repostCount?: number | null, viewerHasReposted?: boolean | null, announcesEntity: boolean, contentWarning?: string | null, viewerHasHidden?: boolean | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, facets: Array<{ __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null }>, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, topics: Array<{ __typename: 'Topic', id: string, name: string }>, quote?: { __typename: 'Quote', missing?: QuoteMissing | null, post?: { __typename: 'Post', id: string, text: string, contentWarning?: string | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null } | null } | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, entity?: { __typename: 'Entity', id: string, business: string, key: string, title?: string | null } | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }> } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null };

export type TopicFeedQueryVariables = Exact<{
  name: Scalars['String']['input'];
  sort?: TimelineSort;
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type TopicFeedQuery = { __typename: 'Query', topic?: { __typename: 'Topic', postCount?: number | null, id: string, name: string, viewerFollows?: boolean | null, followerCount?: number | null, posts?: { __typename: 'PostConnection', edges: Array<{ __typename: 'PostEdge', cursor: string, reason?: string | null, homeReason?: { __typename: 'HomeReason', kind: HomeReasonKind, topic?: { __typename: 'Topic', id: string, name: string } | null } | null, node: { __typename: 'Post', text: string, createdAt: string, editedAt?: string | null, auditStatus: AuditStatus, awaitsModerator: boolean, commentCount?: number | null, viewCount?: number | null, repostCount?: number | null, viewerHasReposted?: boolean | null, announcesEntity: boolean, contentWarning?: string | null, viewerHasHidden?: boolean | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, facets: Array<{ __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null }>, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, topics: Array<{ __typename: 'Topic', id: string, name: string }>, quote?: { __typename: 'Quote', missing?: QuoteMissing | null, post?: { __typename: 'Post', id: string, text: string, contentWarning?: string | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null } | null } | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, entity?: { __typename: 'Entity', id: string, business: string, key: string, title?: string | null } | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }> } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null } | null };

export type UserFeedQueryVariables = Exact<{
  handle: Scalars['String']['input'];
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type UserFeedQuery = { __typename: 'Query', user?: { __typename: 'User', id: string, posts?: { __typename: 'PostConnection', edges: Array<{ __typename: 'PostEdge', cursor: string, reason?: string | null, homeReason?: { __typename: 'HomeReason', kind: HomeReasonKind, topic?: { __typename: 'Topic', id: string, name: string } | null } | null, node: { __typename: 'Post', text: string, createdAt: string, editedAt?: string | null, auditStatus: AuditStatus, awaitsModerator: boolean, commentCount?: number | null, viewCount?: number | null, repostCount?: number | null, viewerHasReposted?: boolean | null, announcesEntity: boolean, contentWarning?: string | null, viewerHasHidden?: boolean | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, facets: Array<{ __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null }>, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, topics: Array<{ __typename: 'Topic', id: string, name: string }>, quote?: { __typename: 'Quote', missing?: QuoteMissing | null, post?: { __typename: 'Post', id: string, text: string, contentWarning?: string | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null } | null } | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, entity?: { __typename: 'Entity', id: string, business: string, key: string, title?: string | null } | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }> } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null } | null };

export type HomePostAddedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type HomePostAddedSubscription = { __typename?: 'Subscription', homePostAdded: { __typename: 'PostEdge', cursor: string, node: { __typename: 'Post', text: string, createdAt: string, editedAt?: string | null, auditStatus: AuditStatus, awaitsModerator: boolean, commentCount?: number | null, viewCount?: number | null, repostCount?: number | null, viewerHasReposted?: boolean | null, announcesEntity: boolean, contentWarning?: string | null, viewerHasHidden?: boolean | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, facets: Array<{ __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null }>, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, topics: Array<{ __typename: 'Topic', id: string, name: string }>, quote?: { __typename: 'Quote', missing?: QuoteMissing | null, post?: { __typename: 'Post', id: string, text: string, contentWarning?: string | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null } | null } | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, entity?: { __typename: 'Entity', id: string, business: string, key: string, title?: string | null } | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }> } } };

export type UserSummaryFragment = { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null };

type ReactionState_Comment_Fragment = { __typename: 'Comment', id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null };

type ReactionState_Entity_Fragment = { __typename: 'Entity', id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null };

type ReactionState_Post_Fragment = { __typename: 'Post', id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null };

export type ReactionStateFragment =
  | ReactionState_Comment_Fragment
  | ReactionState_Entity_Fragment
  | ReactionState_Post_Fragment
;

type Reactions_Comment_Fragment = { __typename: 'Comment', id: string, viewerReactions?: Array<string> | null, reactionKinds: Array<{ __typename: 'ReactionKind', kind: string, isLike: boolean }>, reactionCounts?: Array<{ __typename: 'ReactionCount', kind: string, count: number }> | null };

type Reactions_Entity_Fragment = { __typename: 'Entity', id: string, viewerReactions?: Array<string> | null, reactionKinds: Array<{ __typename: 'ReactionKind', kind: string, isLike: boolean }>, reactionCounts?: Array<{ __typename: 'ReactionCount', kind: string, count: number }> | null };

type Reactions_Post_Fragment = { __typename: 'Post', id: string, viewerReactions?: Array<string> | null, reactionKinds: Array<{ __typename: 'ReactionKind', kind: string, isLike: boolean }>, reactionCounts?: Array<{ __typename: 'ReactionCount', kind: string, count: number }> | null };

export type ReactionsFragment =
  | Reactions_Comment_Fragment
  | Reactions_Entity_Fragment
  | Reactions_Post_Fragment
;

export type TextFacetFragment = { __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null };

export type AttachmentFileFragment = { __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null };

export type PostCardFragment = { __typename: 'Post', text: string, createdAt: string, editedAt?: string | null, auditStatus: AuditStatus, awaitsModerator: boolean, commentCount?: number | null, viewCount?: number | null, repostCount?: number | null, viewerHasReposted?: boolean | null, announcesEntity: boolean, contentWarning?: string | null, viewerHasHidden?: boolean | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, facets: Array<{ __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null }>, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, topics: Array<{ __typename: 'Topic', id: string, name: string }>, quote?: { __typename: 'Quote', missing?: QuoteMissing | null, post?: { __typename: 'Post', id: string, text: string, contentWarning?: string | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null } | null } | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, entity?: { __typename: 'Entity', id: string, business: string, key: string, title?: string | null } | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }> };

export type CommentItemFragment = { __typename: 'Comment', text?: string | null, createdAt: string, editedAt?: string | null, deleted: boolean, isPinned?: boolean | null, auditStatus: AuditStatus, awaitsModerator: boolean, floor?: number | null, replyCount?: number | null, contentWarning?: string | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, facets: Array<{ __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null }>, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, repliedTo?: { __typename: 'User', id: string, handle: string, displayName: string } | null };

export type EntityCardFragment = { __typename: 'Entity', business: string, key: string, title?: string | null, url?: string | null, commentCount?: number | null, viewCount?: number | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, owner?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null };

export type PostPageFragment = { __typename: 'PostConnection', edges: Array<{ __typename: 'PostEdge', cursor: string, reason?: string | null, homeReason?: { __typename: 'HomeReason', kind: HomeReasonKind, topic?: { __typename: 'Topic', id: string, name: string } | null } | null, node: { __typename: 'Post', text: string, createdAt: string, editedAt?: string | null, auditStatus: AuditStatus, awaitsModerator: boolean, commentCount?: number | null, viewCount?: number | null, repostCount?: number | null, viewerHasReposted?: boolean | null, announcesEntity: boolean, contentWarning?: string | null, viewerHasHidden?: boolean | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, facets: Array<{ __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null }>, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, topics: Array<{ __typename: 'Topic', id: string, name: string }>, quote?: { __typename: 'Quote', missing?: QuoteMissing | null, post?: { __typename: 'Post', id: string, text: string, contentWarning?: string | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null } | null } | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, entity?: { __typename: 'Entity', id: string, business: string, key: string, title?: string | null } | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }> } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } };

export type TopicSummaryFragment = { __typename: 'Topic', id: string, name: string, viewerFollows?: boolean | null, followerCount?: number | null };

export type CommentPageFragment = { __typename: 'CommentConnection', edges: Array<{ __typename: 'CommentEdge', cursor: string, node: { __typename: 'Comment', text?: string | null, createdAt: string, editedAt?: string | null, deleted: boolean, isPinned?: boolean | null, auditStatus: AuditStatus, awaitsModerator: boolean, floor?: number | null, replyCount?: number | null, contentWarning?: string | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, facets: Array<{ __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null }>, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, repliedTo?: { __typename: 'User', id: string, handle: string, displayName: string } | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } };

export type RefusalFragment = { __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null };

export type MutedWordItemFragment = { __typename: 'MutedWord', id: string, text: string, targets: Array<MutedWordTarget>, wholeWord: boolean, exceptFollowed: boolean, until?: string | null };

export type LabelChoiceFragment = { __typename: 'LabelPreference', visibility: LabelVisibility, changeable: boolean, label: { __typename: 'Label', name: string, title: string } };

export type MutedWordsQueryVariables = Exact<{ [key: string]: never; }>;


export type MutedWordsQuery = { __typename: 'Query', viewer?: { __typename: 'Viewer', id: string, mutedWords?: Array<{ __typename: 'MutedWord', id: string, text: string, targets: Array<MutedWordTarget>, wholeWord: boolean, exceptFollowed: boolean, until?: string | null }> | null } | null };

export type MuteWordsMutationVariables = Exact<{
  words: Array<MutedWordInput> | MutedWordInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type MuteWordsMutation = { __typename: 'Mutation', muteWords?: { __typename: 'MuteWordsPayload', viewer?: { __typename: 'Viewer', id: string, mutedWords?: Array<{ __typename: 'MutedWord', id: string, text: string, targets: Array<MutedWordTarget>, wholeWord: boolean, exceptFollowed: boolean, until?: string | null }> | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type UnmuteWordsMutationVariables = Exact<{
  ids?: Array<Scalars['ID']['input']> | Scalars['ID']['input'];
  texts?: Array<Scalars['String']['input']> | Scalars['String']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type UnmuteWordsMutation = { __typename: 'Mutation', unmuteWords?: { __typename: 'MuteWordsPayload', viewer?: { __typename: 'Viewer', id: string, mutedWords?: Array<{ __typename: 'MutedWord', id: string, text: string, targets: Array<MutedWordTarget>, wholeWord: boolean, exceptFollowed: boolean, until?: string | null }> | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type HidePostMutationVariables = Exact<{
  postId: Scalars['ID']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type HidePostMutation = { __typename: 'Mutation', hidePost?: { __typename: 'HidePostPayload', post?: { __typename: 'Post', id: string, viewerHasHidden?: boolean | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type UnhidePostMutationVariables = Exact<{
  postId: Scalars['ID']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type UnhidePostMutation = { __typename: 'Mutation', unhidePost?: { __typename: 'HidePostPayload', post?: { __typename: 'Post', id: string, viewerHasHidden?: boolean | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type ShowLessMutationVariables = Exact<{
  postId: Scalars['ID']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type ShowLessMutation = { __typename: 'Mutation', showLess?: { __typename: 'HidePostPayload', post?: { __typename: 'Post', id: string, viewerHasHidden?: boolean | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type LabelPreferencesQueryVariables = Exact<{ [key: string]: never; }>;


export type LabelPreferencesQuery = { __typename: 'Query', viewer?: { __typename: 'Viewer', id: string, ageBand?: string | null, labelPreferences?: Array<{ __typename: 'LabelPreference', visibility: LabelVisibility, changeable: boolean, label: { __typename: 'Label', name: string, title: string } }> | null } | null };

export type SetLabelPreferencesMutationVariables = Exact<{
  preferences: Array<LabelPreferenceInput> | LabelPreferenceInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type SetLabelPreferencesMutation = { __typename: 'Mutation', setLabelPreferences?: { __typename: 'SetLabelPreferencesPayload', viewer?: { __typename: 'Viewer', id: string, labelPreferences?: Array<{ __typename: 'LabelPreference', visibility: LabelVisibility, changeable: boolean, label: { __typename: 'Label', name: string, title: string } }> | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type ModeratedUserFragment = { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null };

type ModeratedContent_Collection_Fragment = { __typename: 'Collection', name: string, isPublic: boolean, id: string, owner?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null };

type ModeratedContent_Comment_Fragment = { __typename: 'Comment', createdAt: string, editedAt?: string | null, deleted: boolean, auditStatus: AuditStatus, id: string, commentText?: string | null, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, source: LabelSource }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null, subject?:
    | { __typename: 'Entity', business: string, key: string, title?: string | null, id: string }
    | { __typename: 'Post', auditStatus: AuditStatus, id: string, postText: string, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null }
   | null, root?: { __typename: 'Comment', id: string, deleted: boolean, auditStatus: AuditStatus, commentText?: string | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null } | null, parent?: { __typename: 'Comment', id: string, deleted: boolean, auditStatus: AuditStatus, commentText?: string | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null } | null };

type ModeratedContent_Entity_Fragment = { __typename: 'Entity', business: string, key: string, title?: string | null, id: string, owner?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null };

type ModeratedContent_Notification_Fragment = { __typename: 'Notification', id: string };

type ModeratedContent_Post_Fragment = { __typename: 'Post', createdAt: string, editedAt?: string | null, auditStatus: AuditStatus, id: string, postText: string, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, source: LabelSource }>, topics: Array<{ __typename: 'Topic', id: string, name: string }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null };

type ModeratedContent_Statement_Fragment = { __typename: 'Statement', id: string };

type ModeratedContent_Topic_Fragment = { __typename: 'Topic', id: string };

type ModeratedContent_User_Fragment = { __typename: 'User', bio: string, id: string, handle: string, displayName: string, avatarUrl?: string | null };

type ModeratedContent_Viewer_Fragment = { __typename: 'Viewer', id: string };

export type ModeratedContentFragment =
  | ModeratedContent_Collection_Fragment
  | ModeratedContent_Comment_Fragment
  | ModeratedContent_Entity_Fragment
  | ModeratedContent_Notification_Fragment
  | ModeratedContent_Post_Fragment
  | ModeratedContent_Statement_Fragment
  | ModeratedContent_Topic_Fragment
  | ModeratedContent_User_Fragment
  | ModeratedContent_Viewer_Fragment
;

export type CaseItemFragment = { __typename: 'ModerationEdge', cursor: string, reason?: string | null, node:
    | { __typename: 'Collection', name: string, isPublic: boolean, id: string, owner?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null }
    | { __typename: 'Comment', createdAt: string, editedAt?: string | null, deleted: boolean, auditStatus: AuditStatus, id: string, commentText?: string | null, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, source: LabelSource }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null, subject?:
        | { __typename: 'Entity', business: string, key: string, title?: string | null, id: string }
        | { __typename: 'Post', auditStatus: AuditStatus, id: string, postText: string, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null }
       | null, root?: { __typename: 'Comment', id: string, deleted: boolean, auditStatus: AuditStatus, commentText?: string | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null } | null, parent?: { __typename: 'Comment', id: string, deleted: boolean, auditStatus: AuditStatus, commentText?: string | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null } | null }
    | { __typename: 'Entity', business: string, key: string, title?: string | null, id: string, owner?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null }
    | { __typename: 'Notification', id: string }
    | { __typename: 'Post', createdAt: string, editedAt?: string | null, auditStatus: AuditStatus, id: string, postText: string, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, source: LabelSource }>, topics: Array<{ __typename: 'Topic', id: string, name: string }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null }
    | { __typename: 'Statement', id: string }
    | { __typename: 'Topic', id: string }
    | { __typename: 'User', bio: string, id: string, handle: string, displayName: string, avatarUrl?: string | null }
    | { __typename: 'Viewer', id: string }
  , case: { __typename: 'ModerationCase', status: CaseStatus, sources: Array<ModerationSource>, openedAt?: string | null, resolvedAt?: string | null, isBlurred: boolean, isHeld?: boolean | null, appealDeadline?: string | null, reportCount: number, appealedStatements?: Array<{ __typename: 'Statement', id: string, restriction: Restriction, facts?: string | null, since: string, ground?: { __typename: 'Ground', name: string, title: string } | null, appeal?: { __typename: 'Appeal', text: string, createdAt: string } | null }> | null, reportReasons?: Array<{ __typename: 'ReportReasonCount', reason: ReportReason, count: number }> | null, newestReports?: Array<{ __typename: 'Report', reason: ReportReason, note?: string | null, createdAt: string, reporter?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null }> | null, notices?: Array<{ __typename: 'Notice', number: string, law: string, explanation: string, name?: string | null, email?: string | null, isTrusted: boolean, receivedAt: string }> | null, appeal?: { __typename: 'Appeal', text: string, createdAt: string } | null, assignee?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null, authorRecord?: { __typename: 'ModerationRecord', accountCreatedAt: string, reportsReceivedCount: number, acceptedReportsReceivedCount: number, reportsMadeCount: number, acceptedReportsMadeCount: number, rejectedCount: number, warnedCount: number, suspendedCount: number } | null } };

export type ModeratorQueryVariables = Exact<{ [key: string]: never; }>;


export type ModeratorQuery = { __typename: 'Query', viewer?: { __typename: 'Viewer', id: string, moderationRole?: ModeratorRole | null, user?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null } | null };

export type ModerationQueueQueryVariables = Exact<{
  status?: CaseStatus;
  kind?: InputMaybe<CaseKind>;
  source?: InputMaybe<ModerationSource>;
  assignment?: InputMaybe<CaseAssignment>;
  sort?: CaseOrder;
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type ModerationQueueQuery = { __typename: 'Query', moderationQueue?: { __typename: 'ModerationConnection', edges: Array<{ __typename: 'ModerationEdge', cursor: string, reason?: string | null, node:
        | { __typename: 'Collection', name: string, isPublic: boolean, id: string, owner?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null }
        | { __typename: 'Comment', createdAt: string, editedAt?: string | null, deleted: boolean, auditStatus: AuditStatus, id: string, commentText?: string | null, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, source: LabelSource }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null, subject?:
            | { __typename: 'Entity', business: string, key: string, title?: string | null, id: string }
            | { __typename: 'Post', auditStatus: AuditStatus, id: string, postText: string, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null }
           | null, root?: { __typename: 'Comment', id: string, deleted: boolean, auditStatus: AuditStatus, commentText?: string | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null } | null, parent?: { __typename: 'Comment', id: string, deleted: boolean, auditStatus: AuditStatus, commentText?: string | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null } | null }
        | { __typename: 'Entity', business: string, key: string, title?: string | null, id: string, owner?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null }
        | { __typename: 'Notification', id: string }
        | { __typename: 'Post', createdAt: string, editedAt?: string | null, auditStatus: AuditStatus, id: string, postText: string, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, source: LabelSource }>, topics: Array<{ __typename: 'Topic', id: string, name: string }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null }
        | { __typename: 'Statement', id: string }
        | { __typename: 'Topic', id: string }
        | { __typename: 'User', bio: string, id: string, handle: string, displayName: string, avatarUrl?: string | null }
        | { __typename: 'Viewer', id: string }
      , case: { __typename: 'ModerationCase', status: CaseStatus, sources: Array<ModerationSource>, openedAt?: string | null, resolvedAt?: string | null, isBlurred: boolean, isHeld?: boolean | null, appealDeadline?: string | null, reportCount: number, appealedStatements?: Array<{ __typename: 'Statement', id: string, restriction: Restriction, facts?: string | null, since: string, ground?: { __typename: 'Ground', name: string, title: string } | null, appeal?: { __typename: 'Appeal', text: string, createdAt: string } | null }> | null, reportReasons?: Array<{ __typename: 'ReportReasonCount', reason: ReportReason, count: number }> | null, newestReports?: Array<{ __typename: 'Report', reason: ReportReason, note?: string | null, createdAt: string, reporter?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null }> | null, notices?: Array<{ __typename: 'Notice', number: string, law: string, explanation: string, name?: string | null, email?: string | null, isTrusted: boolean, receivedAt: string }> | null, appeal?: { __typename: 'Appeal', text: string, createdAt: string } | null, assignee?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null, authorRecord?: { __typename: 'ModerationRecord', accountCreatedAt: string, reportsReceivedCount: number, acceptedReportsReceivedCount: number, reportsMadeCount: number, acceptedReportsMadeCount: number, rejectedCount: number, warnedCount: number, suspendedCount: number } | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null };

export type ModerationQueueChangesQueryVariables = Exact<{
  status?: CaseStatus;
  kind?: InputMaybe<CaseKind>;
  source?: InputMaybe<ModerationSource>;
  assignment?: InputMaybe<CaseAssignment>;
  sort?: CaseOrder;
  first?: Scalars['Int']['input'];
}>;


export type ModerationQueueChangesQuery = { __typename: 'Query', moderationQueue?: { __typename: 'ModerationConnection', edges: Array<{ __typename: 'ModerationEdge', node:
        | { __typename: 'Collection', id: string }
        | { __typename: 'Comment', id: string }
        | { __typename: 'Entity', id: string }
        | { __typename: 'Notification', id: string }
        | { __typename: 'Post', id: string }
        | { __typename: 'Statement', id: string }
        | { __typename: 'Topic', id: string }
        | { __typename: 'User', id: string }
        | { __typename: 'Viewer', id: string }
      , case: { __typename: 'ModerationCase', openedAt?: string | null, reportCount: number, assignee?: { __typename: 'User', id: string } | null } }> } | null };

export type DecisionsQueryVariables = Exact<{
  targetId: Scalars['ID']['input'];
  first?: Scalars['Int']['input'];
}>;


export type DecisionsQuery = { __typename: 'Query', moderationLog?: { __typename: 'ModerationLogConnection', edges: Array<{ __typename: 'ModerationLogEdge', cursor: string, node: { __typename: 'ModerationLogEntry', createdAt: string, action: ModerationAction, role: ModerationRole, reason?: string | null, before?: string | null, after?: string | null, actor?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null };

export type ModerationLogQueryVariables = Exact<{
  targetId?: InputMaybe<Scalars['ID']['input']>;
  userId?: InputMaybe<Scalars['ID']['input']>;
  actorId?: InputMaybe<Scalars['ID']['input']>;
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type ModerationLogQuery = { __typename: 'Query', moderationLog?: { __typename: 'ModerationLogConnection', edges: Array<{ __typename: 'ModerationLogEdge', cursor: string, node: { __typename: 'ModerationLogEntry', createdAt: string, action: ModerationAction, role: ModerationRole, reason?: string | null, before?: string | null, after?: string | null, actor?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null, user?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null, target?:
          | { __typename: 'Collection', name: string, isPublic: boolean, id: string, owner?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null }
          | { __typename: 'Comment', createdAt: string, editedAt?: string | null, deleted: boolean, auditStatus: AuditStatus, id: string, commentText?: string | null, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, source: LabelSource }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null, subject?:
              | { __typename: 'Entity', business: string, key: string, title?: string | null, id: string }
              | { __typename: 'Post', auditStatus: AuditStatus, id: string, postText: string, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null }
             | null, root?: { __typename: 'Comment', id: string, deleted: boolean, auditStatus: AuditStatus, commentText?: string | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null } | null, parent?: { __typename: 'Comment', id: string, deleted: boolean, auditStatus: AuditStatus, commentText?: string | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null } | null }
          | { __typename: 'Entity', business: string, key: string, title?: string | null, id: string, owner?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null }
          | { __typename: 'Notification', id: string }
          | { __typename: 'Post', createdAt: string, editedAt?: string | null, auditStatus: AuditStatus, id: string, postText: string, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, source: LabelSource }>, topics: Array<{ __typename: 'Topic', id: string, name: string }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null }
          | { __typename: 'Statement', id: string }
          | { __typename: 'Topic', id: string }
          | { __typename: 'User', bio: string, id: string, handle: string, displayName: string, avatarUrl?: string | null }
          | { __typename: 'Viewer', id: string }
         | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null };

export type ModeratedNodeQueryVariables = Exact<{
  id: Scalars['ID']['input'];
}>;


export type ModeratedNodeQuery = { __typename: 'Query', node?:
    | { __typename: 'Collection', name: string, isPublic: boolean, id: string, owner?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null }
    | { __typename: 'Comment', createdAt: string, editedAt?: string | null, deleted: boolean, auditStatus: AuditStatus, id: string, commentText?: string | null, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, source: LabelSource }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null, subject?:
        | { __typename: 'Entity', business: string, key: string, title?: string | null, id: string }
        | { __typename: 'Post', auditStatus: AuditStatus, id: string, postText: string, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null }
       | null, root?: { __typename: 'Comment', id: string, deleted: boolean, auditStatus: AuditStatus, commentText?: string | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null } | null, parent?: { __typename: 'Comment', id: string, deleted: boolean, auditStatus: AuditStatus, commentText?: string | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null } | null }
    | { __typename: 'Entity', business: string, key: string, title?: string | null, id: string, owner?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null }
    | { __typename: 'Notification', id: string }
    | { __typename: 'Post', createdAt: string, editedAt?: string | null, auditStatus: AuditStatus, id: string, postText: string, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, source: LabelSource }>, topics: Array<{ __typename: 'Topic', id: string, name: string }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null }
    | { __typename: 'Statement', id: string }
    | { __typename: 'Topic', id: string }
    | { __typename: 'User', bio: string, id: string, handle: string, displayName: string, avatarUrl?: string | null }
    | { __typename: 'Viewer', id: string }
   | null };

export type SuspensionQueryVariables = Exact<{
  userId: Scalars['ID']['input'];
}>;


export type SuspensionQuery = { __typename: 'Query', node?:
    | { __typename: 'Collection', id: string }
    | { __typename: 'Comment', id: string }
    | { __typename: 'Entity', id: string }
    | { __typename: 'Notification', id: string }
    | { __typename: 'Post', id: string }
    | { __typename: 'Statement', id: string }
    | { __typename: 'Topic', id: string }
    | { __typename: 'User', id: string, suspension?: { __typename: 'Suspension', mode: SuspensionMode, until?: string | null, reason: string } | null }
    | { __typename: 'Viewer', id: string }
   | null };

export type ModeratedProfileQueryVariables = Exact<{
  id: Scalars['ID']['input'];
}>;


export type ModeratedProfileQuery = { __typename: 'Query', node?:
    | { __typename: 'Collection', id: string }
    | { __typename: 'Comment', id: string }
    | { __typename: 'Entity', id: string }
    | { __typename: 'Notification', id: string }
    | { __typename: 'Post', id: string }
    | { __typename: 'Statement', id: string }
    | { __typename: 'Topic', id: string }
    | { __typename: 'User', bio: string, createdAt: string, id: string, handle: string, displayName: string, avatarUrl?: string | null, suspension?: { __typename: 'Suspension', mode: SuspensionMode, until?: string | null, reason: string } | null, posts?: { __typename: 'PostConnection', edges: Array<{ __typename: 'PostEdge', cursor: string, node: { __typename: 'Post', createdAt: string, editedAt?: string | null, auditStatus: AuditStatus, id: string, postText: string, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, source: LabelSource }>, topics: Array<{ __typename: 'Topic', id: string, name: string }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null, collections?: { __typename: 'CollectionConnection', edges: Array<{ __typename: 'CollectionEdge', cursor: string, node: { __typename: 'Collection', id: string, name: string } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null }
    | { __typename: 'Viewer', id: string }
   | null };

export type UserIdQueryVariables = Exact<{
  handle: Scalars['String']['input'];
}>;


export type UserIdQuery = { __typename: 'Query', user?: { __typename: 'User', id: string } | null };

export type ModerateMutationVariables = Exact<{
  targetId: Scalars['ID']['input'];
  decision: ModerationDecision;
  reason: Scalars['String']['input'];
  ground?: InputMaybe<Scalars['String']['input']>;
}>;


export type ModerateMutation = { __typename: 'Mutation', moderate?: { __typename: 'ModeratePayload', target?:
      | { __typename: 'Collection', id: string }
      | { __typename: 'Comment', auditStatus: AuditStatus, id: string }
      | { __typename: 'Entity', id: string }
      | { __typename: 'Notification', id: string }
      | { __typename: 'Post', auditStatus: AuditStatus, id: string }
      | { __typename: 'Statement', id: string }
      | { __typename: 'Topic', id: string }
      | { __typename: 'User', id: string }
      | { __typename: 'Viewer', id: string }
     | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type ResolveReportsMutationVariables = Exact<{
  targetId: Scalars['ID']['input'];
  resolution: ReportResolution;
  reason: Scalars['String']['input'];
  ground?: InputMaybe<Scalars['String']['input']>;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type ResolveReportsMutation = { __typename: 'Mutation', resolveReports?: { __typename: 'ResolveReportsPayload', target?:
      | { __typename: 'Collection', id: string }
      | { __typename: 'Comment', id: string }
      | { __typename: 'Entity', id: string }
      | { __typename: 'Notification', id: string }
      | { __typename: 'Post', id: string }
      | { __typename: 'Statement', id: string }
      | { __typename: 'Topic', id: string }
      | { __typename: 'User', id: string }
      | { __typename: 'Viewer', id: string }
     | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type GroundsQueryVariables = Exact<{ [key: string]: never; }>;


export type GroundsQuery = { __typename: 'Query', grounds: Array<{ __typename: 'Ground', name: string, title: string, reasons: Array<string> }> };

export type EditHistoryQueryVariables = Exact<{
  id: Scalars['ID']['input'];
}>;


export type EditHistoryQuery = { __typename: 'Query', node?:
    | { __typename: 'Collection', id: string }
    | { __typename: 'Comment', id: string, editHistory?: { __typename: 'EditConnection', edges: Array<{ __typename: 'EditEdge', cursor: string, node: { __typename: 'Edit', text: string, createdAt: string, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }> } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null }
    | { __typename: 'Entity', id: string }
    | { __typename: 'Notification', id: string }
    | { __typename: 'Post', id: string, editHistory?: { __typename: 'EditConnection', edges: Array<{ __typename: 'EditEdge', cursor: string, node: { __typename: 'Edit', text: string, createdAt: string, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }> } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null }
    | { __typename: 'Statement', id: string }
    | { __typename: 'Topic', id: string }
    | { __typename: 'User', id: string }
    | { __typename: 'Viewer', id: string }
   | null };

export type TransparencyQueryVariables = Exact<{
  from: Scalars['DateTime']['input'];
  to: Scalars['DateTime']['input'];
}>;


export type TransparencyQuery = { __typename: 'Query', transparency?: { __typename: 'Transparency', csv: string, counts: Array<{ __typename: 'TransparencyCount', part: string, indicator: string, category: string, value?: number | null, unit: TransparencyUnit }> } | null };

export type SavedQueuesFragment = { __typename: 'Viewer', id: string, savedQueues?: Array<{ __typename: 'SavedQueue', name: string, status: CaseStatus, kind?: CaseKind | null, source?: ModerationSource | null, assignment?: CaseAssignment | null, sort: CaseOrder }> | null };

export type SavedQueuesQueryVariables = Exact<{ [key: string]: never; }>;


export type SavedQueuesQuery = { __typename: 'Query', viewer?: { __typename: 'Viewer', id: string, savedQueues?: Array<{ __typename: 'SavedQueue', name: string, status: CaseStatus, kind?: CaseKind | null, source?: ModerationSource | null, assignment?: CaseAssignment | null, sort: CaseOrder }> | null } | null };

export type SaveQueueMutationVariables = Exact<{
  input: SaveQueueInput;
}>;


export type SaveQueueMutation = { __typename: 'Mutation', saveQueue?: { __typename: 'SavedQueuesPayload', viewer?: { __typename: 'Viewer', id: string, savedQueues?: Array<{ __typename: 'SavedQueue', name: string, status: CaseStatus, kind?: CaseKind | null, source?: ModerationSource | null, assignment?: CaseAssignment | null, sort: CaseOrder }> | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type DeleteSavedQueueMutationVariables = Exact<{
  name: Scalars['String']['input'];
}>;


export type DeleteSavedQueueMutation = { __typename: 'Mutation', deleteSavedQueue?: { __typename: 'SavedQueuesPayload', viewer?: { __typename: 'Viewer', id: string, savedQueues?: Array<{ __typename: 'SavedQueue', name: string, status: CaseStatus, kind?: CaseKind | null, source?: ModerationSource | null, assignment?: CaseAssignment | null, sort: CaseOrder }> | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type DecideAppealMutationVariables = Exact<{
  statementId: Scalars['ID']['input'];
  decision: AppealDecision;
  reason: Scalars['String']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type DecideAppealMutation = { __typename: 'Mutation', decideAppeal?: { __typename: 'DecideAppealPayload', statement?: { __typename: 'Statement', id: string } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type SetLabelsMutationVariables = Exact<{
  targetId: Scalars['ID']['input'];
  labels: Array<Scalars['String']['input']> | Scalars['String']['input'];
  reason: Scalars['String']['input'];
  ground?: InputMaybe<Scalars['String']['input']>;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type SetLabelsMutation = { __typename: 'Mutation', setLabels?: { __typename: 'SetLabelsPayload', target?:
      | { __typename: 'Collection', name: string, isPublic: boolean, id: string, owner?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null }
      | { __typename: 'Comment', createdAt: string, editedAt?: string | null, deleted: boolean, auditStatus: AuditStatus, id: string, commentText?: string | null, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, source: LabelSource }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null, subject?:
          | { __typename: 'Entity', business: string, key: string, title?: string | null, id: string }
          | { __typename: 'Post', auditStatus: AuditStatus, id: string, postText: string, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null }
         | null, root?: { __typename: 'Comment', id: string, deleted: boolean, auditStatus: AuditStatus, commentText?: string | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null } | null, parent?: { __typename: 'Comment', id: string, deleted: boolean, auditStatus: AuditStatus, commentText?: string | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null } | null }
      | { __typename: 'Entity', business: string, key: string, title?: string | null, id: string, owner?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null }
      | { __typename: 'Notification', id: string }
      | { __typename: 'Post', createdAt: string, editedAt?: string | null, auditStatus: AuditStatus, id: string, postText: string, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, source: LabelSource }>, topics: Array<{ __typename: 'Topic', id: string, name: string }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null }
      | { __typename: 'Statement', id: string }
      | { __typename: 'Topic', id: string }
      | { __typename: 'User', bio: string, id: string, handle: string, displayName: string, avatarUrl?: string | null }
      | { __typename: 'Viewer', id: string }
     | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type WarnUserMutationVariables = Exact<{
  userId: Scalars['ID']['input'];
  reason: Scalars['String']['input'];
  ground?: InputMaybe<Scalars['String']['input']>;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type WarnUserMutation = { __typename: 'Mutation', warnUser?: { __typename: 'WarnUserPayload', user?: { __typename: 'User', id: string } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type SuspendUserMutationVariables = Exact<{
  userId: Scalars['ID']['input'];
  mode: SuspensionMode;
  until?: InputMaybe<Scalars['DateTime']['input']>;
  reason: Scalars['String']['input'];
  ground?: InputMaybe<Scalars['String']['input']>;
}>;


export type SuspendUserMutation = { __typename: 'Mutation', suspendUser?: { __typename: 'SuspensionPayload', user?: { __typename: 'User', id: string, suspension?: { __typename: 'Suspension', mode: SuspensionMode, until?: string | null, reason: string } | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type ReinstateUserMutationVariables = Exact<{
  userId: Scalars['ID']['input'];
}>;


export type ReinstateUserMutation = { __typename: 'Mutation', reinstateUser?: { __typename: 'SuspensionPayload', user?: { __typename: 'User', id: string, suspension?: { __typename: 'Suspension', mode: SuspensionMode, until?: string | null, reason: string } | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type AssignCaseMutationVariables = Exact<{
  targetId: Scalars['ID']['input'];
}>;


export type AssignCaseMutation = { __typename: 'Mutation', assign?: { __typename: 'AssignmentPayload', case?: { __typename: 'ModerationCase', assignee?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type ReleaseCaseMutationVariables = Exact<{
  targetId: Scalars['ID']['input'];
}>;


export type ReleaseCaseMutation = { __typename: 'Mutation', release?: { __typename: 'AssignmentPayload', case?: { __typename: 'ModerationCase', assignee?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null } | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type NotificationItemFragment = { __typename: 'Notification', id: string, kind: NotificationKind, message: string, createdAt: string, updatedAt: string, read: boolean, isSeen: boolean, actorCount: number, subject?:
    | { __typename: 'Collection', id: string }
    | { __typename: 'Comment', id: string, commentText?: string | null, subject?:
        | { __typename: 'Entity', id: string }
        | { __typename: 'Post', id: string }
       | null }
    | { __typename: 'Entity', title?: string | null, id: string }
    | { __typename: 'Notification', id: string }
    | { __typename: 'Post', text: string, id: string }
    | { __typename: 'Statement', id: string }
    | { __typename: 'Topic', id: string }
    | { __typename: 'User', id: string }
    | { __typename: 'Viewer', id: string }
   | null, comment?: { __typename: 'Comment', id: string, commentText?: string | null } | null, actors?: Array<{ __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null }> | null };

export type NotificationsQueryVariables = Exact<{
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type NotificationsQuery = { __typename: 'Query', viewer?: { __typename: 'Viewer', id: string, unreadNotificationCount?: number | null, unseenNotificationCount?: number | null, notifications?: { __typename: 'NotificationConnection', edges: Array<{ __typename: 'NotificationEdge', cursor: string, node: { __typename: 'Notification', id: string, kind: NotificationKind, message: string, createdAt: string, updatedAt: string, read: boolean, isSeen: boolean, actorCount: number, subject?:
            | { __typename: 'Collection', id: string }
            | { __typename: 'Comment', id: string, commentText?: string | null, subject?:
                | { __typename: 'Entity', id: string }
                | { __typename: 'Post', id: string }
               | null }
            | { __typename: 'Entity', title?: string | null, id: string }
            | { __typename: 'Notification', id: string }
            | { __typename: 'Post', text: string, id: string }
            | { __typename: 'Statement', id: string }
            | { __typename: 'Topic', id: string }
            | { __typename: 'User', id: string }
            | { __typename: 'Viewer', id: string }
           | null, comment?: { __typename: 'Comment', id: string, commentText?: string | null } | null, actors?: Array<{ __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null }> | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null } | null };

export type MarkNotificationsReadMutationVariables = Exact<{
  upTo: Scalars['String']['input'];
}>;


export type MarkNotificationsReadMutation = { __typename: 'Mutation', markNotificationsRead?: { __typename: 'MarkNotificationsReadPayload', viewer?: { __typename: 'Viewer', id: string, unreadNotificationCount?: number | null, unseenNotificationCount?: number | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type MarkNotificationReadMutationVariables = Exact<{
  notificationId: Scalars['ID']['input'];
}>;


export type MarkNotificationReadMutation = { __typename: 'Mutation', markNotificationRead?: { __typename: 'MarkNotificationReadPayload', notification?: { __typename: 'Notification', id: string, read: boolean, isSeen: boolean } | null, viewer?: { __typename: 'Viewer', id: string, unreadNotificationCount?: number | null, unseenNotificationCount?: number | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type MarkNotificationsSeenMutationVariables = Exact<{
  upTo: Scalars['String']['input'];
}>;


export type MarkNotificationsSeenMutation = { __typename: 'Mutation', markNotificationsSeen?: { __typename: 'MarkNotificationsSeenPayload', viewer?: { __typename: 'Viewer', id: string, unseenNotificationCount?: number | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type NotificationPreferencesQueryVariables = Exact<{ [key: string]: never; }>;


export type NotificationPreferencesQuery = { __typename: 'Query', viewer?: { __typename: 'Viewer', id: string, notificationPreferences?: Array<{ __typename: 'NotificationPreference', kind: NotificationKind, enabled: boolean, onlyFollowed: boolean }> | null } | null };

export type SetNotificationPreferencesMutationVariables = Exact<{
  preferences: Array<NotificationPreferenceInput> | NotificationPreferenceInput;
}>;


export type SetNotificationPreferencesMutation = { __typename: 'Mutation', setNotificationPreferences?: { __typename: 'SetNotificationPreferencesPayload', viewer?: { __typename: 'Viewer', id: string, notificationPreferences?: Array<{ __typename: 'NotificationPreference', kind: NotificationKind, enabled: boolean, onlyFollowed: boolean }> | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type NotificationReceivedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type NotificationReceivedSubscription = { __typename?: 'Subscription', notificationReceived: { __typename: 'NotificationEvent', edge: { __typename: 'NotificationEdge', cursor: string, node: { __typename: 'Notification', id: string, kind: NotificationKind, message: string, createdAt: string, updatedAt: string, read: boolean, isSeen: boolean, actorCount: number, subject?:
          | { __typename: 'Collection', id: string }
          | { __typename: 'Comment', id: string, commentText?: string | null, subject?:
              | { __typename: 'Entity', id: string }
              | { __typename: 'Post', id: string }
             | null }
          | { __typename: 'Entity', title?: string | null, id: string }
          | { __typename: 'Notification', id: string }
          | { __typename: 'Post', text: string, id: string }
          | { __typename: 'Statement', id: string }
          | { __typename: 'Topic', id: string }
          | { __typename: 'User', id: string }
          | { __typename: 'Viewer', id: string }
         | null, comment?: { __typename: 'Comment', id: string, commentText?: string | null } | null, actors?: Array<{ __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null }> | null } }, viewer: { __typename: 'Viewer', id: string, unreadNotificationCount?: number | null, unseenNotificationCount?: number | null } } };

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { __typename: 'Query', viewer?: { __typename: 'Viewer', id: string, language?: string | null, unreadNotificationCount?: number | null, user?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null } | null, uploadRules?: { __typename: 'UploadRules', maxBytes: number, mimeTypes: Array<string> } | null };

export type PersonQueryVariables = Exact<{
  handle: Scalars['String']['input'];
}>;


export type PersonQuery = { __typename: 'Query', user?: { __typename: 'User', bio: string, id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null };

export type ProfileQueryVariables = Exact<{
  handle: Scalars['String']['input'];
}>;


export type ProfileQuery = { __typename: 'Query', user?: { __typename: 'User', bio: string, createdAt: string, followerCount?: number | null, followingCount?: number | null, postCount?: number | null, likesReceivedCount?: number | null, viewerBlocks?: boolean | null, viewerMutes?: boolean | null, viewerGetsPostNotifications?: boolean | null, id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null, suspension?: { __typename: 'Suspension', mode: SuspensionMode, until?: string | null } | null, pinnedPosts?: Array<{ __typename: 'Post', text: string, createdAt: string, editedAt?: string | null, auditStatus: AuditStatus, awaitsModerator: boolean, commentCount?: number | null, viewCount?: number | null, repostCount?: number | null, viewerHasReposted?: boolean | null, announcesEntity: boolean, contentWarning?: string | null, viewerHasHidden?: boolean | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, facets: Array<{ __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null }>, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, topics: Array<{ __typename: 'Topic', id: string, name: string }>, quote?: { __typename: 'Quote', missing?: QuoteMissing | null, post?: { __typename: 'Post', id: string, text: string, contentWarning?: string | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null } | null } | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, entity?: { __typename: 'Entity', id: string, business: string, key: string, title?: string | null } | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }> }> | null } | null };

export type FollowersQueryVariables = Exact<{
  handle: Scalars['String']['input'];
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type FollowersQuery = { __typename: 'Query', user?: { __typename: 'User', id: string, followers?: { __typename: 'UserConnection', edges: Array<{ __typename: 'UserEdge', cursor: string, node: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null } | null };

export type FollowingQueryVariables = Exact<{
  handle: Scalars['String']['input'];
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type FollowingQuery = { __typename: 'Query', user?: { __typename: 'User', id: string, following?: { __typename: 'UserConnection', edges: Array<{ __typename: 'UserEdge', cursor: string, node: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null } | null };

export type UserLikesQueryVariables = Exact<{
  handle: Scalars['String']['input'];
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type UserLikesQuery = { __typename: 'Query', user?: { __typename: 'User', id: string, likes?: { __typename: 'ReactableConnection', edges: Array<{ __typename: 'ReactableEdge', cursor: string, node:
          | { __typename: 'Comment', id: string }
          | { __typename: 'Entity', id: string }
          | { __typename: 'Post', id: string, text: string, createdAt: string, editedAt?: string | null, auditStatus: AuditStatus, awaitsModerator: boolean, commentCount?: number | null, viewCount?: number | null, repostCount?: number | null, viewerHasReposted?: boolean | null, announcesEntity: boolean, contentWarning?: string | null, viewerHasHidden?: boolean | null, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, facets: Array<{ __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null }>, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, topics: Array<{ __typename: 'Topic', id: string, name: string }>, quote?: { __typename: 'Quote', missing?: QuoteMissing | null, post?: { __typename: 'Post', id: string, text: string, contentWarning?: string | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null } | null } | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, entity?: { __typename: 'Entity', id: string, business: string, key: string, title?: string | null } | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }> }
         }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null } | null };

export type UserCollectionsQueryVariables = Exact<{
  handle: Scalars['String']['input'];
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type UserCollectionsQuery = { __typename: 'Query', user?: { __typename: 'User', id: string, collections?: { __typename: 'CollectionConnection', edges: Array<{ __typename: 'CollectionEdge', cursor: string, node: { __typename: 'Collection', id: string, name: string, isPublic: boolean, createdAt: string } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null } | null };

export type UpdateProfileMutationVariables = Exact<{
  displayName?: InputMaybe<Scalars['String']['input']>;
  bio?: InputMaybe<Scalars['String']['input']>;
  avatarUrl?: InputMaybe<Scalars['String']['input']>;
  isPrivate?: InputMaybe<Scalars['Boolean']['input']>;
}>;


export type UpdateProfileMutation = { __typename: 'Mutation', updateProfile?: { __typename: 'UpdateProfilePayload', user?: { __typename: 'User', bio: string, id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type QuotePolicyQueryVariables = Exact<{ [key: string]: never; }>;


export type QuotePolicyQuery = { __typename: 'Query', viewer?: { __typename: 'Viewer', id: string, user?: { __typename: 'User', id: string, isPrivate: boolean, quotePolicy?: QuotePolicy | null } | null } | null };

export type SetQuotePolicyMutationVariables = Exact<{
  policy: QuotePolicy;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type SetQuotePolicyMutation = { __typename: 'Mutation', setQuotePolicy?: { __typename: 'SetQuotePolicyPayload', user?: { __typename: 'User', id: string, quotePolicy?: QuotePolicy | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type FollowMutationVariables = Exact<{
  userId: Scalars['ID']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type FollowMutation = { __typename: 'Mutation', follow?: { __typename: 'FollowPayload', user?: { __typename: 'User', id: string, viewerRelation?: Relation | null, followerCount?: number | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type UnfollowMutationVariables = Exact<{
  userId: Scalars['ID']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type UnfollowMutation = { __typename: 'Mutation', unfollow?: { __typename: 'FollowPayload', user?: { __typename: 'User', id: string, viewerRelation?: Relation | null, followerCount?: number | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type SetPostNotificationsMutationVariables = Exact<{
  userId: Scalars['ID']['input'];
  enabled: Scalars['Boolean']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type SetPostNotificationsMutation = { __typename: 'Mutation', setPostNotifications?: { __typename: 'SetPostNotificationsPayload', user?: { __typename: 'User', id: string, viewerGetsPostNotifications?: boolean | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type BlockMutationVariables = Exact<{
  userId: Scalars['ID']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type BlockMutation = { __typename: 'Mutation', block?: { __typename: 'BoundaryPayload', user?: { __typename: 'User', id: string, viewerBlocks?: boolean | null, viewerRelation?: Relation | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type UnblockMutationVariables = Exact<{
  userId: Scalars['ID']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type UnblockMutation = { __typename: 'Mutation', unblock?: { __typename: 'BoundaryPayload', user?: { __typename: 'User', id: string, viewerBlocks?: boolean | null, viewerRelation?: Relation | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type MuteMutationVariables = Exact<{
  userId: Scalars['ID']['input'];
  until?: InputMaybe<Scalars['DateTime']['input']>;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type MuteMutation = { __typename: 'Mutation', mute?: { __typename: 'BoundaryPayload', user?: { __typename: 'User', id: string, viewerMutes?: boolean | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type UnmuteMutationVariables = Exact<{
  userId: Scalars['ID']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type UnmuteMutation = { __typename: 'Mutation', unmute?: { __typename: 'BoundaryPayload', user?: { __typename: 'User', id: string, viewerMutes?: boolean | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type ReportMutationVariables = Exact<{
  targetId: Scalars['ID']['input'];
  reason: ReportReason;
  note?: InputMaybe<Scalars['String']['input']>;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type ReportMutation = { __typename: 'Mutation', report?: { __typename: 'ReportPayload', userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type BlocksQueryVariables = Exact<{
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type BlocksQuery = { __typename: 'Query', viewer?: { __typename: 'Viewer', id: string, blocks?: { __typename: 'UserConnection', edges: Array<{ __typename: 'UserEdge', cursor: string, node: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null } | null };

export type MutesQueryVariables = Exact<{
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type MutesQuery = { __typename: 'Query', viewer?: { __typename: 'Viewer', id: string, mutes?: { __typename: 'MuteConnection', edges: Array<{ __typename: 'MuteEdge', cursor: string, until?: string | null, node: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null } | null };

export type UserCardQueryVariables = Exact<{
  handle: Scalars['String']['input'];
}>;


export type UserCardQuery = { __typename: 'Query', user?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null };

export type PostQueryVariables = Exact<{
  id: Scalars['ID']['input'];
}>;


export type PostQuery = { __typename: 'Query', node?:
    | { __typename: 'Collection', id: string }
    | { __typename: 'Comment', id: string }
    | { __typename: 'Entity', id: string }
    | { __typename: 'Notification', id: string }
    | { __typename: 'Post', rootCommentCount?: number | null, commentsClosed: boolean, viewerCanComment?: boolean | null, id: string, text: string, createdAt: string, editedAt?: string | null, auditStatus: AuditStatus, awaitsModerator: boolean, commentCount?: number | null, viewCount?: number | null, repostCount?: number | null, viewerHasReposted?: boolean | null, announcesEntity: boolean, contentWarning?: string | null, viewerHasHidden?: boolean | null, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, pinnedComment?: { __typename: 'Comment', text?: string | null, createdAt: string, editedAt?: string | null, deleted: boolean, isPinned?: boolean | null, auditStatus: AuditStatus, awaitsModerator: boolean, floor?: number | null, replyCount?: number | null, contentWarning?: string | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, facets: Array<{ __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null }>, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, repliedTo?: { __typename: 'User', id: string, handle: string, displayName: string } | null } | null, facets: Array<{ __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null }>, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, topics: Array<{ __typename: 'Topic', id: string, name: string }>, quote?: { __typename: 'Quote', missing?: QuoteMissing | null, post?: { __typename: 'Post', id: string, text: string, contentWarning?: string | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null } | null } | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, entity?: { __typename: 'Entity', id: string, business: string, key: string, title?: string | null } | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }> }
    | { __typename: 'Statement', id: string }
    | { __typename: 'Topic', id: string }
    | { __typename: 'User', id: string }
    | { __typename: 'Viewer', id: string }
   | null };

export type PublishPostMutationVariables = Exact<{
  text: Scalars['String']['input'];
  attachments?: Array<AttachmentInput> | AttachmentInput;
  topics?: Array<Scalars['String']['input']> | Scalars['String']['input'];
  topicsFromText?: Scalars['Boolean']['input'];
  quoteOf?: InputMaybe<Scalars['ID']['input']>;
  labels?: InputMaybe<Array<Scalars['String']['input']> | Scalars['String']['input']>;
  contentWarning?: InputMaybe<Scalars['String']['input']>;
  idempotencyKey: Scalars['String']['input'];
}>;


export type PublishPostMutation = { __typename: 'Mutation', publishPost?: { __typename: 'PostPayload', post?: { __typename: 'Post', text: string, createdAt: string, editedAt?: string | null, auditStatus: AuditStatus, awaitsModerator: boolean, commentCount?: number | null, viewCount?: number | null, repostCount?: number | null, viewerHasReposted?: boolean | null, announcesEntity: boolean, contentWarning?: string | null, viewerHasHidden?: boolean | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, facets: Array<{ __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null }>, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, topics: Array<{ __typename: 'Topic', id: string, name: string }>, quote?: { __typename: 'Quote', missing?: QuoteMissing | null, post?: { __typename: 'Post', id: string, text: string, contentWarning?: string | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null } | null } | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, entity?: { __typename: 'Entity', id: string, business: string, key: string, title?: string | null } | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }> } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type RepostMutationVariables = Exact<{
  postId: Scalars['ID']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type RepostMutation = { __typename: 'Mutation', repost?: { __typename: 'RepostPayload', post?: { __typename: 'Post', id: string, repostCount?: number | null, viewerHasReposted?: boolean | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type UnrepostMutationVariables = Exact<{
  postId: Scalars['ID']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type UnrepostMutation = { __typename: 'Mutation', unrepost?: { __typename: 'RepostPayload', post?: { __typename: 'Post', id: string, repostCount?: number | null, viewerHasReposted?: boolean | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type DetachQuoteMutationVariables = Exact<{
  postId: Scalars['ID']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type DetachQuoteMutation = { __typename: 'Mutation', detachQuote?: { __typename: 'DetachQuotePayload', post?: { __typename: 'Post', id: string, quote?: { __typename: 'Quote', missing?: QuoteMissing | null, post?: { __typename: 'Post', id: string } | null } | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type DeletePostMutationVariables = Exact<{
  id: Scalars['ID']['input'];
}>;


export type DeletePostMutation = { __typename: 'Mutation', deletePost?: { __typename: 'DeletePostPayload', deletedId?: string | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type LikeMutationVariables = Exact<{
  targetId: Scalars['ID']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type LikeMutation = { __typename: 'Mutation', like?: { __typename: 'ReactPayload', target?:
      | { __typename: 'Comment', id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null }
      | { __typename: 'Entity', id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null }
      | { __typename: 'Post', id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null }
     | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type UnlikeMutationVariables = Exact<{
  targetId: Scalars['ID']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type UnlikeMutation = { __typename: 'Mutation', unlike?: { __typename: 'ReactPayload', target?:
      | { __typename: 'Comment', id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null }
      | { __typename: 'Entity', id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null }
      | { __typename: 'Post', id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null }
     | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type ReactMutationVariables = Exact<{
  targetId: Scalars['ID']['input'];
  kind: Scalars['String']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type ReactMutation = { __typename: 'Mutation', react?: { __typename: 'ReactPayload', target?:
      | { __typename: 'Comment', id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, viewerReactions?: Array<string> | null, reactionKinds: Array<{ __typename: 'ReactionKind', kind: string, isLike: boolean }>, reactionCounts?: Array<{ __typename: 'ReactionCount', kind: string, count: number }> | null }
      | { __typename: 'Entity', id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, viewerReactions?: Array<string> | null, reactionKinds: Array<{ __typename: 'ReactionKind', kind: string, isLike: boolean }>, reactionCounts?: Array<{ __typename: 'ReactionCount', kind: string, count: number }> | null }
      | { __typename: 'Post', id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, viewerReactions?: Array<string> | null, reactionKinds: Array<{ __typename: 'ReactionKind', kind: string, isLike: boolean }>, reactionCounts?: Array<{ __typename: 'ReactionCount', kind: string, count: number }> | null }
     | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type UnreactMutationVariables = Exact<{
  targetId: Scalars['ID']['input'];
  kind?: InputMaybe<Scalars['String']['input']>;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type UnreactMutation = { __typename: 'Mutation', unreact?: { __typename: 'ReactPayload', target?:
      | { __typename: 'Comment', id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, viewerReactions?: Array<string> | null, reactionKinds: Array<{ __typename: 'ReactionKind', kind: string, isLike: boolean }>, reactionCounts?: Array<{ __typename: 'ReactionCount', kind: string, count: number }> | null }
      | { __typename: 'Entity', id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, viewerReactions?: Array<string> | null, reactionKinds: Array<{ __typename: 'ReactionKind', kind: string, isLike: boolean }>, reactionCounts?: Array<{ __typename: 'ReactionCount', kind: string, count: number }> | null }
      | { __typename: 'Post', id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, viewerReactions?: Array<string> | null, reactionKinds: Array<{ __typename: 'ReactionKind', kind: string, isLike: boolean }>, reactionCounts?: Array<{ __typename: 'ReactionCount', kind: string, count: number }> | null }
     | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type SaveMutationVariables = Exact<{
  targetId: Scalars['ID']['input'];
  collectionId?: InputMaybe<Scalars['ID']['input']>;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type SaveMutation = { __typename: 'Mutation', save?: { __typename: 'SavePayload', target?:
      | { __typename: 'Comment', id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null }
      | { __typename: 'Entity', id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null }
      | { __typename: 'Post', id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null }
     | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type UnsaveMutationVariables = Exact<{
  targetId: Scalars['ID']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type UnsaveMutation = { __typename: 'Mutation', unsave?: { __typename: 'SavePayload', target?:
      | { __typename: 'Comment', id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null }
      | { __typename: 'Entity', id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null }
      | { __typename: 'Post', id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null }
     | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type ReactableChangedSubscriptionVariables = Exact<{
  ids: Array<Scalars['ID']['input']> | Scalars['ID']['input'];
}>;


export type ReactableChangedSubscription = { __typename?: 'Subscription', reactableChanged?:
    | { __typename: 'Comment', replyCount?: number | null, floor?: number | null, auditStatus: AuditStatus, awaitsModerator: boolean, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null }
    | { __typename: 'Entity', commentCount?: number | null, rootCommentCount?: number | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null }
    | { __typename: 'Post', commentCount?: number | null, rootCommentCount?: number | null, auditStatus: AuditStatus, awaitsModerator: boolean, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null }
   | null };

export type LikersQueryVariables = Exact<{
  targetId: Scalars['ID']['input'];
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type LikersQuery = { __typename: 'Query', node?:
    | { __typename: 'Collection', id: string }
    | { __typename: 'Comment', id: string, likers?: { __typename: 'UserConnection', edges: Array<{ __typename: 'UserEdge', cursor: string, node: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null }
    | { __typename: 'Entity', id: string, likers?: { __typename: 'UserConnection', edges: Array<{ __typename: 'UserEdge', cursor: string, node: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null }
    | { __typename: 'Notification', id: string }
    | { __typename: 'Post', id: string, likers?: { __typename: 'UserConnection', edges: Array<{ __typename: 'UserEdge', cursor: string, node: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null }
    | { __typename: 'Statement', id: string }
    | { __typename: 'Topic', id: string }
    | { __typename: 'User', id: string }
    | { __typename: 'Viewer', id: string }
   | null };

export type TargetQueryVariables = Exact<{
  id: Scalars['ID']['input'];
}>;


export type TargetQuery = { __typename: 'Query', node?:
    | { __typename: 'Collection', id: string }
    | { __typename: 'Comment', id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null }
    | { __typename: 'Entity', id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null }
    | { __typename: 'Notification', id: string }
    | { __typename: 'Post', id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null }
    | { __typename: 'Statement', id: string }
    | { __typename: 'Topic', id: string }
    | { __typename: 'User', id: string }
    | { __typename: 'Viewer', id: string }
   | null };

export type TargetReactionsQueryVariables = Exact<{
  id: Scalars['ID']['input'];
}>;


export type TargetReactionsQuery = { __typename: 'Query', node?:
    | { __typename: 'Collection', id: string }
    | { __typename: 'Comment', id: string, viewerReactions?: Array<string> | null, reactionKinds: Array<{ __typename: 'ReactionKind', kind: string, isLike: boolean }>, reactionCounts?: Array<{ __typename: 'ReactionCount', kind: string, count: number }> | null }
    | { __typename: 'Entity', id: string, viewerReactions?: Array<string> | null, reactionKinds: Array<{ __typename: 'ReactionKind', kind: string, isLike: boolean }>, reactionCounts?: Array<{ __typename: 'ReactionCount', kind: string, count: number }> | null }
    | { __typename: 'Notification', id: string }
    | { __typename: 'Post', id: string, viewerReactions?: Array<string> | null, reactionKinds: Array<{ __typename: 'ReactionKind', kind: string, isLike: boolean }>, reactionCounts?: Array<{ __typename: 'ReactionCount', kind: string, count: number }> | null }
    | { __typename: 'Statement', id: string }
    | { __typename: 'Topic', id: string }
    | { __typename: 'User', id: string }
    | { __typename: 'Viewer', id: string }
   | null };

export type SeenFragment = { __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility };

export type LabelsQueryVariables = Exact<{ [key: string]: never; }>;


export type LabelsQuery = { __typename: 'Query', labels: Array<{ __typename: 'Label', name: string, title: string, setByAuthors: boolean }> };

export type HiddenPostsQueryVariables = Exact<{
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type HiddenPostsQuery = { __typename: 'Query', viewer?: { __typename: 'Viewer', id: string, hiddenPosts?: { __typename: 'PostConnection', edges: Array<{ __typename: 'PostEdge', cursor: string, node: { __typename: 'Post', text: string, createdAt: string, editedAt?: string | null, auditStatus: AuditStatus, awaitsModerator: boolean, commentCount?: number | null, viewCount?: number | null, repostCount?: number | null, viewerHasReposted?: boolean | null, announcesEntity: boolean, contentWarning?: string | null, viewerHasHidden?: boolean | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, facets: Array<{ __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null }>, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, topics: Array<{ __typename: 'Topic', id: string, name: string }>, quote?: { __typename: 'Quote', missing?: QuoteMissing | null, post?: { __typename: 'Post', id: string, text: string, contentWarning?: string | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null } | null } | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, entity?: { __typename: 'Entity', id: string, business: string, key: string, title?: string | null } | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }> } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null } | null };

export type ReasonedStatementFragment = { __typename: 'Statement', id: string, restriction: Restriction, facts?: string | null, foundBy: FoundBy, isAutomated: boolean, since: string, until?: string | null, endedAt?: string | null, appealUntil?: string | null, ground?: { __typename: 'Ground', title: string, url?: string | null } | null, appeal?: { __typename: 'Appeal', text: string, status: AppealStatus, createdAt: string } | null, target?:
    | { __typename: 'Collection', id: string }
    | { __typename: 'Comment', id: string, commentText?: string | null }
    | { __typename: 'Entity', id: string }
    | { __typename: 'Notification', id: string }
    | { __typename: 'Post', text: string, id: string }
    | { __typename: 'Statement', id: string }
    | { __typename: 'Topic', id: string }
    | { __typename: 'User', id: string }
    | { __typename: 'Viewer', id: string }
   | null };

export type StatementsQueryVariables = Exact<{
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type StatementsQuery = { __typename: 'Query', viewer?: { __typename: 'Viewer', id: string, statements?: { __typename: 'StatementConnection', edges: Array<{ __typename: 'StatementEdge', cursor: string, node: { __typename: 'Statement', id: string, restriction: Restriction, facts?: string | null, foundBy: FoundBy, isAutomated: boolean, since: string, until?: string | null, endedAt?: string | null, appealUntil?: string | null, ground?: { __typename: 'Ground', title: string, url?: string | null } | null, appeal?: { __typename: 'Appeal', text: string, status: AppealStatus, createdAt: string } | null, target?:
            | { __typename: 'Collection', id: string }
            | { __typename: 'Comment', id: string, commentText?: string | null }
            | { __typename: 'Entity', id: string }
            | { __typename: 'Notification', id: string }
            | { __typename: 'Post', text: string, id: string }
            | { __typename: 'Statement', id: string }
            | { __typename: 'Topic', id: string }
            | { __typename: 'User', id: string }
            | { __typename: 'Viewer', id: string }
           | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null } | null };

export type AppealMutationVariables = Exact<{
  targetId: Scalars['ID']['input'];
  text: Scalars['String']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type AppealMutation = { __typename: 'Mutation', appeal?: { __typename: 'AppealPayload', target?:
      | { __typename: 'Collection', id: string }
      | { __typename: 'Comment', id: string }
      | { __typename: 'Entity', id: string }
      | { __typename: 'Notification', id: string }
      | { __typename: 'Post', id: string }
      | { __typename: 'Statement', id: string, appeal?: { __typename: 'Appeal', text: string, status: AppealStatus, createdAt: string } | null }
      | { __typename: 'Topic', id: string }
      | { __typename: 'User', id: string }
      | { __typename: 'Viewer', id: string }
     | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type SearchUsersQueryVariables = Exact<{
  query: Scalars['String']['input'];
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type SearchUsersQuery = { __typename: 'Query', searchUsers?: { __typename: 'UserConnection', edges: Array<{ __typename: 'UserEdge', cursor: string, node: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null };

export type SuggestHandlesQueryVariables = Exact<{
  prefix: Scalars['String']['input'];
  first?: Scalars['Int']['input'];
}>;


export type SuggestHandlesQuery = { __typename: 'Query', suggestHandles?: Array<{ __typename: 'User', id: string, handle: string, displayName: string }> | null };

export type SearchPostsQueryVariables = Exact<{
  query: Scalars['String']['input'];
  sort?: SearchSort;
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type SearchPostsQuery = { __typename: 'Query', searchPosts?: { __typename: 'PostConnection', edges: Array<{ __typename: 'PostEdge', cursor: string, reason?: string | null, homeReason?: { __typename: 'HomeReason', kind: HomeReasonKind, topic?: { __typename: 'Topic', id: string, name: string } | null } | null, node: { __typename: 'Post', text: string, createdAt: string, editedAt?: string | null, auditStatus: AuditStatus, awaitsModerator: boolean, commentCount?: number | null, viewCount?: number | null, repostCount?: number | null, viewerHasReposted?: boolean | null, announcesEntity: boolean, contentWarning?: string | null, viewerHasHidden?: boolean | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, facets: Array<{ __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null }>, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, topics: Array<{ __typename: 'Topic', id: string, name: string }>, quote?: { __typename: 'Quote', missing?: QuoteMissing | null, post?: { __typename: 'Post', id: string, text: string, contentWarning?: string | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null } | null } | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, entity?: { __typename: 'Entity', id: string, business: string, key: string, title?: string | null } | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }> } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null };

export type SearchTopicsQueryVariables = Exact<{
  query: Scalars['String']['input'];
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type SearchTopicsQuery = { __typename: 'Query', searchTopics?: { __typename: 'TopicConnection', edges: Array<{ __typename: 'TopicEdge', cursor: string, node: { __typename: 'Topic', id: string, name: string, viewerFollows?: boolean | null, followerCount?: number | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null };

export type SearchEntitiesQueryVariables = Exact<{
  business: Scalars['String']['input'];
  query: Scalars['String']['input'];
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type SearchEntitiesQuery = { __typename: 'Query', searchEntities?: { __typename: 'EntityConnection', edges: Array<{ __typename: 'EntityEdge', cursor: string, node: { __typename: 'Entity', business: string, key: string, title?: string | null, url?: string | null, commentCount?: number | null, viewCount?: number | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, owner?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null };

export type SuggestTopicsQueryVariables = Exact<{
  prefix: Scalars['String']['input'];
  first?: Scalars['Int']['input'];
}>;


export type SuggestTopicsQuery = { __typename: 'Query', topics?: Array<{ __typename: 'Topic', id: string, name: string }> | null };

export type DiscoverQueryVariables = Exact<{
  users?: Scalars['Int']['input'];
  topics?: Scalars['Int']['input'];
}>;


export type DiscoverQuery = { __typename: 'Query', viewer?: { __typename: 'Viewer', id: string, suggestedUsers?: Array<{ __typename: 'SuggestedUser', reason: SuggestionReason, followedByCount: number, user: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null }, followedBy: Array<{ __typename: 'User', id: string, handle: string, displayName: string }>, topic?: { __typename: 'Topic', id: string, name: string } | null }> | null } | null, trendingTopics?: Array<{ __typename: 'TrendingTopic', authorCount: number, topic: { __typename: 'Topic', id: string, name: string } }> | null };

export type DismissSuggestionMutationVariables = Exact<{
  userId: Scalars['ID']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type DismissSuggestionMutation = { __typename: 'Mutation', dismissSuggestion?: { __typename: 'DismissSuggestionPayload', user?: { __typename: 'User', id: string } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type DiscoverableQueryVariables = Exact<{ [key: string]: never; }>;


export type DiscoverableQuery = { __typename: 'Query', viewer?: { __typename: 'Viewer', id: string, isDiscoverable?: boolean | null } | null };

export type SetDiscoverableMutationVariables = Exact<{
  discoverable: Scalars['Boolean']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type SetDiscoverableMutation = { __typename: 'Mutation', setDiscoverable?: { __typename: 'SetDiscoverablePayload', viewer?: { __typename: 'Viewer', id: string, isDiscoverable?: boolean | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type FollowedTopicsQueryVariables = Exact<{
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type FollowedTopicsQuery = { __typename: 'Query', viewer?: { __typename: 'Viewer', id: string, topicsInHome?: boolean | null, followedTopics?: { __typename: 'TopicConnection', edges: Array<{ __typename: 'TopicEdge', cursor: string, node: { __typename: 'Topic', id: string, name: string, viewerFollows?: boolean | null, followerCount?: number | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null } | null };

export type FollowedTopicsFeedQueryVariables = Exact<{
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type FollowedTopicsFeedQuery = { __typename: 'Query', viewer?: { __typename: 'Viewer', id: string, followedTopicsFeed?: { __typename: 'PostConnection', edges: Array<{ __typename: 'PostEdge', cursor: string, reason?: string | null, homeReason?: { __typename: 'HomeReason', kind: HomeReasonKind, topic?: { __typename: 'Topic', id: string, name: string } | null } | null, node: { __typename: 'Post', text: string, createdAt: string, editedAt?: string | null, auditStatus: AuditStatus, awaitsModerator: boolean, commentCount?: number | null, viewCount?: number | null, repostCount?: number | null, viewerHasReposted?: boolean | null, announcesEntity: boolean, contentWarning?: string | null, viewerHasHidden?: boolean | null, id: string, likeCount?: number | null, viewerReaction?: Reaction | null, saveCount?: number | null, viewerSaved?: boolean | null, facets: Array<{ __typename: 'Facet', kind: FacetKind, utf16Start: number, utf16End: number, url?: string | null, user?: { __typename: 'User', id: string, handle: string } | null, topic?: { __typename: 'Topic', id: string, name: string } | null }>, attachments: Array<{ __typename: 'Attachment', kind: AttachmentKind, url: string, alt?: string | null, width?: number | null, height?: number | null, mimeType?: string | null, posterUrl?: string | null, durationSeconds?: number | null }>, topics: Array<{ __typename: 'Topic', id: string, name: string }>, quote?: { __typename: 'Quote', missing?: QuoteMissing | null, post?: { __typename: 'Post', id: string, text: string, contentWarning?: string | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }>, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null } | null } | null, author?: { __typename: 'User', id: string, handle: string, displayName: string, avatarUrl?: string | null, isPrivate: boolean, viewerRelation?: Relation | null } | null, entity?: { __typename: 'Entity', id: string, business: string, key: string, title?: string | null } | null, labels: Array<{ __typename: 'ContentLabel', name: string, title: string, visibility: LabelVisibility }> } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } | null } | null };

export type FollowTopicMutationVariables = Exact<{
  topicId: Scalars['ID']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type FollowTopicMutation = { __typename: 'Mutation', followTopic?: { __typename: 'FollowTopicPayload', topic?: { __typename: 'Topic', id: string, name: string, viewerFollows?: boolean | null, followerCount?: number | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type UnfollowTopicMutationVariables = Exact<{
  topicId: Scalars['ID']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type UnfollowTopicMutation = { __typename: 'Mutation', unfollowTopic?: { __typename: 'FollowTopicPayload', topic?: { __typename: 'Topic', id: string, name: string, viewerFollows?: boolean | null, followerCount?: number | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type SetTopicsInHomeMutationVariables = Exact<{
  enabled: Scalars['Boolean']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
}>;


export type SetTopicsInHomeMutation = { __typename: 'Mutation', setTopicsInHome?: { __typename: 'SetTopicsInHomePayload', viewer?: { __typename: 'Viewer', id: string, topicsInHome?: boolean | null } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export type CreateUploadMutationVariables = Exact<{
  mimeType: Scalars['String']['input'];
  byteSize: Scalars['Int']['input'];
}>;


export type CreateUploadMutation = { __typename: 'Mutation', createUpload?: { __typename: 'CreateUploadPayload', upload?: { __typename: 'Upload', url: string, fileUrl: string, headers: Array<{ __typename: 'UploadHeader', name: string, value: string }> } | null, userErrors: Array<{ __typename: 'UserError', code: UserErrorCode, message: string, field?: Array<string> | null }> } | null };

export const ReactionStateFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ReactionState"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Reactable"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"likeCount"}},{"kind":"Field","name":{"kind":"Name","value":"viewerReaction"}},{"kind":"Field","name":{"kind":"Name","value":"saveCount"}},{"kind":"Field","name":{"kind":"Name","value":"viewerSaved"}}]}}]} as unknown as DocumentNode<ReactionStateFragment, unknown>;
export const TextFacetFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TextFacet"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Facet"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"utf16Start"}},{"kind":"Field","name":{"kind":"Name","value":"utf16End"}},{"kind":"Field","name":{"kind":"Name","value":"user"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"handle"}}]}},{"kind":"Field","name":{"kind":"Name","value":"topic"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}}]} as unknown as DocumentNode<TextFacetFragment, unknown>;
export const AttachmentFileFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AttachmentFile"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Attachment"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"alt"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}},{"kind":"Field","name":{"kind":"Name","value":"mimeType"}},{"kind":"Field","name":{"kind":"Name","value":"posterUrl"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}}]}}]} as unknown as DocumentNode<AttachmentFileFragment, unknown>;
export const SeenFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Seen"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ContentLabel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"visibility"}}]}}]} as unknown as DocumentNode<SeenFragment, unknown>;
export const UserSummaryFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UserSummary"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"handle"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"avatarUrl"}},{"kind":"Field","name":{"kind":"Name","value":"isPrivate"}},{"kind":"Field","name":{"kind":"Name","value":"viewerRelation"}}]}}]} as unknown as DocumentNode<UserSummaryFragment, unknown>;
export const PostCardFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PostCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Post"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ReactionState"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"facets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"TextFacet"}}]}},{"kind":"Field","name":{"kind":"Name","value":"attachments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"AttachmentFile"}}]}},{"kind":"Field","name":{"kind":"Name","value":"topics"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"editedAt"}},{"kind":"Field","name":{"kind":"Name","value":"auditStatus"}},{"kind":"Field","name":{"kind":"Name","value":"awaitsModerator"}},{"kind":"Field","name":{"kind":"Name","value":"commentCount"}},{"kind":"Field","name":{"kind":"Name","value":"viewCount"}},{"kind":"Field","name":{"kind":"Name","value":"repostCount"}},{"kind":"Field","name":{"kind":"Name","value":"viewerHasReposted"}},{"kind":"Field","name":{"kind":"Name","value":"quote"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"missing"}},{"kind":"Field","name":{"kind":"Name","value":"post"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Seen"}}]}},{"kind":"Field","name":{"kind":"Name","value":"contentWarning"}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"UserSummary"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"UserSummary"}}]}},{"kind":"Field","name":{"kind":"Name","value":"entity"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"business"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}},{"kind":"Field","name":{"kind":"Name","value":"announcesEntity"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Seen"}}]}},{"kind":"Field","name":{"kind":"Name","value":"contentWarning"}},{"kind":"Field","name":{"kind":"Name","value":"viewerHasHidden"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ReactionState"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Reactable"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"likeCount"}},{"kind":"Field","name":{"kind":"Name","value":"viewerReaction"}},{"kind":"Field","name":{"kind":"Name","value":"saveCount"}},{"kind":"Field","name":{"kind":"Name","value":"viewerSaved"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TextFacet"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Facet"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"utf16Start"}},{"kind":"Field","name":{"kind":"Name","value":"utf16End"}},{"kind":"Field","name":{"kind":"Name","value":"user"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"handle"}}]}},{"kind":"Field","name":{"kind":"Name","value":"topic"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AttachmentFile"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Attachment"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"alt"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}},{"kind":"Field","name":{"kind":"Name","value":"mimeType"}},{"kind":"Field","name":{"kind":"Name","value":"posterUrl"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Seen"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ContentLabel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"visibility"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UserSummary"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"handle"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"avatarUrl"}},{"kind":"Field","name":{"kind":"Name","value":"isPrivate"}},{"kind":"Field","name":{"kind":"Name","value":"viewerRelation"}}]}}]} as unknown as DocumentNode<PostCardFragment, unknown>;
export const EntityCardFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"EntityCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Entity"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ReactionState"}},{"kind":"Field","name":{"kind":"Name","value":"business"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"commentCount"}},{"kind":"Field","name":{"kind":"Name","value":"viewCount"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Seen"}}]}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"UserSummary"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ReactionState"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Reactable"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"likeCount"}},{"kind":"Field","name":{"kind":"Name","value":"viewerReaction"}},{"kind":"Field","name":{"kind":"Name","value":"saveCount"}},{"kind":"Field","name":{"kind":"Name","value":"viewerSaved"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Seen"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ContentLabel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"visibility"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UserSummary"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"handle"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"avatarUrl"}},{"kind":"Field","name":{"kind":"Name","value":"isPrivate"}},{"kind":"Field","name":{"kind":"Name","value":"viewerRelation"}}]}}]} as unknown as DocumentNode<EntityCardFragment, unknown>;
export const SavedEntryFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SavedEntry"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SavedItem"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"targetId"}},{"kind":"Field","name":{"kind":"Name","value":"savedAt"}},{"kind":"Field","name":{"kind":"Name","value":"collection"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"target"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ReactionState"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Post"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"PostCard"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Comment"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","alias":{"kind":"Name","value":"commentText"},"name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"deleted"}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"UserSummary"}}]}},{"kind":"Field","name":{"kind":"Name","value":"subject"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Entity"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"EntityCard"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ReactionState"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Reactable"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"likeCount"}},{"kind":"Field","name":{"kind":"Name","value":"viewerReaction"}},{"kind":"Field","name":{"kind":"Name","value":"saveCount"}},{"kind":"Field","name":{"kind":"Name","value":"viewerSaved"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TextFacet"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Facet"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"utf16Start"}},{"kind":"Field","name":{"kind":"Name","value":"utf16End"}},{"kind":"Field","name":{"kind":"Name","value":"user"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"handle"}}]}},{"kind":"Field","name":{"kind":"Name","value":"topic"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AttachmentFile"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Attachment"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"alt"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}},{"kind":"Field","name":{"kind":"Name","value":"mimeType"}},{"kind":"Field","name":{"kind":"Name","value":"posterUrl"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Seen"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ContentLabel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"visibility"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UserSummary"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"handle"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"avatarUrl"}},{"kind":"Field","name":{"kind":"Name","value":"isPrivate"}},{"kind":"Field","name":{"kind":"Name","value":"viewerRelation"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PostCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Post"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ReactionState"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"facets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"TextFacet"}}]}},{"kind":"Field","name":{"kind":"Name","value":"attachments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"AttachmentFile"}}]}},{"kind":"Field","name":{"kind":"Name","value":"topics"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"editedAt"}},{"kind":"Field","name":{"kind":"Name","value":"auditStatus"}},{"kind":"Field","name":{"kind":"Name","value":"awaitsModerator"}},{"kind":"Field","name":{"kind":"Name","value":"commentCount"}},{"kind":"Field","name":{"kind":"Name","value":"viewCount"}},{"kind":"Field","name":{"kind":"Name","value":"repostCount"}},{"kind":"Field","name":{"kind":"Name","value":"viewerHasReposted"}},{"kind":"Field","name":{"kind":"Name","value":"quote"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"missing"}},{"kind":"Field","name":{"kind":"Name","value":"post"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Seen"}}]}},{"kind":"Field","name":{"kind":"Name","value":"contentWarning"}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"UserSummary"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"UserSummary"}}]}},{"kind":"Field","name":{"kind":"Name","value":"entity"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"business"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}},{"kind":"Field","name":{"kind":"Name","value":"announcesEntity"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Seen"}}]}},{"kind":"Field","name":{"kind":"Name","value":"contentWarning"}},{"kind":"Field","name":{"kind":"Name","value":"viewerHasHidden"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"EntityCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Entity"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ReactionState"}},{"kind":"Field","name":{"kind":"Name","value":"business"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"commentCount"}},{"kind":"Field","name":{"kind":"Name","value":"viewCount"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Seen"}}]}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"UserSummary"}}]}}]}}]} as unknown as DocumentNode<SavedEntryFragment, unknown>;
export const ReactionsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Reactions"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Reactable"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"reactionKinds"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"isLike"}}]}},{"kind":"Field","name":{"kind":"Name","value":"reactionCounts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"count"}}]}},{"kind":"Field","name":{"kind":"Name","value":"viewerReactions"}}]}}]} as unknown as DocumentNode<ReactionsFragment, unknown>;
export const PostPageFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PostPage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PostConnection"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"homeReason"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"topic"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"PostCard"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ReactionState"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Reactable"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"likeCount"}},{"kind":"Field","name":{"kind":"Name","value":"viewerReaction"}},{"kind":"Field","name":{"kind":"Name","value":"saveCount"}},{"kind":"Field","name":{"kind":"Name","value":"viewerSaved"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TextFacet"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Facet"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"utf16Start"}},{"kind":"Field","name":{"kind":"Name","value":"utf16End"}},{"kind":"Field","name":{"kind":"Name","value":"user"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"handle"}}]}},{"kind":"Field","name":{"kind":"Name","value":"topic"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AttachmentFile"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Attachment"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"alt"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}},{"kind":"Field","name":{"kind":"Name","value":"mimeType"}},{"kind":"Field","name":{"kind":"Name","value":"posterUrl"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Seen"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ContentLabel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"visibility"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UserSummary"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"handle"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"avatarUrl"}},{"kind":"Field","name":{"kind":"Name","value":"isPrivate"}},{"kind":"Field","name":{"kind":"Name","value":"viewerRelation"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PostCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Post"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ReactionState"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"facets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"TextFacet"}}]}},{"kind":"Field","name":{"kind":"Name","value":"attachments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"AttachmentFile"}}]}},{"kind":"Field","name":{"kind":"Name","value":"topics"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"editedAt"}},{"kind":"Field","name":{"kind":"Name","value":"auditStatus"}},{"kind":"Field","name":{"kind":"Name","value":"awaitsModerator"}},{"kind":"Field","name":{"kind":"Name","value":"commentCount"}},{"kind":"Field","name":{"kind":"Name","value":"viewCount"}},{"kind":"Field","name":{"kind":"Name","value":"repostCount"}},{"kind":"Field","name":{"kind":"Name","value":"viewerHasReposted"}},{"kind":"Field","name":{"kind":"Name","value":"quote"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"missing"}},{"kind":"Field","name":{"kind":"Name","value":"post"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Seen"}}]}},{"kind":"Field","name":{"kind":"Name","value":"contentWarning"}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"UserSummary"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"UserSummary"}}]}},{"kind":"Field","name":{"kind":"Name","value":"entity"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"business"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}},{"kind":"Field","name":{"kind":"Name","value":"announcesEntity"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Seen"}}]}},{"kind":"Field","name":{"kind":"Name","value":"contentWarning"}},{"kind":"Field","name":{"kind":"Name","value":"viewerHasHidden"}}]}}]} as unknown as DocumentNode<PostPageFragment, unknown>;
export const TopicSummaryFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TopicSummary"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Topic"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"viewerFollows"}},{"kind":"Field","name":{"kind":"Name","value":"followerCount"}}]}}]} as unknown as DocumentNode<TopicSummaryFragment, unknown>;
export const CommentItemFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CommentItem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Comment"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ReactionState"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"facets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"TextFacet"}}]}},{"kind":"Field","name":{"kind":"Name","value":"attachments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"AttachmentFile"}}]}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"editedAt"}},{"kind":"Field","name":{"kind":"Name","value":"deleted"}},{"kind":"Field","name":{"kind":"Name","value":"isPinned"}},{"kind":"Field","name":{"kind":"Name","value":"auditStatus"}},{"kind":"Field","name":{"kind":"Name","value":"awaitsModerator"}},{"kind":"Field","name":{"kind":"Name","value":"floor"}},{"kind":"Field","name":{"kind":"Name","value":"replyCount"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Seen"}}]}},{"kind":"Field","name":{"kind":"Name","value":"contentWarning"}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"UserSummary"}}]}},{"kind":"Field","name":{"kind":"Name","value":"repliedTo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"handle"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ReactionState"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Reactable"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"likeCount"}},{"kind":"Field","name":{"kind":"Name","value":"viewerReaction"}},{"kind":"Field","name":{"kind":"Name","value":"saveCount"}},{"kind":"Field","name":{"kind":"Name","value":"viewerSaved"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TextFacet"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Facet"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"utf16Start"}},{"kind":"Field","name":{"kind":"Name","value":"utf16End"}},{"kind":"Field","name":{"kind":"Name","value":"user"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"handle"}}]}},{"kind":"Field","name":{"kind":"Name","value":"topic"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AttachmentFile"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Attachment"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"alt"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}},{"kind":"Field","name":{"kind":"Name","value":"mimeType"}},{"kind":"Field","name":{"kind":"Name","value":"posterUrl"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Seen"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ContentLabel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"visibility"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UserSummary"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"handle"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"avatarUrl"}},{"kind":"Field","name":{"kind":"Name","value":"isPrivate"}},{"kind":"Field","name":{"kind":"Name","value":"viewerRelation"}}]}}]} as unknown as DocumentNode<CommentItemFragment, unknown>;
export const CommentPageFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CommentPage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CommentConnection"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"CommentItem"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ReactionState"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Reactable"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"likeCount"}},{"kind":"Field","name":{"kind":"Name","value":"viewerReaction"}},{"kind":"Field","name":{"kind":"Name","value":"saveCount"}},{"kind":"Field","name":{"kind":"Name","value":"viewerSaved"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TextFacet"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Facet"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"utf16Start"}},{"kind":"Field","name":{"kind":"Name","value":"utf16End"}},{"kind":"Field","name":{"kind":"Name","value":"user"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"handle"}}]}},{"kind":"Field","name":{"kind":"Name","value":"topic"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AttachmentFile"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Attachment"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"alt"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}},{"kind":"Field","name":{"kind":"Name","value":"mimeType"}},{"kind":"Field","name":{"kind":"Name","value":"posterUrl"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Seen"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ContentLabel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"visibility"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UserSummary"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"handle"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"avatarUrl"}},{"kind":"Field","name":{"kind":"Name","value":"isPrivate"}},{"kind":"Field","name":{"kind":"Name","value":"viewerRelation"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CommentItem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Comment"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ReactionState"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"facets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"TextFacet"}}]}},{"kind":"Field","name":{"kind":"Name","value":"attachments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"AttachmentFile"}}]}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"editedAt"}},{"kind":"Field","name":{"kind":"Name","value":"deleted"}},{"kind":"Field","name":{"kind":"Name","value":"isPinned"}},{"kind":"Field","name":{"kind":"Name","value":"auditStatus"}},{"kind":"Field","name":{"kind":"Name","value":"awaitsModerator"}},{"kind":"Field","name":{"kind":"Name","value":"floor"}},{"kind":"Field","name":{"kind":"Name","value":"replyCount"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Seen"}}]}},{"kind":"Field","name":{"kind":"Name","value":"contentWarning"}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"UserSummary"}}]}},{"kind":"Field","name":{"kind":"Name","value":"repliedTo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"handle"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}}]}}]} as unknown as DocumentNode<CommentPageFragment, unknown>;
export const RefusalFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Refusal"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"field"}}]}}]} as unknown as DocumentNode<RefusalFragment, unknown>;
export const MutedWordItemFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MutedWordItem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutedWord"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"targets"}},{"kind":"Field","name":{"kind":"Name","value":"wholeWord"}},{"kind":"Field","name":{"kind":"Name","value":"exceptFollowed"}},{"kind":"Field","name":{"kind":"Name","value":"until"}}]}}]} as unknown as DocumentNode<MutedWordItemFragment, unknown>;
export const LabelChoiceFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"LabelChoice"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"LabelPreference"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"label"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}},{"kind":"Field","name":{"kind":"Name","value":"visibility"}},{"kind":"Field","name":{"kind":"Name","value":"changeable"}}]}}]} as unknown as DocumentNode<LabelChoiceFragment, unknown>;
export const ModeratedUserFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ModeratedUser"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"handle"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"avatarUrl"}}]}}]} as unknown as DocumentNode<ModeratedUserFragment, unknown>;
export const ModeratedContentFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ModeratedContent"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Node"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Post"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","alias":{"kind":"Name","value":"postText"},"name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"editedAt"}},{"kind":"Field","name":{"kind":"Name","value":"auditStatus"}},{"kind":"Field","name":{"kind":"Name","value":"attachments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"AttachmentFile"}}]}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"source"}}]}},{"kind":"Field","name":{"kind":"Name","value":"topics"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ModeratedUser"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Comment"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","alias":{"kind":"Name","value":"commentText"},"name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"editedAt"}},{"kind":"Field","name":{"kind":"Name","value":"deleted"}},{"kind":"Field","name":{"kind":"Name","value":"auditStatus"}},{"kind":"Field","name":{"kind":"Name","value":"attachments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"AttachmentFile"}}]}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"source"}}]}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ModeratedUser"}}]}},{"kind":"Field","name":{"kind":"Name","value":"subject"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Post"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","alias":{"kind":"Name","value":"postText"},"name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"auditStatus"}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ModeratedUser"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Entity"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"business"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"root"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","alias":{"kind":"Name","value":"commentText"},"name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"deleted"}},{"kind":"Field","name":{"kind":"Name","value":"auditStatus"}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ModeratedUser"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"parent"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","alias":{"kind":"Name","value":"commentText"},"name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"deleted"}},{"kind":"Field","name":{"kind":"Name","value":"auditStatus"}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ModeratedUser"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ModeratedUser"}},{"kind":"Field","name":{"kind":"Name","value":"bio"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Entity"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"business"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ModeratedUser"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Collection"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"isPublic"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ModeratedUser"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AttachmentFile"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Attachment"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"alt"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}},{"kind":"Field","name":{"kind":"Name","value":"mimeType"}},{"kind":"Field","name":{"kind":"Name","value":"posterUrl"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ModeratedUser"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"handle"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"avatarUrl"}}]}}]} as unknown as DocumentNode<ModeratedContentFragment, unknown>;
export const CaseItemFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CaseItem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModerationEdge"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ModeratedContent"}}]}},{"kind":"Field","name":{"kind":"Name","value":"case"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"sources"}},{"kind":"Field","name":{"kind":"Name","value":"openedAt"}},{"kind":"Field","name":{"kind":"Name","value":"resolvedAt"}},{"kind":"Field","name":{"kind":"Name","value":"isBlurred"}},{"kind":"Field","name":{"kind":"Name","value":"isHeld"}},{"kind":"Field","name":{"kind":"Name","value":"appealDeadline"}},{"kind":"Field","name":{"kind":"Name","value":"appealedStatements"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"restriction"}},{"kind":"Field","name":{"kind":"Name","value":"facts"}},{"kind":"Field","name":{"kind":"Name","value":"since"}},{"kind":"Field","name":{"kind":"Name","value":"ground"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}},{"kind":"Field","name":{"kind":"Name","value":"appeal"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"reportCount"}},{"kind":"Field","name":{"kind":"Name","value":"reportReasons"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"count"}}]}},{"kind":"Field","name":{"kind":"Name","value":"newestReports"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"note"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"reporter"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ModeratedUser"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"notices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"number"}},{"kind":"Field","name":{"kind":"Name","value":"law"}},{"kind":"Field","name":{"kind":"Name","value":"explanation"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"isTrusted"}},{"kind":"Field","name":{"kind":"Name","value":"receivedAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"appeal"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"assignee"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ModeratedUser"}}]}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ModeratedUser"}}]}},{"kind":"Field","name":{"kind":"Name","value":"authorRecord"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"accountCreatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"reportsReceivedCount"}},{"kind":"Field","name":{"kind":"Name","value":"acceptedReportsReceivedCount"}},{"kind":"Field","name":{"kind":"Name","value":"reportsMadeCount"}},{"kind":"Field","name":{"kind":"Name","value":"acceptedReportsMadeCount"}},{"kind":"Field","name":{"kind":"Name","value":"rejectedCount"}},{"kind":"Field","name":{"kind":"Name","value":"warnedCount"}},{"kind":"Field","name":{"kind":"Name","value":"suspendedCount"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AttachmentFile"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Attachment"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"alt"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}},{"kind":"Field","name":{"kind":"Name","value":"mimeType"}},{"kind":"Field","name":{"kind":"Name","value":"posterUrl"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ModeratedUser"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"handle"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"avatarUrl"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ModeratedContent"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Node"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Post"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","alias":{"kind":"Name","value":"postText"},"name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"editedAt"}},{"kind":"Field","name":{"kind":"Name","value":"auditStatus"}},{"kind":"Field","name":{"kind":"Name","value":"attachments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"AttachmentFile"}}]}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"source"}}]}},{"kind":"Field","name":{"kind":"Name","value":"topics"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ModeratedUser"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Comment"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","alias":{"kind":"Name","value":"commentText"},"name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"editedAt"}},{"kind":"Field","name":{"kind":"Name","value":"deleted"}},{"kind":"Field","name":{"kind":"Name","value":"auditStatus"}},{"kind":"Field","name":{"kind":"Name","value":"attachments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"AttachmentFile"}}]}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"source"}}]}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ModeratedUser"}}]}},{"kind":"Field","name":{"kind":"Name","value":"subject"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Post"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","alias":{"kind":"Name","value":"postText"},"name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"auditStatus"}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ModeratedUser"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Entity"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"business"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"root"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","alias":{"kind":"Name","value":"commentText"},"name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"deleted"}},{"kind":"Field","name":{"kind":"Name","value":"auditStatus"}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ModeratedUser"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"parent"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","alias":{"kind":"Name","value":"commentText"},"name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"deleted"}},{"kind":"Field","name":{"kind":"Name","value":"auditStatus"}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ModeratedUser"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ModeratedUser"}},{"kind":"Field","name":{"kind":"Name","value":"bio"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Entity"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"business"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ModeratedUser"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Collection"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"isPublic"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ModeratedUser"}}]}}]}}]}}]} as unknown as DocumentNode<CaseItemFragment, unknown>;
export const SavedQueuesFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SavedQueues"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Viewer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"savedQueues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"assignment"}},{"kind":"Field","name":{"kind":"Name","value":"sort"}}]}}]}}]} as unknown as DocumentNode<SavedQueuesFragment, unknown>;
export const NotificationItemFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"NotificationItem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Notification"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"read"}},{"kind":"Field","name":{"kind":"Name","value":"isSeen"}},{"kind":"Field","name":{"kind":"Name","value":"subject"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Post"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"text"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Entity"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Comment"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","alias":{"kind":"Name","value":"commentText"},"name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"subject"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"comment"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","alias":{"kind":"Name","value":"commentText"},"name":{"kind":"Name","value":"text"}}]}},{"kind":"Field","name":{"kind":"Name","value":"actors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"UserSummary"}}]}},{"kind":"Field","name":{"kind":"Name","value":"actorCount"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UserSummary"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"handle"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"avatarUrl"}},{"kind":"Field","name":{"kind":"Name","value":"isPrivate"}},{"kind":"Field","name":{"kind":"Name","value":"viewerRelation"}}]}}]} as unknown as DocumentNode<NotificationItemFragment, unknown>;
export const ReasonedStatementFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ReasonedStatement"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Statement"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"restriction"}},{"kind":"Field","name":{"kind":"Name","value":"ground"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"facts"}},{"kind":"Field","name":{"kind":"Name","value":"foundBy"}},{"kind":"Field","name":{"kind":"Name","value":"isAutomated"}},{"kind":"Field","name":{"kind":"Name","value":"since"}},{"kind":"Field","name":{"kind":"Name","value":"until"}},{"kind":"Field","name":{"kind":"Name","value":"endedAt"}},{"kind":"Field","name":{"kind":"Name","value":"appealUntil"}},{"kind":"Field","name":{"kind":"Name","value":"appeal"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"target"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Post"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"text"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Comment"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","alias":{"kind":"Name","value":"commentText"},"name":{"kind":"Name","value":"text"}}]}}]}}]}}]} as unknown as DocumentNode<ReasonedStatementFragment, unknown>;
/* @__NO_SIDE_EFFECTS__ */ const name = (value: string) => ({ kind: "Name", value });
/* @__NO_SIDE_EFFECTS__ */ const set = (selections: object[]) => ({ kind: "SelectionSet", selections });
/* @__NO_SIDE_EFFECTS__ */ const field = (value: string) => ({ kind: "Field", name: name(value) });
/* @__NO_SIDE_EFFECTS__ */ const parent = (value: string, selections: object[]) => ({ kind: "Field", name: name(value), selectionSet: set(selections) });
/* @__NO_SIDE_EFFECTS__ */ const spread = (value: string) => ({ kind: "FragmentSpread", name: name(value) });
/* @__NO_SIDE_EFFECTS__ */ const argument = (value: string) => ({ kind: "Argument", name: name(value), value: { kind: "Variable", name: name(value) } });
/* @__NO_SIDE_EFFECTS__ */ const input = (value: string) => ({ kind: "ObjectField", name: name(value), value: { kind: "Variable", name: name(value) } });
/* @__NO_SIDE_EFFECTS__ */ const type = (value: string) => ({ kind: "NamedType", name: name(value) });
/* @__NO_SIDE_EFFECTS__ */ const required = (one: object) => ({ kind: "NonNullType", type: one });
/* @__NO_SIDE_EFFECTS__ */ const variable = (value: string, one: object) => ({ kind: "VariableDefinition", variable: { kind: "Variable", name: name(value) }, type: one });
const RefusalDefinition = {kind:"FragmentDefinition",name:name("Refusal"),typeCondition:type("UserError"),selectionSet:set([field("__typename"),field("code"),field("message"),field("field")])};
const ReactionStateDefinition = {kind:"FragmentDefinition",name:name("ReactionState"),typeCondition:type("Reactable"),selectionSet:set([field("__typename"),field("id"),field("likeCount"),field("viewerReaction"),field("saveCount"),field("viewerSaved")])};
const TextFacetDefinition = {kind:"FragmentDefinition",name:name("TextFacet"),typeCondition:type("Facet"),selectionSet:set([field("__typename"),field("kind"),field("utf16Start"),field("utf16End"),parent("user",[field("__typename"),field("id"),field("handle")]),parent("topic",[field("__typename"),field("id"),field("name")]),field("url")])};
const AttachmentFileDefinition = {kind:"FragmentDefinition",name:name("AttachmentFile"),typeCondition:type("Attachment"),selectionSet:set([field("__typename"),field("kind"),field("url"),field("alt"),field("width"),field("height"),field("mimeType"),field("posterUrl"),field("durationSeconds")])};
const SeenDefinition = {kind:"FragmentDefinition",name:name("Seen"),typeCondition:type("ContentLabel"),selectionSet:set([field("__typename"),field("name"),field("title"),field("visibility")])};
const UserSummaryDefinition = {kind:"FragmentDefinition",name:name("UserSummary"),typeCondition:type("User"),selectionSet:set([field("__typename"),field("id"),field("handle"),field("displayName"),field("avatarUrl"),field("isPrivate"),field("viewerRelation")])};
const PostCardDefinition = {kind:"FragmentDefinition",name:name("PostCard"),typeCondition:type("Post"),selectionSet:set([field("__typename"),spread("ReactionState"),field("text"),parent("facets",[field("__typename"),spread("TextFacet")]),parent("attachments",[field("__typename"),spread("AttachmentFile")]),parent("topics",[field("__typename"),field("id"),field("name")]),field("createdAt"),field("editedAt"),field("auditStatus"),field("awaitsModerator"),field("commentCount"),field("viewCount"),field("repostCount"),field("viewerHasReposted"),parent("quote",[field("__typename"),field("missing"),parent("post",[field("__typename"),field("id"),field("text"),parent("labels",[field("__typename"),spread("Seen")]),field("contentWarning"),parent("author",[field("__typename"),spread("UserSummary")])])]),parent("author",[field("__typename"),spread("UserSummary")]),parent("entity",[field("__typename"),field("id"),field("business"),field("key"),field("title")]),field("announcesEntity"),parent("labels",[field("__typename"),spread("Seen")]),field("contentWarning"),field("viewerHasHidden")])};
const EntityCardDefinition = {kind:"FragmentDefinition",name:name("EntityCard"),typeCondition:type("Entity"),selectionSet:set([field("__typename"),spread("ReactionState"),field("business"),field("key"),field("title"),field("url"),field("commentCount"),field("viewCount"),parent("labels",[field("__typename"),spread("Seen")]),parent("owner",[field("__typename"),spread("UserSummary")])])};
const SavedEntryDefinition = {kind:"FragmentDefinition",name:name("SavedEntry"),typeCondition:type("SavedItem"),selectionSet:set([field("__typename"),field("targetId"),field("savedAt"),parent("collection",[field("__typename"),field("id")]),parent("target",[field("__typename"),spread("ReactionState"),{kind:"InlineFragment",typeCondition:type("Post"),selectionSet:set([field("__typename"),spread("PostCard")])},{kind:"InlineFragment",typeCondition:type("Comment"),selectionSet:set([field("__typename"),{kind:"Field",alias:name("commentText"),name:name("text")},field("createdAt"),field("deleted"),parent("author",[field("__typename"),spread("UserSummary")]),parent("subject",[field("__typename"),field("id")])])},{kind:"InlineFragment",typeCondition:type("Entity"),selectionSet:set([field("__typename"),spread("EntityCard")])}])])};
const CommentItemDefinition = {kind:"FragmentDefinition",name:name("CommentItem"),typeCondition:type("Comment"),selectionSet:set([field("__typename"),spread("ReactionState"),field("text"),parent("facets",[field("__typename"),spread("TextFacet")]),parent("attachments",[field("__typename"),spread("AttachmentFile")]),field("createdAt"),field("editedAt"),field("deleted"),field("isPinned"),field("auditStatus"),field("awaitsModerator"),field("floor"),field("replyCount"),parent("labels",[field("__typename"),spread("Seen")]),field("contentWarning"),parent("author",[field("__typename"),spread("UserSummary")]),parent("repliedTo",[field("__typename"),field("id"),field("handle"),field("displayName")])])};
const CommentPageDefinition = {kind:"FragmentDefinition",name:name("CommentPage"),typeCondition:type("CommentConnection"),selectionSet:set([field("__typename"),parent("edges",[field("__typename"),field("cursor"),parent("node",[field("__typename"),spread("CommentItem")])]),parent("pageInfo",[field("__typename"),field("hasNextPage"),field("endCursor")])])};
const ReactionsDefinition = {kind:"FragmentDefinition",name:name("Reactions"),typeCondition:type("Reactable"),selectionSet:set([field("__typename"),field("id"),parent("reactionKinds",[field("__typename"),field("kind"),field("isLike")]),parent("reactionCounts",[field("__typename"),field("kind"),field("count")]),field("viewerReactions")])};
const PostPageDefinition = {kind:"FragmentDefinition",name:name("PostPage"),typeCondition:type("PostConnection"),selectionSet:set([field("__typename"),parent("edges",[field("__typename"),field("cursor"),field("reason"),parent("homeReason",[field("__typename"),field("kind"),parent("topic",[field("__typename"),field("id"),field("name")])]),parent("node",[field("__typename"),spread("PostCard")])]),parent("pageInfo",[field("__typename"),field("hasNextPage"),field("endCursor")])])};
const TopicSummaryDefinition = {kind:"FragmentDefinition",name:name("TopicSummary"),typeCondition:type("Topic"),selectionSet:set([field("__typename"),field("id"),field("name"),field("viewerFollows"),field("followerCount")])};
const MutedWordItemDefinition = {kind:"FragmentDefinition",name:name("MutedWordItem"),typeCondition:type("MutedWord"),selectionSet:set([field("__typename"),field("id"),field("text"),field("targets"),field("wholeWord"),field("exceptFollowed"),field("until")])};
const LabelChoiceDefinition = {kind:"FragmentDefinition",name:name("LabelChoice"),typeCondition:type("LabelPreference"),selectionSet:set([field("__typename"),parent("label",[field("__typename"),field("name"),field("title")]),field("visibility"),field("changeable")])};
const ModeratedUserDefinition = {kind:"FragmentDefinition",name:name("ModeratedUser"),typeCondition:type("User"),selectionSet:set([field("__typename"),field("id"),field("handle"),field("displayName"),field("avatarUrl")])};
const ModeratedContentDefinition = {kind:"FragmentDefinition",name:name("ModeratedContent"),typeCondition:type("Node"),selectionSet:set([field("__typename"),field("id"),{kind:"InlineFragment",typeCondition:type("Post"),selectionSet:set([field("__typename"),{kind:"Field",alias:name("postText"),name:name("text")},field("createdAt"),field("editedAt"),field("auditStatus"),parent("attachments",[field("__typename"),spread("AttachmentFile")]),parent("labels",[field("__typename"),field("name"),field("title"),field("source")]),parent("topics",[field("__typename"),field("id"),field("name")]),parent("author",[field("__typename"),spread("ModeratedUser")])])},{kind:"InlineFragment",typeCondition:type("Comment"),selectionSet:set([field("__typename"),{kind:"Field",alias:name("commentText"),name:name("text")},field("createdAt"),field("editedAt"),field("deleted"),field("auditStatus"),parent("attachments",[field("__typename"),spread("AttachmentFile")]),parent("labels",[field("__typename"),field("name"),field("title"),field("source")]),parent("author",[field("__typename"),spread("ModeratedUser")]),parent("subject",[field("__typename"),field("id"),{kind:"InlineFragment",typeCondition:type("Post"),selectionSet:set([field("__typename"),{kind:"Field",alias:name("postText"),name:name("text")},field("auditStatus"),parent("author",[field("__typename"),spread("ModeratedUser")])])},{kind:"InlineFragment",typeCondition:type("Entity"),selectionSet:set([field("__typename"),field("business"),field("key"),field("title")])}]),parent("root",[field("__typename"),field("id"),{kind:"Field",alias:name("commentText"),name:name("text")},field("deleted"),field("auditStatus"),parent("author",[field("__typename"),spread("ModeratedUser")])]),parent("parent",[field("__typename"),field("id"),{kind:"Field",alias:name("commentText"),name:name("text")},field("deleted"),field("auditStatus"),parent("author",[field("__typename"),spread("ModeratedUser")])])])},{kind:"InlineFragment",typeCondition:type("User"),selectionSet:set([field("__typename"),spread("ModeratedUser"),field("bio")])},{kind:"InlineFragment",typeCondition:type("Entity"),selectionSet:set([field("__typename"),field("business"),field("key"),field("title"),parent("owner",[field("__typename"),spread("ModeratedUser")])])},{kind:"InlineFragment",typeCondition:type("Collection"),selectionSet:set([field("__typename"),field("name"),field("isPublic"),parent("owner",[field("__typename"),spread("ModeratedUser")])])}])};
const CaseItemDefinition = {kind:"FragmentDefinition",name:name("CaseItem"),typeCondition:type("ModerationEdge"),selectionSet:set([field("__typename"),field("cursor"),field("reason"),parent("node",[field("__typename"),spread("ModeratedContent")]),parent("case",[field("__typename"),field("status"),field("sources"),field("openedAt"),field("resolvedAt"),field("isBlurred"),field("isHeld"),field("appealDeadline"),parent("appealedStatements",[field("__typename"),field("id"),field("restriction"),field("facts"),field("since"),parent("ground",[field("__typename"),field("name"),field("title")]),parent("appeal",[field("__typename"),field("text"),field("createdAt")])]),field("reportCount"),parent("reportReasons",[field("__typename"),field("reason"),field("count")]),parent("newestReports",[field("__typename"),field("reason"),field("note"),field("createdAt"),parent("reporter",[field("__typename"),spread("ModeratedUser")])]),parent("notices",[field("__typename"),field("number"),field("law"),field("explanation"),field("name"),field("email"),field("isTrusted"),field("receivedAt")]),parent("appeal",[field("__typename"),field("text"),field("createdAt")]),parent("assignee",[field("__typename"),spread("ModeratedUser")]),parent("author",[field("__typename"),spread("ModeratedUser")]),parent("authorRecord",[field("__typename"),field("accountCreatedAt"),field("reportsReceivedCount"),field("acceptedReportsReceivedCount"),field("reportsMadeCount"),field("acceptedReportsMadeCount"),field("rejectedCount"),field("warnedCount"),field("suspendedCount")])])])};
const SavedQueuesDefinition = {kind:"FragmentDefinition",name:name("SavedQueues"),typeCondition:type("Viewer"),selectionSet:set([field("__typename"),field("id"),parent("savedQueues",[field("__typename"),field("name"),field("status"),field("kind"),field("source"),field("assignment"),field("sort")])])};
const NotificationItemDefinition = {kind:"FragmentDefinition",name:name("NotificationItem"),typeCondition:type("Notification"),selectionSet:set([field("__typename"),field("id"),field("kind"),field("message"),field("createdAt"),field("updatedAt"),field("read"),field("isSeen"),parent("subject",[field("__typename"),field("id"),{kind:"InlineFragment",typeCondition:type("Post"),selectionSet:set([field("__typename"),field("text")])},{kind:"InlineFragment",typeCondition:type("Entity"),selectionSet:set([field("__typename"),field("title")])},{kind:"InlineFragment",typeCondition:type("Comment"),selectionSet:set([field("__typename"),{kind:"Field",alias:name("commentText"),name:name("text")},parent("subject",[field("__typename"),field("id")])])}]),parent("comment",[field("__typename"),field("id"),{kind:"Field",alias:name("commentText"),name:name("text")}]),parent("actors",[field("__typename"),spread("UserSummary")]),field("actorCount")])};
const ReasonedStatementDefinition = {kind:"FragmentDefinition",name:name("ReasonedStatement"),typeCondition:type("Statement"),selectionSet:set([field("__typename"),field("id"),field("restriction"),parent("ground",[field("__typename"),field("title"),field("url")]),field("facts"),field("foundBy"),field("isAutomated"),field("since"),field("until"),field("endedAt"),field("appealUntil"),parent("appeal",[field("__typename"),field("text"),field("status"),field("createdAt")]),parent("target",[field("__typename"),field("id"),{kind:"InlineFragment",typeCondition:type("Post"),selectionSet:set([field("__typename"),field("text")])},{kind:"InlineFragment",typeCondition:type("Comment"),selectionSet:set([field("__typename"),{kind:"Field",alias:name("commentText"),name:name("text")}])}])])};
export const AccountDocument = {"__meta__":{"hash":"4b2c0b497bc233c8cfd51f95ff6417e62a64b4341961ce94224bb362bcfec742"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Account"),selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),parent("deletion",[field("__typename"),field("state"),field("mode"),field("dueAt")]),parent("export",[field("__typename"),field("state"),field("url"),field("expiresAt")])])])}]} as unknown as DocumentNode<AccountQuery, AccountQueryVariables>;
export const ExportUserDocument = {"__meta__":{"hash":"99a62fbbf26f67b9fe2e27aba9b2cd76d7b06090418c63bc5e1a82449ee5e2dc"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("ExportUser"),selectionSet:set([field("__typename"),{kind:"Field",name:name("exportUser"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[]}}],selectionSet:set([field("__typename"),parent("export",[field("__typename"),field("state"),field("url"),field("expiresAt")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<ExportUserMutation, ExportUserMutationVariables>;
export const DeleteUserDocument = {"__meta__":{"hash":"60873a5a2298294f8b367e21a13cd6b0f250fd2dd28448e5391dcbf0f471707d"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("DeleteUser"),variableDefinitions:[variable("mode",required(type("DeletionMode"))),variable("graceDays",type("Int")),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("deleteUser"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("mode"),input("graceDays"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("deletion",[field("__typename"),field("state"),field("mode"),field("dueAt")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<DeleteUserMutation, DeleteUserMutationVariables>;
export const CancelDeletionDocument = {"__meta__":{"hash":"eaafdc4f05b28eb9a1414a449ac4f359239ef808409af09028ff43bc16ff2676"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("CancelDeletion"),variableDefinitions:[variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("cancelDeletion"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("deletion",[field("__typename"),field("state"),field("mode"),field("dueAt")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<CancelDeletionMutation, CancelDeletionMutationVariables>;
export const SetLanguageDocument = {"__meta__":{"hash":"92289d23696c423115fe9ed93ee92456357f1c40c225938f8f2069ddac6d6467"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("SetLanguage"),variableDefinitions:[variable("language",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("setLanguage"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("language")]}}],selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),field("language")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<SetLanguageMutation, SetLanguageMutationVariables>;
export const LanguageDocument = {"__meta__":{"hash":"c859dc1c954b501fb245784e8eac1df943f2c095b6c67df0a32b0749dfccc2f8"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Language"),selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),field("language")])])}]} as unknown as DocumentNode<LanguageQuery, LanguageQueryVariables>;
export const SavedDocument = {"__meta__":{"hash":"3d95dff13cb185ef42eeded53b1d2b81523bfc08e9bca6b9e8aa06ebdb7024a9"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Saved"),variableDefinitions:[variable("kind",type("SavedKind")),{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"20"}},variable("after",type("String"))],selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),{kind:"Field",name:name("saved"),arguments:[argument("kind"),argument("first"),argument("after")],selectionSet:set([field("__typename"),parent("edges",[field("__typename"),field("cursor"),parent("node",[field("__typename"),spread("SavedEntry"),parent("collection",[field("__typename"),field("id"),field("name")])])]),parent("pageInfo",[field("__typename"),field("hasNextPage"),field("endCursor")])])}])])},ReactionStateDefinition,TextFacetDefinition,AttachmentFileDefinition,SeenDefinition,UserSummaryDefinition,PostCardDefinition,EntityCardDefinition,SavedEntryDefinition]} as unknown as DocumentNode<SavedQuery, SavedQueryVariables>;
export const CollectionsDocument = {"__meta__":{"hash":"3e9793e547c1ac5f657235fb2ec874ac35341749bb71c3616186a62e2cba98d1"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Collections"),variableDefinitions:[{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"50"}},variable("after",type("String"))],selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),{kind:"Field",name:name("collections"),arguments:[argument("first"),argument("after")],selectionSet:set([field("__typename"),parent("edges",[field("__typename"),field("cursor"),parent("node",[field("__typename"),field("id"),field("name"),field("isPublic"),field("createdAt")])]),parent("pageInfo",[field("__typename"),field("hasNextPage"),field("endCursor")])])}])])}]} as unknown as DocumentNode<CollectionsQuery, CollectionsQueryVariables>;
export const CollectionDocument = {"__meta__":{"hash":"094d2e9d2c5b2a05d991516600ba75bbacdbb30b83e5efd75293bcd5f7b1b143"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Collection"),variableDefinitions:[variable("id",required(type("ID"))),{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"20"}},variable("after",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("node"),arguments:[argument("id")],selectionSet:set([field("__typename"),field("id"),{kind:"InlineFragment",typeCondition:type("Collection"),selectionSet:set([field("__typename"),field("name"),field("isPublic"),parent("owner",[field("__typename"),spread("UserSummary")]),{kind:"Field",name:name("items"),arguments:[argument("first"),argument("after")],selectionSet:set([field("__typename"),parent("edges",[field("__typename"),field("cursor"),parent("node",[field("__typename"),spread("SavedEntry")])]),parent("pageInfo",[field("__typename"),field("hasNextPage"),field("endCursor")])])}])}])}])},ReactionStateDefinition,TextFacetDefinition,AttachmentFileDefinition,SeenDefinition,UserSummaryDefinition,PostCardDefinition,EntityCardDefinition,SavedEntryDefinition]} as unknown as DocumentNode<CollectionQuery, CollectionQueryVariables>;
export const CreateCollectionDocument = {"__meta__":{"hash":"4463644436419667c5be13e6ce011bdbf41e388d7b2f580e60e15de9b80e5ca4"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("CreateCollection"),variableDefinitions:[variable("name",required(type("String"))),{kind:"VariableDefinition",variable:{kind:"Variable",name:name("isPublic")},type:required(type("Boolean")),defaultValue:{kind:"BooleanValue",value:false}},variable("idempotencyKey",required(type("String")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("createCollection"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("name"),input("isPublic"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("collection",[field("__typename"),field("id"),field("name"),field("isPublic"),field("createdAt")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<CreateCollectionMutation, CreateCollectionMutationVariables>;
export const DeleteCollectionDocument = {"__meta__":{"hash":"39d16fd7ab0c5d7f53fb63742217312c05a01d5e7a9bfc58067f773fc28b5883"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("DeleteCollection"),variableDefinitions:[variable("id",required(type("ID"))),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("deleteCollection"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[{kind:"ObjectField",name:name("collectionId"),value:{kind:"Variable",name:name("id")}},input("idempotencyKey")]}}],selectionSet:set([field("__typename"),field("deletedId"),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<DeleteCollectionMutation, DeleteCollectionMutationVariables>;
export const CommentsDocument = {"__meta__":{"hash":"213f0c8425cad8e101046c0eb5c8dead8eca2f01721e36f8a22a90cb9715d721"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Comments"),variableDefinitions:[variable("subjectId",required(type("ID"))),{kind:"VariableDefinition",variable:{kind:"Variable",name:name("sort")},type:required(type("CommentSort")),defaultValue:{kind:"EnumValue",value:"HOT"}},{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"20"}},variable("after",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("node"),arguments:[{kind:"Argument",name:name("id"),value:{kind:"Variable",name:name("subjectId")}}],selectionSet:set([field("__typename"),field("id"),{kind:"InlineFragment",typeCondition:type("Commentable"),selectionSet:set([field("__typename"),field("commentCount"),{kind:"Field",name:name("comments"),arguments:[argument("sort"),argument("first"),argument("after")],selectionSet:set([field("__typename"),spread("CommentPage")])}])}])}])},ReactionStateDefinition,TextFacetDefinition,AttachmentFileDefinition,SeenDefinition,UserSummaryDefinition,CommentItemDefinition,CommentPageDefinition]} as unknown as DocumentNode<CommentsQuery, CommentsQueryVariables>;
export const RepliesDocument = {"__meta__":{"hash":"3c8c6c4839e414a561d7272001cf2c42e59df8b5a2be59d1f70f5155e092b89c"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Replies"),variableDefinitions:[variable("commentId",required(type("ID"))),{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"20"}},variable("after",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("node"),arguments:[{kind:"Argument",name:name("id"),value:{kind:"Variable",name:name("commentId")}}],selectionSet:set([field("__typename"),field("id"),{kind:"InlineFragment",typeCondition:type("Comment"),selectionSet:set([field("__typename"),field("replyCount"),{kind:"Field",name:name("replies"),arguments:[argument("first"),argument("after")],selectionSet:set([field("__typename"),spread("CommentPage")])}])}])}])},ReactionStateDefinition,TextFacetDefinition,AttachmentFileDefinition,SeenDefinition,UserSummaryDefinition,CommentItemDefinition,CommentPageDefinition]} as unknown as DocumentNode<RepliesQuery, RepliesQueryVariables>;
export const AddCommentDocument = {"__meta__":{"hash":"3f5765c12d4ee6b8e548e97926d76edcf56961830dedaec9ac247792242d174a"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("AddComment"),variableDefinitions:[variable("subjectId",required(type("ID"))),variable("replyToId",type("ID")),variable("text",required(type("String"))),variable("idempotencyKey",required(type("String")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("addComment"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("subjectId"),input("replyToId"),input("text"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("comment",[field("__typename"),spread("CommentItem"),parent("root",[field("__typename"),field("id"),field("replyCount")]),parent("subject",[field("__typename"),field("id"),field("commentCount"),field("rootCommentCount")])]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},ReactionStateDefinition,TextFacetDefinition,AttachmentFileDefinition,SeenDefinition,UserSummaryDefinition,CommentItemDefinition,RefusalDefinition]} as unknown as DocumentNode<AddCommentMutation, AddCommentMutationVariables>;
export const EditCommentDocument = {"__meta__":{"hash":"a945a21f9baf0677cbef7e6399c82609b5a2b7f7d2e7fe3d40d7d0bbfd6425ce"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("EditComment"),variableDefinitions:[variable("commentId",required(type("ID"))),variable("text",required(type("String"))),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("editComment"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("commentId"),input("text"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("comment",[field("__typename"),spread("CommentItem")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},ReactionStateDefinition,TextFacetDefinition,AttachmentFileDefinition,SeenDefinition,UserSummaryDefinition,CommentItemDefinition,RefusalDefinition]} as unknown as DocumentNode<EditCommentMutation, EditCommentMutationVariables>;
export const DeleteCommentDocument = {"__meta__":{"hash":"8bdb568ac36740d3697af324be268bee7ca5d1fc8e7c8be6abe364c70bc512f0"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("DeleteComment"),variableDefinitions:[variable("id",required(type("ID")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("deleteComment"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[{kind:"ObjectField",name:name("commentId"),value:{kind:"Variable",name:name("id")}}]}}],selectionSet:set([field("__typename"),parent("comment",[field("__typename"),spread("CommentItem")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},ReactionStateDefinition,TextFacetDefinition,AttachmentFileDefinition,SeenDefinition,UserSummaryDefinition,CommentItemDefinition,RefusalDefinition]} as unknown as DocumentNode<DeleteCommentMutation, DeleteCommentMutationVariables>;
export const CommentSubjectDocument = {"__meta__":{"hash":"65d07844988beb6aaae86af01cb87b0f6d484d57d13530dc3c88ed74daa2341d"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("CommentSubject"),variableDefinitions:[variable("id",required(type("ID")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("node"),arguments:[argument("id")],selectionSet:set([field("__typename"),field("id"),{kind:"InlineFragment",typeCondition:type("Commentable"),selectionSet:set([field("__typename"),field("commentCount"),field("rootCommentCount"),field("commentsClosed"),field("viewerCanComment")])}])}])}]} as unknown as DocumentNode<CommentSubjectQuery, CommentSubjectQueryVariables>;
export const EntityDocument = {"__meta__":{"hash":"45bcb69775aa229c9bed7ac3434c485635353167bf41a9ee2b1b51ed27b64a4c"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Entity"),variableDefinitions:[variable("id",required(type("ID")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("node"),arguments:[argument("id")],selectionSet:set([field("__typename"),field("id"),{kind:"InlineFragment",typeCondition:type("Entity"),selectionSet:set([field("__typename"),spread("EntityCard"),spread("Reactions"),field("rootCommentCount"),field("commentsClosed"),field("viewerCanComment")])}])}])},ReactionStateDefinition,SeenDefinition,UserSummaryDefinition,EntityCardDefinition,ReactionsDefinition]} as unknown as DocumentNode<EntityQuery, EntityQueryVariables>;
export const HomeDocument = {"__meta__":{"hash":"5f0c5c47bb1551b4c5b5c4adb2a7695779ff88b9fd8738123cef4dcbcdb78eeb"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Home"),variableDefinitions:[{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"20"}},variable("after",type("String"))],selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),{kind:"Field",name:name("home"),arguments:[argument("first"),argument("after")],selectionSet:set([field("__typename"),spread("PostPage"),parent("edges",[field("__typename"),field("cursor"),{kind:"Field",name:name("repostedBy"),arguments:[{kind:"Argument",name:name("first"),value:{kind:"IntValue",value:"1"}}],selectionSet:set([field("__typename"),field("totalCount"),parent("nodes",[field("__typename"),spread("UserSummary")])])}])])}])])},ReactionStateDefinition,TextFacetDefinition,AttachmentFileDefinition,SeenDefinition,UserSummaryDefinition,PostCardDefinition,PostPageDefinition]} as unknown as DocumentNode<HomeQuery, HomeQueryVariables>;
export const NewInHomeDocument = {"__meta__":{"hash":"99f22010d50466b2f6113acc88018af6ce39175050d7ef1c445dca5c3b1563a6"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("NewInHome"),variableDefinitions:[variable("since",required(type("String")))],selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),{kind:"Field",name:name("homeNewCount"),arguments:[argument("since")]}])])}]} as unknown as DocumentNode<NewInHomeQuery, NewInHomeQueryVariables>;
export const NewerInHomeDocument = {"__meta__":{"hash":"70e65728127d7751cf9e9de6fb80488130eec2c4474936fc4f8380594fbe1c43"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("NewerInHome"),variableDefinitions:[{kind:"VariableDefinition",variable:{kind:"Variable",name:name("last")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"20"}},variable("before",required(type("String")))],selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),{kind:"Field",name:name("home"),arguments:[argument("last"),argument("before"),{kind:"Argument",name:name("filter"),value:{kind:"ObjectValue",fields:[]}}],selectionSet:set([field("__typename"),parent("nodes",[field("__typename"),field("id")]),parent("pageInfo",[field("__typename"),field("hasPreviousPage")])])}])])}]} as unknown as DocumentNode<NewerInHomeQuery, NewerInHomeQueryVariables>;
export const RecommendedDocument = {"__meta__":{"hash":"5513b0de0af0ecc020e46347de4f95882b3e5c6cbe5184091e9d52904ccb737a"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Recommended"),variableDefinitions:[{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"20"}},variable("after",type("String"))],selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),{kind:"Field",name:name("recommended"),arguments:[argument("first"),argument("after")],selectionSet:set([field("__typename"),spread("PostPage")])}])])},ReactionStateDefinition,TextFacetDefinition,AttachmentFileDefinition,SeenDefinition,UserSummaryDefinition,PostCardDefinition,PostPageDefinition]} as unknown as DocumentNode<RecommendedQuery, RecommendedQueryVariables>;
export const SquareDocument = {"__meta__":{"hash":"eaad277f1369a68ff4c8c58be5279eef0bedd1e3729fa276a803d0d5b5c08c1b"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Square"),variableDefinitions:[{kind:"VariableDefinition",variable:{kind:"Variable",name:name("sort")},type:required(type("TimelineSort")),defaultValue:{kind:"EnumValue",value:"LATEST"}},{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"20"}},variable("after",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("square"),arguments:[argument("sort"),argument("first"),argument("after")],selectionSet:set([field("__typename"),spread("PostPage")])}])},ReactionStateDefinition,TextFacetDefinition,AttachmentFileDefinition,SeenDefinition,UserSummaryDefinition,PostCardDefinition,PostPageDefinition]} as unknown as DocumentNode<SquareQuery, SquareQueryVariables>;
export const TopicFeedDocument = {"__meta__":{"hash":"678bc24b9fa961afa4418f59e5b705e8ac6fc8f4d51de9bc4b545d6946b6115b"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("TopicFeed"),variableDefinitions:[variable("name",required(type("String"))),{kind:"VariableDefinition",variable:{kind:"Variable",name:name("sort")},type:required(type("TimelineSort")),defaultValue:{kind:"EnumValue",value:"LATEST"}},{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"20"}},variable("after",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("topic"),arguments:[argument("name")],selectionSet:set([field("__typename"),spread("TopicSummary"),field("postCount"),{kind:"Field",name:name("posts"),arguments:[argument("sort"),argument("first"),argument("after")],selectionSet:set([field("__typename"),spread("PostPage")])}])}])},ReactionStateDefinition,TextFacetDefinition,AttachmentFileDefinition,SeenDefinition,UserSummaryDefinition,PostCardDefinition,TopicSummaryDefinition,PostPageDefinition]} as unknown as DocumentNode<TopicFeedQuery, TopicFeedQueryVariables>;
export const UserFeedDocument = {"__meta__":{"hash":"dcde08a81794cfb137e3178974381b88a48d09c1f312ae3da176476a5a72f21b"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("UserFeed"),variableDefinitions:[variable("handle",required(type("String"))),{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"20"}},variable("after",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("user"),arguments:[argument("handle")],selectionSet:set([field("__typename"),field("id"),{kind:"Field",name:name("posts"),arguments:[argument("first"),argument("after")],selectionSet:set([field("__typename"),spread("PostPage")])}])}])},ReactionStateDefinition,TextFacetDefinition,AttachmentFileDefinition,SeenDefinition,UserSummaryDefinition,PostCardDefinition,PostPageDefinition]} as unknown as DocumentNode<UserFeedQuery, UserFeedQueryVariables>;
export const HomePostAddedDocument = {"__meta__":{"hash":"d8a3592561dee98be0584b60b196e7cbc671542fac61ab20350ad700ac22392e"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"subscription",name:name("HomePostAdded"),selectionSet:set([parent("homePostAdded",[field("__typename"),field("cursor"),parent("node",[field("__typename"),spread("PostCard")])])])},ReactionStateDefinition,TextFacetDefinition,AttachmentFileDefinition,SeenDefinition,UserSummaryDefinition,PostCardDefinition]} as unknown as DocumentNode<HomePostAddedSubscription, HomePostAddedSubscriptionVariables>;
export const MutedWordsDocument = {"__meta__":{"hash":"abd4a40d6bf049e6bf05501cfa6d616503bcfc7188fa30f0dd6c3e32f6bc21ef"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("MutedWords"),selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),parent("mutedWords",[field("__typename"),spread("MutedWordItem")])])])},MutedWordItemDefinition]} as unknown as DocumentNode<MutedWordsQuery, MutedWordsQueryVariables>;
export const MuteWordsDocument = {"__meta__":{"hash":"ad0092f62243c10bee3391f9526d589bca82327e62ea1e644d7a5150123c34ae"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("MuteWords"),variableDefinitions:[variable("words",required({kind:"ListType",type:required(type("MutedWordInput"))})),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("muteWords"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("words"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),parent("mutedWords",[field("__typename"),spread("MutedWordItem")])]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},MutedWordItemDefinition,RefusalDefinition]} as unknown as DocumentNode<MuteWordsMutation, MuteWordsMutationVariables>;
export const UnmuteWordsDocument = {"__meta__":{"hash":"a64d07bf772bb8d4322e4307928dc9a1646f78c83172ce28e86fcf56e1907802"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("UnmuteWords"),variableDefinitions:[{kind:"VariableDefinition",variable:{kind:"Variable",name:name("ids")},type:required({kind:"ListType",type:required(type("ID"))}),defaultValue:{kind:"ListValue",values:[]}},{kind:"VariableDefinition",variable:{kind:"Variable",name:name("texts")},type:required({kind:"ListType",type:required(type("String"))}),defaultValue:{kind:"ListValue",values:[]}},variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("unmuteWords"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("ids"),input("texts"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),parent("mutedWords",[field("__typename"),spread("MutedWordItem")])]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},MutedWordItemDefinition,RefusalDefinition]} as unknown as DocumentNode<UnmuteWordsMutation, UnmuteWordsMutationVariables>;
export const HidePostDocument = {"__meta__":{"hash":"df654c50b1f65f504851aaac459a4e5c6e767478240a7105edd39127f0313231"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("HidePost"),variableDefinitions:[variable("postId",required(type("ID"))),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("hidePost"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("postId"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("post",[field("__typename"),field("id"),field("viewerHasHidden")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<HidePostMutation, HidePostMutationVariables>;
export const UnhidePostDocument = {"__meta__":{"hash":"0805fb7751175a67428c24310f3c848185a38b431084f8effa0b4372f40242c5"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("UnhidePost"),variableDefinitions:[variable("postId",required(type("ID"))),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("unhidePost"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("postId"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("post",[field("__typename"),field("id"),field("viewerHasHidden")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<UnhidePostMutation, UnhidePostMutationVariables>;
export const ShowLessDocument = {"__meta__":{"hash":"53258b0d715a396422b79051ea75e21081940e9f55e0552fb8513a74754fb74d"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("ShowLess"),variableDefinitions:[variable("postId",required(type("ID"))),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("showLess"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("postId"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("post",[field("__typename"),field("id"),field("viewerHasHidden")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<ShowLessMutation, ShowLessMutationVariables>;
export const LabelPreferencesDocument = {"__meta__":{"hash":"b6471f03ce2a92e3f7089d4126e4cbd564d52fc2403bbb3aeed9776cb536646c"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("LabelPreferences"),selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),field("ageBand"),parent("labelPreferences",[field("__typename"),spread("LabelChoice")])])])},LabelChoiceDefinition]} as unknown as DocumentNode<LabelPreferencesQuery, LabelPreferencesQueryVariables>;
export const SetLabelPreferencesDocument = {"__meta__":{"hash":"e79fd2b98b309d50314407ebf9de6690f2da231568127ef1ab9b59982dd2d78c"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("SetLabelPreferences"),variableDefinitions:[variable("preferences",required({kind:"ListType",type:required(type("LabelPreferenceInput"))})),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("setLabelPreferences"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("preferences"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),parent("labelPreferences",[field("__typename"),spread("LabelChoice")])]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},LabelChoiceDefinition,RefusalDefinition]} as unknown as DocumentNode<SetLabelPreferencesMutation, SetLabelPreferencesMutationVariables>;
export const ModeratorDocument = {"__meta__":{"hash":"f35e99193e1c2df19baf394546c239a7a721b0b0abc2c508abe758d83e73c077"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Moderator"),selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),field("moderationRole"),parent("user",[field("__typename"),spread("ModeratedUser")])])])},ModeratedUserDefinition]} as unknown as DocumentNode<ModeratorQuery, ModeratorQueryVariables>;
export const ModerationQueueDocument = {"__meta__":{"hash":"f55f15a72d539a0bbf6965accd5235fbbc10ba567bc0f011430498804354ef47"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("ModerationQueue"),variableDefinitions:[{kind:"VariableDefinition",variable:{kind:"Variable",name:name("status")},type:required(type("CaseStatus")),defaultValue:{kind:"EnumValue",value:"OPEN"}},variable("kind",type("CaseKind")),variable("source",type("ModerationSource")),variable("assignment",type("CaseAssignment")),{kind:"VariableDefinition",variable:{kind:"Variable",name:name("sort")},type:required(type("CaseOrder")),defaultValue:{kind:"EnumValue",value:"OLDEST"}},{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"20"}},variable("after",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("moderationQueue"),arguments:[argument("status"),argument("kind"),argument("source"),argument("assignment"),argument("sort"),argument("first"),argument("after")],selectionSet:set([field("__typename"),parent("edges",[field("__typename"),spread("CaseItem")]),parent("pageInfo",[field("__typename"),field("hasNextPage"),field("endCursor")])])}])},AttachmentFileDefinition,ModeratedUserDefinition,ModeratedContentDefinition,CaseItemDefinition]} as unknown as DocumentNode<ModerationQueueQuery, ModerationQueueQueryVariables>;
export const ModerationQueueChangesDocument = {"__meta__":{"hash":"ad6d8827f29df70ecf3b39c7330b3b1d5b4119ebdb7423fe0849d2917a21b01e"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("ModerationQueueChanges"),variableDefinitions:[{kind:"VariableDefinition",variable:{kind:"Variable",name:name("status")},type:required(type("CaseStatus")),defaultValue:{kind:"EnumValue",value:"OPEN"}},variable("kind",type("CaseKind")),variable("source",type("ModerationSource")),variable("assignment",type("CaseAssignment")),{kind:"VariableDefinition",variable:{kind:"Variable",name:name("sort")},type:required(type("CaseOrder")),defaultValue:{kind:"EnumValue",value:"OLDEST"}},{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"20"}}],selectionSet:set([field("__typename"),{kind:"Field",name:name("moderationQueue"),arguments:[argument("status"),argument("kind"),argument("source"),argument("assignment"),argument("sort"),{kind:"Argument",name:name("business"),value:{kind:"NullValue"}},argument("first")],selectionSet:set([field("__typename"),parent("edges",[field("__typename"),parent("node",[field("__typename"),field("id")]),parent("case",[field("__typename"),field("openedAt"),field("reportCount"),parent("assignee",[field("__typename"),field("id")])])])])}])}]} as unknown as DocumentNode<ModerationQueueChangesQuery, ModerationQueueChangesQueryVariables>;
export const DecisionsDocument = {"__meta__":{"hash":"6bf8e5611562784b90b910ad95cccac5d0fefb1bf4b9a144e45fe8d8d2a4a296"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Decisions"),variableDefinitions:[variable("targetId",required(type("ID"))),{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"10"}}],selectionSet:set([field("__typename"),{kind:"Field",name:name("moderationLog"),arguments:[argument("targetId"),argument("first")],selectionSet:set([field("__typename"),parent("edges",[field("__typename"),field("cursor"),parent("node",[field("__typename"),field("createdAt"),field("action"),field("role"),field("reason"),field("before"),field("after"),parent("actor",[field("__typename"),spread("ModeratedUser")])])]),parent("pageInfo",[field("__typename"),field("hasNextPage"),field("endCursor")])])}])},ModeratedUserDefinition]} as unknown as DocumentNode<DecisionsQuery, DecisionsQueryVariables>;
export const ModerationLogDocument = {"__meta__":{"hash":"ab7a8677a0f8d56506fc48f5b99a4c8f61dba01521db7ae3c178f813eff38420"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("ModerationLog"),variableDefinitions:[variable("targetId",type("ID")),variable("userId",type("ID")),variable("actorId",type("ID")),{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"50"}},variable("after",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("moderationLog"),arguments:[argument("targetId"),argument("userId"),argument("actorId"),argument("first"),argument("after")],selectionSet:set([field("__typename"),parent("edges",[field("__typename"),field("cursor"),parent("node",[field("__typename"),field("createdAt"),field("action"),field("role"),field("reason"),field("before"),field("after"),parent("actor",[field("__typename"),spread("ModeratedUser")]),parent("user",[field("__typename"),spread("ModeratedUser")]),parent("target",[field("__typename"),spread("ModeratedContent")])])]),parent("pageInfo",[field("__typename"),field("hasNextPage"),field("endCursor")])])}])},AttachmentFileDefinition,ModeratedUserDefinition,ModeratedContentDefinition]} as unknown as DocumentNode<ModerationLogQuery, ModerationLogQueryVariables>;
export const ModeratedNodeDocument = {"__meta__":{"hash":"a96b43a3a855c76a2f755a3aab1dac06c76aac20695d6758d7378a0c66a1b524"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("ModeratedNode"),variableDefinitions:[variable("id",required(type("ID")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("node"),arguments:[argument("id")],selectionSet:set([field("__typename"),spread("ModeratedContent")])}])},AttachmentFileDefinition,ModeratedUserDefinition,ModeratedContentDefinition]} as unknown as DocumentNode<ModeratedNodeQuery, ModeratedNodeQueryVariables>;
export const SuspensionDocument = {"__meta__":{"hash":"980029473045a1d462c012c90be4021594d7f941e36dca80681c1d953a3dd57e"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Suspension"),variableDefinitions:[variable("userId",required(type("ID")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("node"),arguments:[{kind:"Argument",name:name("id"),value:{kind:"Variable",name:name("userId")}}],selectionSet:set([field("__typename"),field("id"),{kind:"InlineFragment",typeCondition:type("User"),selectionSet:set([field("__typename"),parent("suspension",[field("__typename"),field("mode"),field("until"),field("reason")])])}])}])}]} as unknown as DocumentNode<SuspensionQuery, SuspensionQueryVariables>;
export const ModeratedProfileDocument = {"__meta__":{"hash":"d2091f4c1f3b0bb8ab06548b305fcf8b499eb14ee194c72274e13e9e0a4a9cbc"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("ModeratedProfile"),variableDefinitions:[variable("id",required(type("ID")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("node"),arguments:[argument("id")],selectionSet:set([field("__typename"),field("id"),{kind:"InlineFragment",typeCondition:type("User"),selectionSet:set([field("__typename"),spread("ModeratedUser"),field("bio"),field("createdAt"),parent("suspension",[field("__typename"),field("mode"),field("until"),field("reason")]),{kind:"Field",name:name("posts"),arguments:[{kind:"Argument",name:name("first"),value:{kind:"IntValue",value:"5"}}],selectionSet:set([field("__typename"),parent("edges",[field("__typename"),field("cursor"),parent("node",[field("__typename"),spread("ModeratedContent")])]),parent("pageInfo",[field("__typename"),field("hasNextPage"),field("endCursor")])])},{kind:"Field",name:name("collections"),arguments:[{kind:"Argument",name:name("first"),value:{kind:"IntValue",value:"20"}}],selectionSet:set([field("__typename"),parent("edges",[field("__typename"),field("cursor"),parent("node",[field("__typename"),field("id"),field("name")])]),parent("pageInfo",[field("__typename"),field("hasNextPage"),field("endCursor")])])}])}])}])},AttachmentFileDefinition,ModeratedUserDefinition,ModeratedContentDefinition]} as unknown as DocumentNode<ModeratedProfileQuery, ModeratedProfileQueryVariables>;
export const UserIdDocument = {"__meta__":{"hash":"b8d5b18bca5b2aa1b54fe2392bed1911c664d3f486cb3ffed0d82f57cd33a2d4"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("UserId"),variableDefinitions:[variable("handle",required(type("String")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("user"),arguments:[argument("handle")],selectionSet:set([field("__typename"),field("id")])}])}]} as unknown as DocumentNode<UserIdQuery, UserIdQueryVariables>;
export const ModerateDocument = {"__meta__":{"hash":"63228301133d3a25fbac8bd6ba2fe5589d0742ff8991ab0722af6defc0ae6b2a"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("Moderate"),variableDefinitions:[variable("targetId",required(type("ID"))),variable("decision",required(type("ModerationDecision"))),variable("reason",required(type("String"))),variable("ground",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("moderate"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("targetId"),input("decision"),input("reason"),input("ground")]}}],selectionSet:set([field("__typename"),parent("target",[field("__typename"),field("id"),{kind:"InlineFragment",typeCondition:type("Post"),selectionSet:set([field("__typename"),field("auditStatus")])},{kind:"InlineFragment",typeCondition:type("Comment"),selectionSet:set([field("__typename"),field("auditStatus")])}]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<ModerateMutation, ModerateMutationVariables>;
export const ResolveReportsDocument = {"__meta__":{"hash":"c2731d72023c7a02d7d7c2e19a5f1feb7c9f76ae7cc63d56a5c5f634d9fd1b0d"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("ResolveReports"),variableDefinitions:[variable("targetId",required(type("ID"))),variable("resolution",required(type("ReportResolution"))),variable("reason",required(type("String"))),variable("ground",type("String")),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("resolveReports"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("targetId"),input("resolution"),input("reason"),input("ground"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("target",[field("__typename"),field("id")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<ResolveReportsMutation, ResolveReportsMutationVariables>;
export const GroundsDocument = {"__meta__":{"hash":"6bdb79257b774ee59e4bda488d0971b15cd0297c93c6787398e7983b96f97dab"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Grounds"),selectionSet:set([field("__typename"),parent("grounds",[field("__typename"),field("name"),field("title"),field("reasons")])])}]} as unknown as DocumentNode<GroundsQuery, GroundsQueryVariables>;
export const EditHistoryDocument = {"__meta__":{"hash":"8caf41f1ee802faa567f52fa40e46107767c5401a8e050861008986cbcf955cd"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("EditHistory"),variableDefinitions:[variable("id",required(type("ID")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("node"),arguments:[argument("id")],selectionSet:set([field("__typename"),field("id"),{kind:"InlineFragment",typeCondition:type("Post"),selectionSet:set([field("__typename"),{kind:"Field",name:name("editHistory"),arguments:[{kind:"Argument",name:name("first"),value:{kind:"IntValue",value:"50"}}],selectionSet:set([field("__typename"),parent("edges",[field("__typename"),field("cursor"),parent("node",[field("__typename"),field("text"),field("createdAt"),parent("attachments",[field("__typename"),spread("AttachmentFile")])])]),parent("pageInfo",[field("__typename"),field("hasNextPage"),field("endCursor")])])}])},{kind:"InlineFragment",typeCondition:type("Comment"),selectionSet:set([field("__typename"),{kind:"Field",name:name("editHistory"),arguments:[{kind:"Argument",name:name("first"),value:{kind:"IntValue",value:"50"}}],selectionSet:set([field("__typename"),parent("edges",[field("__typename"),field("cursor"),parent("node",[field("__typename"),field("text"),field("createdAt"),parent("attachments",[field("__typename"),spread("AttachmentFile")])])]),parent("pageInfo",[field("__typename"),field("hasNextPage"),field("endCursor")])])}])}])}])},AttachmentFileDefinition]} as unknown as DocumentNode<EditHistoryQuery, EditHistoryQueryVariables>;
export const TransparencyDocument = {"__meta__":{"hash":"f83b9e394c35069ccb0f8334caa60be3fb1bd6c331f179f60a98c562d36ed551"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Transparency"),variableDefinitions:[variable("from",required(type("DateTime"))),variable("to",required(type("DateTime")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("transparency"),arguments:[argument("from"),argument("to")],selectionSet:set([field("__typename"),field("csv"),parent("counts",[field("__typename"),field("part"),field("indicator"),field("category"),field("value"),field("unit")])])}])}]} as unknown as DocumentNode<TransparencyQuery, TransparencyQueryVariables>;
export const SavedQueuesDocument = {"__meta__":{"hash":"087f4a51b411ff4454e76529e9a4a1b6bf4983af62aef7bf684d02f9b4050dcf"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("SavedQueues"),selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),spread("SavedQueues")])])},SavedQueuesDefinition]} as unknown as DocumentNode<SavedQueuesQuery, SavedQueuesQueryVariables>;
export const SaveQueueDocument = {"__meta__":{"hash":"7b89b0767c1a2acbeb50cfa2cbf5fc483deb34baa66f5b7a3e13342e0626d1a7"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("SaveQueue"),variableDefinitions:[variable("input",required(type("SaveQueueInput")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("saveQueue"),arguments:[argument("input")],selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),spread("SavedQueues")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},SavedQueuesDefinition,RefusalDefinition]} as unknown as DocumentNode<SaveQueueMutation, SaveQueueMutationVariables>;
export const DeleteSavedQueueDocument = {"__meta__":{"hash":"cd63776761d582386ab717dd43713b1ca1ab04af1fc5cafa9f6de36c953d4002"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("DeleteSavedQueue"),variableDefinitions:[variable("name",required(type("String")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("deleteSavedQueue"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("name")]}}],selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),spread("SavedQueues")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},SavedQueuesDefinition,RefusalDefinition]} as unknown as DocumentNode<DeleteSavedQueueMutation, DeleteSavedQueueMutationVariables>;
export const DecideAppealDocument = {"__meta__":{"hash":"a12642d00bfd1c7f53428e24e7aeb7ae0e70ba9419a63cd243674b9287a00584"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("DecideAppeal"),variableDefinitions:[variable("statementId",required(type("ID"))),variable("decision",required(type("AppealDecision"))),variable("reason",required(type("String"))),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("decideAppeal"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("statementId"),input("decision"),input("reason"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("statement",[field("__typename"),field("id")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<DecideAppealMutation, DecideAppealMutationVariables>;
export const SetLabelsDocument = {"__meta__":{"hash":"20e988bb80310f35aede507ab917d346b41266e52099fa1d6a5155061b124f3b"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("SetLabels"),variableDefinitions:[variable("targetId",required(type("ID"))),variable("labels",required({kind:"ListType",type:required(type("String"))})),variable("reason",required(type("String"))),variable("ground",type("String")),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("setLabels"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("targetId"),input("labels"),input("reason"),input("ground"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("target",[field("__typename"),spread("ModeratedContent")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},AttachmentFileDefinition,ModeratedUserDefinition,ModeratedContentDefinition,RefusalDefinition]} as unknown as DocumentNode<SetLabelsMutation, SetLabelsMutationVariables>;
export const WarnUserDocument = {"__meta__":{"hash":"d35e0ff6a3d09c9b592d3d1ddb4bcb6532c34d84f1b51180caf69afce05e333b"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("WarnUser"),variableDefinitions:[variable("userId",required(type("ID"))),variable("reason",required(type("String"))),variable("ground",type("String")),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("warnUser"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("userId"),input("reason"),input("ground"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("user",[field("__typename"),field("id")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<WarnUserMutation, WarnUserMutationVariables>;
export const SuspendUserDocument = {"__meta__":{"hash":"8cce75753e78fbcb8d7d161e1bf73981697d4124c2184429f6b66919e3df9ffe"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("SuspendUser"),variableDefinitions:[variable("userId",required(type("ID"))),variable("mode",required(type("SuspensionMode"))),variable("until",type("DateTime")),variable("reason",required(type("String"))),variable("ground",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("suspendUser"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("userId"),input("mode"),input("until"),input("reason"),input("ground")]}}],selectionSet:set([field("__typename"),parent("user",[field("__typename"),field("id"),parent("suspension",[field("__typename"),field("mode"),field("until"),field("reason")])]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<SuspendUserMutation, SuspendUserMutationVariables>;
export const ReinstateUserDocument = {"__meta__":{"hash":"06d33fb28f9b33c949f81beaf12514ab8635cc3093c103658e8bb62b73394897"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("ReinstateUser"),variableDefinitions:[variable("userId",required(type("ID")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("reinstateUser"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("userId")]}}],selectionSet:set([field("__typename"),parent("user",[field("__typename"),field("id"),parent("suspension",[field("__typename"),field("mode"),field("until"),field("reason")])]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<ReinstateUserMutation, ReinstateUserMutationVariables>;
export const AssignCaseDocument = {"__meta__":{"hash":"0fccb4f43e24704aaf497d454f8a20ab2a555225ecaf792855e5e9d38707604c"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("AssignCase"),variableDefinitions:[variable("targetId",required(type("ID")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("assign"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("targetId")]}}],selectionSet:set([field("__typename"),parent("case",[field("__typename"),parent("assignee",[field("__typename"),spread("ModeratedUser")])]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},ModeratedUserDefinition,RefusalDefinition]} as unknown as DocumentNode<AssignCaseMutation, AssignCaseMutationVariables>;
export const ReleaseCaseDocument = {"__meta__":{"hash":"db3d35c6e7708f12c85651fcb1564c895609edc9cffa747d023822a270710b30"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("ReleaseCase"),variableDefinitions:[variable("targetId",required(type("ID")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("release"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("targetId")]}}],selectionSet:set([field("__typename"),parent("case",[field("__typename"),parent("assignee",[field("__typename"),spread("ModeratedUser")])]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},ModeratedUserDefinition,RefusalDefinition]} as unknown as DocumentNode<ReleaseCaseMutation, ReleaseCaseMutationVariables>;
export const NotificationsDocument = {"__meta__":{"hash":"6b521dda03e2b7f73eb35be49aa1437f752dbbf876a1ad60e4633513fd9fa6c9"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Notifications"),variableDefinitions:[{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"20"}},variable("after",type("String"))],selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),field("unreadNotificationCount"),field("unseenNotificationCount"),{kind:"Field",name:name("notifications"),arguments:[argument("first"),argument("after")],selectionSet:set([field("__typename"),parent("edges",[field("__typename"),field("cursor"),parent("node",[field("__typename"),spread("NotificationItem")])]),parent("pageInfo",[field("__typename"),field("hasNextPage"),field("endCursor")])])}])])},UserSummaryDefinition,NotificationItemDefinition]} as unknown as DocumentNode<NotificationsQuery, NotificationsQueryVariables>;
export const MarkNotificationsReadDocument = {"__meta__":{"hash":"90a8565f7a78d7cd407c30e4d001016533254ba3ab9aa37f606b8ffe34957e6a"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("MarkNotificationsRead"),variableDefinitions:[variable("upTo",required(type("String")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("markNotificationsRead"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("upTo")]}}],selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),field("unreadNotificationCount"),field("unseenNotificationCount")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<MarkNotificationsReadMutation, MarkNotificationsReadMutationVariables>;
export const MarkNotificationReadDocument = {"__meta__":{"hash":"60de8db4904442ce22ff115e85d7a216c4e117c7b7d00843a67610f11be624dc"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("MarkNotificationRead"),variableDefinitions:[variable("notificationId",required(type("ID")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("markNotificationRead"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("notificationId")]}}],selectionSet:set([field("__typename"),parent("notification",[field("__typename"),field("id"),field("read"),field("isSeen")]),parent("viewer",[field("__typename"),field("id"),field("unreadNotificationCount"),field("unseenNotificationCount")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<MarkNotificationReadMutation, MarkNotificationReadMutationVariables>;
export const MarkNotificationsSeenDocument = {"__meta__":{"hash":"44cd6953ba254cc3ee2576919365463d47578a3bb571f2df4a1dcb9113b6b7d5"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("MarkNotificationsSeen"),variableDefinitions:[variable("upTo",required(type("String")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("markNotificationsSeen"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("upTo")]}}],selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),field("unseenNotificationCount")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<MarkNotificationsSeenMutation, MarkNotificationsSeenMutationVariables>;
export const NotificationPreferencesDocument = {"__meta__":{"hash":"7ef5209796dd7a71240651b9c8f2f574da7a41e90a24a8aea5420338160d3229"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("NotificationPreferences"),selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),parent("notificationPreferences",[field("__typename"),field("kind"),field("enabled"),field("onlyFollowed")])])])}]} as unknown as DocumentNode<NotificationPreferencesQuery, NotificationPreferencesQueryVariables>;
export const SetNotificationPreferencesDocument = {"__meta__":{"hash":"ccc9a23cb2895ee2fdef9dc9f334a44c6c5d522097c316653a2e4d2cceac4c74"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("SetNotificationPreferences"),variableDefinitions:[variable("preferences",required({kind:"ListType",type:required(type("NotificationPreferenceInput"))}))],selectionSet:set([field("__typename"),{kind:"Field",name:name("setNotificationPreferences"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("preferences")]}}],selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),parent("notificationPreferences",[field("__typename"),field("kind"),field("enabled"),field("onlyFollowed")])]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<SetNotificationPreferencesMutation, SetNotificationPreferencesMutationVariables>;
export const NotificationReceivedDocument = {"__meta__":{"hash":"b8b752d84d22f5e6c36f6c84e4b70434bce902dc50bbde91fa93f6a0f92d0512"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"subscription",name:name("NotificationReceived"),selectionSet:set([parent("notificationReceived",[field("__typename"),parent("edge",[field("__typename"),field("cursor"),parent("node",[field("__typename"),spread("NotificationItem")])]),parent("viewer",[field("__typename"),field("id"),field("unreadNotificationCount"),field("unseenNotificationCount")])])])},UserSummaryDefinition,NotificationItemDefinition]} as unknown as DocumentNode<NotificationReceivedSubscription, NotificationReceivedSubscriptionVariables>;
export const MeDocument = {"__meta__":{"hash":"5d0c42ddbcc9cc36364f0de47c19bf61f51023dd886370f7306d15ca603f209d"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Me"),selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),field("language"),field("unreadNotificationCount"),parent("user",[field("__typename"),spread("UserSummary")])]),parent("uploadRules",[field("__typename"),field("maxBytes"),field("mimeTypes")])])},UserSummaryDefinition]} as unknown as DocumentNode<MeQuery, MeQueryVariables>;
export const PersonDocument = {"__meta__":{"hash":"6daeecd49d0623bf30341fb0324aa4fb9c16eac4e98e857cbbfae6d56ceee737"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Person"),variableDefinitions:[variable("handle",required(type("String")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("user"),arguments:[argument("handle")],selectionSet:set([field("__typename"),spread("UserSummary"),field("bio")])}])},UserSummaryDefinition]} as unknown as DocumentNode<PersonQuery, PersonQueryVariables>;
export const ProfileDocument = {"__meta__":{"hash":"2e53b99e531d5b5c742cd53c61561cab28c450fe578457f19b5612744adc7180"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Profile"),variableDefinitions:[variable("handle",required(type("String")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("user"),arguments:[argument("handle")],selectionSet:set([field("__typename"),spread("UserSummary"),field("bio"),field("createdAt"),field("followerCount"),field("followingCount"),field("postCount"),field("likesReceivedCount"),field("viewerBlocks"),field("viewerMutes"),field("viewerGetsPostNotifications"),parent("suspension",[field("__typename"),field("mode"),field("until")]),parent("pinnedPosts",[field("__typename"),spread("PostCard")])])}])},ReactionStateDefinition,TextFacetDefinition,AttachmentFileDefinition,SeenDefinition,UserSummaryDefinition,PostCardDefinition]} as unknown as DocumentNode<ProfileQuery, ProfileQueryVariables>;
export const FollowersDocument = {"__meta__":{"hash":"e0ea9565b57926e94575182d7ed7648877b20166523c78e37d459c77e7866036"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Followers"),variableDefinitions:[variable("handle",required(type("String"))),{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"20"}},variable("after",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("user"),arguments:[argument("handle")],selectionSet:set([field("__typename"),field("id"),{kind:"Field",name:name("followers"),arguments:[argument("first"),argument("after")],selectionSet:set([field("__typename"),parent("edges",[field("__typename"),field("cursor"),parent("node",[field("__typename"),spread("UserSummary")])]),parent("pageInfo",[field("__typename"),field("hasNextPage"),field("endCursor")])])}])}])},UserSummaryDefinition]} as unknown as DocumentNode<FollowersQuery, FollowersQueryVariables>;
export const FollowingDocument = {"__meta__":{"hash":"de561676abe7e1e8af2093148af12de7e049041b92487af1636173c94a1ed0f3"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Following"),variableDefinitions:[variable("handle",required(type("String"))),{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"20"}},variable("after",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("user"),arguments:[argument("handle")],selectionSet:set([field("__typename"),field("id"),{kind:"Field",name:name("following"),arguments:[argument("first"),argument("after")],selectionSet:set([field("__typename"),parent("edges",[field("__typename"),field("cursor"),parent("node",[field("__typename"),spread("UserSummary")])]),parent("pageInfo",[field("__typename"),field("hasNextPage"),field("endCursor")])])}])}])},UserSummaryDefinition]} as unknown as DocumentNode<FollowingQuery, FollowingQueryVariables>;
export const UserLikesDocument = {"__meta__":{"hash":"6e43cf297823801d9f84f17235b0dac7014d6f4aa788dc7ba28bd6838ce76839"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("UserLikes"),variableDefinitions:[variable("handle",required(type("String"))),{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"20"}},variable("after",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("user"),arguments:[argument("handle")],selectionSet:set([field("__typename"),field("id"),{kind:"Field",name:name("likes"),arguments:[{kind:"Argument",name:name("business"),value:{kind:"StringValue",value:"post",block:false}},argument("first"),argument("after")],selectionSet:set([field("__typename"),parent("edges",[field("__typename"),field("cursor"),parent("node",[field("__typename"),field("id"),{kind:"InlineFragment",typeCondition:type("Post"),selectionSet:set([field("__typename"),spread("PostCard")])}])]),parent("pageInfo",[field("__typename"),field("hasNextPage"),field("endCursor")])])}])}])},ReactionStateDefinition,TextFacetDefinition,AttachmentFileDefinition,SeenDefinition,UserSummaryDefinition,PostCardDefinition]} as unknown as DocumentNode<UserLikesQuery, UserLikesQueryVariables>;
export const UserCollectionsDocument = {"__meta__":{"hash":"471a064482f3994d8831a28fbd950f397a9dfc2f753c678f586891367caaf860"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("UserCollections"),variableDefinitions:[variable("handle",required(type("String"))),{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"20"}},variable("after",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("user"),arguments:[argument("handle")],selectionSet:set([field("__typename"),field("id"),{kind:"Field",name:name("collections"),arguments:[argument("first"),argument("after")],selectionSet:set([field("__typename"),parent("edges",[field("__typename"),field("cursor"),parent("node",[field("__typename"),field("id"),field("name"),field("isPublic"),field("createdAt")])]),parent("pageInfo",[field("__typename"),field("hasNextPage"),field("endCursor")])])}])}])}]} as unknown as DocumentNode<UserCollectionsQuery, UserCollectionsQueryVariables>;
export const UpdateProfileDocument = {"__meta__":{"hash":"22c6f4be35a8e0b3ff8b24a433b94d9052d9e730abd11a119af5e5450a13a514"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("UpdateProfile"),variableDefinitions:[variable("displayName",type("String")),variable("bio",type("String")),variable("avatarUrl",type("String")),variable("isPrivate",type("Boolean"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("updateProfile"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("displayName"),input("bio"),input("avatarUrl"),input("isPrivate")]}}],selectionSet:set([field("__typename"),parent("user",[field("__typename"),spread("UserSummary"),field("bio")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},UserSummaryDefinition,RefusalDefinition]} as unknown as DocumentNode<UpdateProfileMutation, UpdateProfileMutationVariables>;
export const QuotePolicyDocument = {"__meta__":{"hash":"a017b2faf440039323b29892734f298ad135c31efe82ec85e21f9143e0327957"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("QuotePolicy"),selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),parent("user",[field("__typename"),field("id"),field("isPrivate"),field("quotePolicy")])])])}]} as unknown as DocumentNode<QuotePolicyQuery, QuotePolicyQueryVariables>;
export const SetQuotePolicyDocument = {"__meta__":{"hash":"2ac90ba6f42c7b20284861709735bea0508ebc903ec5e68baee88f480635f0e1"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("SetQuotePolicy"),variableDefinitions:[variable("policy",required(type("QuotePolicy"))),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("setQuotePolicy"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("policy"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("user",[field("__typename"),field("id"),field("quotePolicy")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<SetQuotePolicyMutation, SetQuotePolicyMutationVariables>;
export const FollowDocument = {"__meta__":{"hash":"4c6c653e21e0fc3e7647b55d8eb755b4da6e27cd295c1379ccdb12c1688b9d8b"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("Follow"),variableDefinitions:[variable("userId",required(type("ID"))),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("follow"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("userId"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("user",[field("__typename"),field("id"),field("viewerRelation"),field("followerCount")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<FollowMutation, FollowMutationVariables>;
export const UnfollowDocument = {"__meta__":{"hash":"87276475a157b60ece642d9b97d52b99916120436c1b45a0c7c41417a730a399"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("Unfollow"),variableDefinitions:[variable("userId",required(type("ID"))),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("unfollow"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("userId"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("user",[field("__typename"),field("id"),field("viewerRelation"),field("followerCount")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<UnfollowMutation, UnfollowMutationVariables>;
export const SetPostNotificationsDocument = {"__meta__":{"hash":"02ccc79feb767f336caffa6004803192078ca729b214be2d6c55cf5bc4057716"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("SetPostNotifications"),variableDefinitions:[variable("userId",required(type("ID"))),variable("enabled",required(type("Boolean"))),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("setPostNotifications"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("userId"),input("enabled"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("user",[field("__typename"),field("id"),field("viewerGetsPostNotifications")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<SetPostNotificationsMutation, SetPostNotificationsMutationVariables>;
export const BlockDocument = {"__meta__":{"hash":"802c286ccd2e576fa096aa5f4635e43c54676da56aaf10ce97c317e9ac66a7f7"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("Block"),variableDefinitions:[variable("userId",required(type("ID"))),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("block"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("userId"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("user",[field("__typename"),field("id"),field("viewerBlocks"),field("viewerRelation")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<BlockMutation, BlockMutationVariables>;
export const UnblockDocument = {"__meta__":{"hash":"c058bbbe8a3849ec97247500f1915804985813b81416c9f2ea1845c7fa497d7d"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("Unblock"),variableDefinitions:[variable("userId",required(type("ID"))),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("unblock"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("userId"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("user",[field("__typename"),field("id"),field("viewerBlocks"),field("viewerRelation")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<UnblockMutation, UnblockMutationVariables>;
export const MuteDocument = {"__meta__":{"hash":"aaed9164097ec53d91ec8db18ad446e0999da09e41bda888ac6a493232617c28"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("Mute"),variableDefinitions:[variable("userId",required(type("ID"))),variable("until",type("DateTime")),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("mute"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("userId"),input("until"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("user",[field("__typename"),field("id"),field("viewerMutes")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<MuteMutation, MuteMutationVariables>;
export const UnmuteDocument = {"__meta__":{"hash":"2f33d8d02c48cb7905be8a7a3f875686d1b85701148a8db45d9a552567ce3ab0"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("Unmute"),variableDefinitions:[variable("userId",required(type("ID"))),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("unmute"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("userId"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("user",[field("__typename"),field("id"),field("viewerMutes")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<UnmuteMutation, UnmuteMutationVariables>;
export const ReportDocument = {"__meta__":{"hash":"26f24573c7e4a0158a000ff9a32784a7d344dc1b41c9463ddf0bb2d46ef030a2"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("Report"),variableDefinitions:[variable("targetId",required(type("ID"))),variable("reason",required(type("ReportReason"))),variable("note",type("String")),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("report"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("targetId"),input("reason"),input("note"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<ReportMutation, ReportMutationVariables>;
export const BlocksDocument = {"__meta__":{"hash":"ffb3d395ceb3b30b7718d117b319a4f53ca126644155aabce915ab90aa9034e3"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Blocks"),variableDefinitions:[{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"20"}},variable("after",type("String"))],selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),{kind:"Field",name:name("blocks"),arguments:[argument("first"),argument("after")],selectionSet:set([field("__typename"),parent("edges",[field("__typename"),field("cursor"),parent("node",[field("__typename"),spread("UserSummary")])]),parent("pageInfo",[field("__typename"),field("hasNextPage"),field("endCursor")])])}])])},UserSummaryDefinition]} as unknown as DocumentNode<BlocksQuery, BlocksQueryVariables>;
export const MutesDocument = {"__meta__":{"hash":"199357dd391068c60c6c484cf24671b9b03c85368b611be3742db2e5f5a76685"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Mutes"),variableDefinitions:[{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"20"}},variable("after",type("String"))],selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),{kind:"Field",name:name("mutes"),arguments:[argument("first"),argument("after")],selectionSet:set([field("__typename"),parent("edges",[field("__typename"),field("cursor"),field("until"),parent("node",[field("__typename"),spread("UserSummary")])]),parent("pageInfo",[field("__typename"),field("hasNextPage"),field("endCursor")])])}])])},UserSummaryDefinition]} as unknown as DocumentNode<MutesQuery, MutesQueryVariables>;
export const UserCardDocument = {"__meta__":{"hash":"321b6346d2222865060f4b03c3e4eea283a70013708f970257ceefe0a0a39ce2"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("UserCard"),variableDefinitions:[variable("handle",required(type("String")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("user"),arguments:[argument("handle")],selectionSet:set([field("__typename"),spread("UserSummary")])}])},UserSummaryDefinition]} as unknown as DocumentNode<UserCardQuery, UserCardQueryVariables>;
export const PostDocument = {"__meta__":{"hash":"e5eab019e7c0a8726b59a0da1ba600064d39646de4200133d7734521436706b3"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Post"),variableDefinitions:[variable("id",required(type("ID")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("node"),arguments:[argument("id")],selectionSet:set([field("__typename"),field("id"),{kind:"InlineFragment",typeCondition:type("Post"),selectionSet:set([field("__typename"),spread("PostCard"),field("rootCommentCount"),field("commentsClosed"),field("viewerCanComment"),parent("pinnedComment",[field("__typename"),spread("CommentItem")])])}])}])},ReactionStateDefinition,TextFacetDefinition,AttachmentFileDefinition,SeenDefinition,UserSummaryDefinition,PostCardDefinition,CommentItemDefinition]} as unknown as DocumentNode<PostQuery, PostQueryVariables>;
export const PublishPostDocument = {"__meta__":{"hash":"478756c3b422105d16a6cf4c7250236abb9224ab76d5fe6b24130499dc07c004"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("PublishPost"),variableDefinitions:[variable("text",required(type("String"))),{kind:"VariableDefinition",variable:{kind:"Variable",name:name("attachments")},type:required({kind:"ListType",type:required(type("AttachmentInput"))}),defaultValue:{kind:"ListValue",values:[]}},{kind:"VariableDefinition",variable:{kind:"Variable",name:name("topics")},type:required({kind:"ListType",type:required(type("String"))}),defaultValue:{kind:"ListValue",values:[]}},{kind:"VariableDefinition",variable:{kind:"Variable",name:name("topicsFromText")},type:required(type("Boolean")),defaultValue:{kind:"BooleanValue",value:false}},variable("quoteOf",type("ID")),variable("labels",{kind:"ListType",type:required(type("String"))}),variable("contentWarning",type("String")),variable("idempotencyKey",required(type("String")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("publishPost"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("text"),input("attachments"),input("topics"),input("topicsFromText"),input("quoteOf"),input("labels"),input("contentWarning"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("post",[field("__typename"),spread("PostCard")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},ReactionStateDefinition,TextFacetDefinition,AttachmentFileDefinition,SeenDefinition,UserSummaryDefinition,PostCardDefinition,RefusalDefinition]} as unknown as DocumentNode<PublishPostMutation, PublishPostMutationVariables>;
export const RepostDocument = {"__meta__":{"hash":"3370eee1437b20b00616e31d8061930ddb2a5ee6eb9d53eda482b7fffc299395"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("Repost"),variableDefinitions:[variable("postId",required(type("ID"))),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("repost"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("postId"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("post",[field("__typename"),field("id"),field("repostCount"),field("viewerHasReposted")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<RepostMutation, RepostMutationVariables>;
export const UnrepostDocument = {"__meta__":{"hash":"04c0789b89754fcad590d116ba97682b934aced4fd6dfbb1bc45db2ecfd5857f"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("Unrepost"),variableDefinitions:[variable("postId",required(type("ID"))),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("unrepost"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("postId"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("post",[field("__typename"),field("id"),field("repostCount"),field("viewerHasReposted")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<UnrepostMutation, UnrepostMutationVariables>;
export const DetachQuoteDocument = {"__meta__":{"hash":"56334fe8259c7fe2d782215b0370653ae987145837ecc6bd2276e1050dca2195"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("DetachQuote"),variableDefinitions:[variable("postId",required(type("ID"))),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("detachQuote"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("postId"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("post",[field("__typename"),field("id"),parent("quote",[field("__typename"),field("missing"),parent("post",[field("__typename"),field("id")])])]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<DetachQuoteMutation, DetachQuoteMutationVariables>;
export const DeletePostDocument = {"__meta__":{"hash":"c8e2e128267832196719698f5397926a02aeede67a692a1d4da49218c5a0660d"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("DeletePost"),variableDefinitions:[variable("id",required(type("ID")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("deletePost"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[{kind:"ObjectField",name:name("postId"),value:{kind:"Variable",name:name("id")}}]}}],selectionSet:set([field("__typename"),field("deletedId"),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<DeletePostMutation, DeletePostMutationVariables>;
export const LikeDocument = {"__meta__":{"hash":"6e6c2ef0d904ba185c85db25136f58b676c62c057a2f345cd19aa897723c673a"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("Like"),variableDefinitions:[variable("targetId",required(type("ID"))),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("like"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("targetId"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("target",[field("__typename"),spread("ReactionState")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},ReactionStateDefinition,RefusalDefinition]} as unknown as DocumentNode<LikeMutation, LikeMutationVariables>;
export const UnlikeDocument = {"__meta__":{"hash":"ee23409c03208c64585717d315f644a66965602b36ae49ade8da649fa74a2500"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("Unlike"),variableDefinitions:[variable("targetId",required(type("ID"))),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("unlike"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("targetId"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("target",[field("__typename"),spread("ReactionState")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},ReactionStateDefinition,RefusalDefinition]} as unknown as DocumentNode<UnlikeMutation, UnlikeMutationVariables>;
export const ReactDocument = {"__meta__":{"hash":"c242899662812aaf38c65423888f8097811eb17fc0f0d036ddc51cbc97721c75"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("React"),variableDefinitions:[variable("targetId",required(type("ID"))),variable("kind",required(type("String"))),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("react"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("targetId"),input("kind"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("target",[field("__typename"),spread("ReactionState"),spread("Reactions")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},ReactionStateDefinition,ReactionsDefinition,RefusalDefinition]} as unknown as DocumentNode<ReactMutation, ReactMutationVariables>;
export const UnreactDocument = {"__meta__":{"hash":"4276e3f96140ed94f860425fe0292339bb380fcae534eb1c0971a58fc689b574"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("Unreact"),variableDefinitions:[variable("targetId",required(type("ID"))),variable("kind",type("String")),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("unreact"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("targetId"),input("kind"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("target",[field("__typename"),spread("ReactionState"),spread("Reactions")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},ReactionStateDefinition,ReactionsDefinition,RefusalDefinition]} as unknown as DocumentNode<UnreactMutation, UnreactMutationVariables>;
export const SaveDocument = {"__meta__":{"hash":"e45ccc5cfd53a8d6bfd419ab2aeaab374e1b6c98ed18ab4950223b4361a50db7"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("Save"),variableDefinitions:[variable("targetId",required(type("ID"))),variable("collectionId",type("ID")),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("save"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("targetId"),input("collectionId"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("target",[field("__typename"),spread("ReactionState")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},ReactionStateDefinition,RefusalDefinition]} as unknown as DocumentNode<SaveMutation, SaveMutationVariables>;
export const UnsaveDocument = {"__meta__":{"hash":"f21fd5fd275648b6f884633006ac353db9c51e9b2435b6ca8a0280a33c61438d"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("Unsave"),variableDefinitions:[variable("targetId",required(type("ID"))),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("unsave"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("targetId"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("target",[field("__typename"),spread("ReactionState")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},ReactionStateDefinition,RefusalDefinition]} as unknown as DocumentNode<UnsaveMutation, UnsaveMutationVariables>;
export const ReactableChangedDocument = {"__meta__":{"hash":"a746738d0aea53d126139977db3696ddb87198080af4d10abacbc440bf8f5e6c"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"subscription",name:name("ReactableChanged"),variableDefinitions:[variable("ids",required({kind:"ListType",type:required(type("ID"))}))],selectionSet:set([{kind:"Field",name:name("reactableChanged"),arguments:[argument("ids")],selectionSet:set([field("__typename"),spread("ReactionState"),{kind:"InlineFragment",typeCondition:type("Commentable"),selectionSet:set([field("__typename"),field("commentCount"),field("rootCommentCount")])},{kind:"InlineFragment",typeCondition:type("Post"),selectionSet:set([field("__typename"),field("auditStatus"),field("awaitsModerator")])},{kind:"InlineFragment",typeCondition:type("Comment"),selectionSet:set([field("__typename"),field("replyCount"),field("floor"),field("auditStatus"),field("awaitsModerator")])}])}])},ReactionStateDefinition]} as unknown as DocumentNode<ReactableChangedSubscription, ReactableChangedSubscriptionVariables>;
export const LikersDocument = {"__meta__":{"hash":"1a5e43f3796fdb489b9593b15b04f5647afdb4423b3c5e221aa6364704de6b03"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Likers"),variableDefinitions:[variable("targetId",required(type("ID"))),{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"20"}},variable("after",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("node"),arguments:[{kind:"Argument",name:name("id"),value:{kind:"Variable",name:name("targetId")}}],selectionSet:set([field("__typename"),field("id"),{kind:"InlineFragment",typeCondition:type("Reactable"),selectionSet:set([field("__typename"),{kind:"Field",name:name("likers"),arguments:[argument("first"),argument("after")],selectionSet:set([field("__typename"),parent("edges",[field("__typename"),field("cursor"),parent("node",[field("__typename"),spread("UserSummary")])]),parent("pageInfo",[field("__typename"),field("hasNextPage"),field("endCursor")])])}])}])}])},UserSummaryDefinition]} as unknown as DocumentNode<LikersQuery, LikersQueryVariables>;
export const TargetDocument = {"__meta__":{"hash":"56ec301d52c55dbef812ed838bd661a16841ab6286f75972a6f32c6fc60be1a7"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Target"),variableDefinitions:[variable("id",required(type("ID")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("node"),arguments:[argument("id")],selectionSet:set([field("__typename"),field("id"),spread("ReactionState")])}])},ReactionStateDefinition]} as unknown as DocumentNode<TargetQuery, TargetQueryVariables>;
export const TargetReactionsDocument = {"__meta__":{"hash":"419cacb68197693600e09085b6e23379247a44e52c3430ed5de2f6d0d9f9c72d"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("TargetReactions"),variableDefinitions:[variable("id",required(type("ID")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("node"),arguments:[argument("id")],selectionSet:set([field("__typename"),field("id"),spread("Reactions")])}])},ReactionsDefinition]} as unknown as DocumentNode<TargetReactionsQuery, TargetReactionsQueryVariables>;
export const LabelsDocument = {"__meta__":{"hash":"f45b001e5f1c97eb78c27911c0821a7f40c3d72a3e1f524f0cd79b8a87c35ac6"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Labels"),selectionSet:set([field("__typename"),parent("labels",[field("__typename"),field("name"),field("title"),field("setByAuthors")])])}]} as unknown as DocumentNode<LabelsQuery, LabelsQueryVariables>;
export const HiddenPostsDocument = {"__meta__":{"hash":"79ed741527ba1255d9e35427031cfb167368930997fb29076ec83b8a648f9cd0"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("HiddenPosts"),variableDefinitions:[{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"20"}},variable("after",type("String"))],selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),{kind:"Field",name:name("hiddenPosts"),arguments:[argument("first"),argument("after")],selectionSet:set([field("__typename"),parent("edges",[field("__typename"),field("cursor"),parent("node",[field("__typename"),spread("PostCard")])]),parent("pageInfo",[field("__typename"),field("hasNextPage"),field("endCursor")])])}])])},ReactionStateDefinition,TextFacetDefinition,AttachmentFileDefinition,SeenDefinition,UserSummaryDefinition,PostCardDefinition]} as unknown as DocumentNode<HiddenPostsQuery, HiddenPostsQueryVariables>;
export const StatementsDocument = {"__meta__":{"hash":"74196f8d4412772f018d2cd05201dc603c56f63577a7e609d78b5aee263eb7c8"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Statements"),variableDefinitions:[{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"20"}},variable("after",type("String"))],selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),{kind:"Field",name:name("statements"),arguments:[argument("first"),argument("after")],selectionSet:set([field("__typename"),parent("edges",[field("__typename"),field("cursor"),parent("node",[field("__typename"),spread("ReasonedStatement")])]),parent("pageInfo",[field("__typename"),field("hasNextPage"),field("endCursor")])])}])])},ReasonedStatementDefinition]} as unknown as DocumentNode<StatementsQuery, StatementsQueryVariables>;
export const AppealDocument = {"__meta__":{"hash":"fcc5f61eef0ebaf94817a0d7438effc04394240c660734674f3292a98895aade"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("Appeal"),variableDefinitions:[variable("targetId",required(type("ID"))),variable("text",required(type("String"))),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("appeal"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("targetId"),input("text"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("target",[field("__typename"),field("id"),{kind:"InlineFragment",typeCondition:type("Statement"),selectionSet:set([field("__typename"),parent("appeal",[field("__typename"),field("text"),field("status"),field("createdAt")])])}]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<AppealMutation, AppealMutationVariables>;
export const SearchUsersDocument = {"__meta__":{"hash":"1b7729512f82898f0f82d3b55034fe96c8728c15dbd4e8b498eef9c6907cbd47"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("SearchUsers"),variableDefinitions:[variable("query",required(type("String"))),{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"20"}},variable("after",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("searchUsers"),arguments:[argument("query"),argument("first"),argument("after")],selectionSet:set([field("__typename"),parent("edges",[field("__typename"),field("cursor"),parent("node",[field("__typename"),spread("UserSummary")])]),parent("pageInfo",[field("__typename"),field("hasNextPage"),field("endCursor")])])}])},UserSummaryDefinition]} as unknown as DocumentNode<SearchUsersQuery, SearchUsersQueryVariables>;
export const SuggestHandlesDocument = {"__meta__":{"hash":"dbad65875e51636416388f430afbac02a5991a77fed32d6eef94ba712b3982ca"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("SuggestHandles"),variableDefinitions:[variable("prefix",required(type("String"))),{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"8"}}],selectionSet:set([field("__typename"),{kind:"Field",name:name("suggestHandles"),arguments:[argument("prefix"),argument("first")],selectionSet:set([field("__typename"),field("id"),field("handle"),field("displayName")])}])}]} as unknown as DocumentNode<SuggestHandlesQuery, SuggestHandlesQueryVariables>;
export const SearchPostsDocument = {"__meta__":{"hash":"d953b31240587303280839d6e26e61090738500580df016e11991714709468de"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("SearchPosts"),variableDefinitions:[variable("query",required(type("String"))),{kind:"VariableDefinition",variable:{kind:"Variable",name:name("sort")},type:required(type("SearchSort")),defaultValue:{kind:"EnumValue",value:"BEST"}},{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"20"}},variable("after",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("searchPosts"),arguments:[argument("query"),argument("sort"),argument("first"),argument("after")],selectionSet:set([field("__typename"),spread("PostPage")])}])},ReactionStateDefinition,TextFacetDefinition,AttachmentFileDefinition,SeenDefinition,UserSummaryDefinition,PostCardDefinition,PostPageDefinition]} as unknown as DocumentNode<SearchPostsQuery, SearchPostsQueryVariables>;
export const SearchTopicsDocument = {"__meta__":{"hash":"cd4b5ab67488c500ca211e313b905c85298b2643d7b21443b1805665a8786f43"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("SearchTopics"),variableDefinitions:[variable("query",required(type("String"))),{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"20"}},variable("after",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("searchTopics"),arguments:[argument("query"),argument("first"),argument("after")],selectionSet:set([field("__typename"),parent("edges",[field("__typename"),field("cursor"),parent("node",[field("__typename"),spread("TopicSummary")])]),parent("pageInfo",[field("__typename"),field("hasNextPage"),field("endCursor")])])}])},TopicSummaryDefinition]} as unknown as DocumentNode<SearchTopicsQuery, SearchTopicsQueryVariables>;
export const SearchEntitiesDocument = {"__meta__":{"hash":"34a3ee9e5ce81e79b53a1cb21c32c5a2368564b05e169898e240537b442c458f"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("SearchEntities"),variableDefinitions:[variable("business",required(type("String"))),variable("query",required(type("String"))),{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"20"}},variable("after",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("searchEntities"),arguments:[argument("business"),argument("query"),argument("first"),argument("after")],selectionSet:set([field("__typename"),parent("edges",[field("__typename"),field("cursor"),parent("node",[field("__typename"),spread("EntityCard")])]),parent("pageInfo",[field("__typename"),field("hasNextPage"),field("endCursor")])])}])},ReactionStateDefinition,SeenDefinition,UserSummaryDefinition,EntityCardDefinition]} as unknown as DocumentNode<SearchEntitiesQuery, SearchEntitiesQueryVariables>;
export const SuggestTopicsDocument = {"__meta__":{"hash":"336ff1c6766c842f8f0ba184904df0d0ec35ecd92ee31ac4d5cf04a5a966c0a0"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("SuggestTopics"),variableDefinitions:[variable("prefix",required(type("String"))),{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"8"}}],selectionSet:set([field("__typename"),{kind:"Field",name:name("topics"),arguments:[argument("prefix"),argument("first")],selectionSet:set([field("__typename"),field("id"),field("name")])}])}]} as unknown as DocumentNode<SuggestTopicsQuery, SuggestTopicsQueryVariables>;
export const DiscoverDocument = {"__meta__":{"hash":"37d617a8882c2ed3252b679793e9e6c92a07c661d02a649fbe10bb3b3e47b36a"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Discover"),variableDefinitions:[{kind:"VariableDefinition",variable:{kind:"Variable",name:name("users")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"10"}},{kind:"VariableDefinition",variable:{kind:"Variable",name:name("topics")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"5"}}],selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),{kind:"Field",name:name("suggestedUsers"),arguments:[{kind:"Argument",name:name("first"),value:{kind:"Variable",name:name("users")}}],selectionSet:set([field("__typename"),parent("user",[field("__typename"),spread("UserSummary")]),field("reason"),parent("followedBy",[field("__typename"),field("id"),field("handle"),field("displayName")]),field("followedByCount"),parent("topic",[field("__typename"),field("id"),field("name")])])}]),{kind:"Field",name:name("trendingTopics"),arguments:[{kind:"Argument",name:name("first"),value:{kind:"Variable",name:name("topics")}}],selectionSet:set([field("__typename"),parent("topic",[field("__typename"),field("id"),field("name")]),field("authorCount")])}])},UserSummaryDefinition]} as unknown as DocumentNode<DiscoverQuery, DiscoverQueryVariables>;
export const DismissSuggestionDocument = {"__meta__":{"hash":"38dc7f3503ec2c1876294ac57777c2f12253177925200e30d5182cb1ca181e78"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("DismissSuggestion"),variableDefinitions:[variable("userId",required(type("ID"))),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("dismissSuggestion"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("userId"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("user",[field("__typename"),field("id")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<DismissSuggestionMutation, DismissSuggestionMutationVariables>;
export const DiscoverableDocument = {"__meta__":{"hash":"99d4cfcf522f1c8e8bebd945d857bfa02d799e2a6d6da087d47ea37bf4d1cfdc"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("Discoverable"),selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),field("isDiscoverable")])])}]} as unknown as DocumentNode<DiscoverableQuery, DiscoverableQueryVariables>;
export const SetDiscoverableDocument = {"__meta__":{"hash":"e992291971d0446edec162c042f7d2456b9f2f3e8d13e3a4f5e3bfbda3d8b639"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("SetDiscoverable"),variableDefinitions:[variable("discoverable",required(type("Boolean"))),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("setDiscoverable"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("discoverable"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),field("isDiscoverable")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<SetDiscoverableMutation, SetDiscoverableMutationVariables>;
export const FollowedTopicsDocument = {"__meta__":{"hash":"7397d43887f1c700d9646b77085ae9148354a212beeb543096e4e9f0fb5ebd4d"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("FollowedTopics"),variableDefinitions:[{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"50"}},variable("after",type("String"))],selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),field("topicsInHome"),{kind:"Field",name:name("followedTopics"),arguments:[argument("first"),argument("after")],selectionSet:set([field("__typename"),parent("edges",[field("__typename"),field("cursor"),parent("node",[field("__typename"),spread("TopicSummary")])]),parent("pageInfo",[field("__typename"),field("hasNextPage"),field("endCursor")])])}])])},TopicSummaryDefinition]} as unknown as DocumentNode<FollowedTopicsQuery, FollowedTopicsQueryVariables>;
export const FollowedTopicsFeedDocument = {"__meta__":{"hash":"40fc23b406a770ccbc0df5db2dc07bc8c1b51be14eb7c089d1948a21fd28e802"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"query",name:name("FollowedTopicsFeed"),variableDefinitions:[{kind:"VariableDefinition",variable:{kind:"Variable",name:name("first")},type:required(type("Int")),defaultValue:{kind:"IntValue",value:"20"}},variable("after",type("String"))],selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),{kind:"Field",name:name("followedTopicsFeed"),arguments:[argument("first"),argument("after")],selectionSet:set([field("__typename"),spread("PostPage")])}])])},ReactionStateDefinition,TextFacetDefinition,AttachmentFileDefinition,SeenDefinition,UserSummaryDefinition,PostCardDefinition,PostPageDefinition]} as unknown as DocumentNode<FollowedTopicsFeedQuery, FollowedTopicsFeedQueryVariables>;
export const FollowTopicDocument = {"__meta__":{"hash":"307368fe74c2751dbf501a45b84b01500e02610bc3334dc1cf37637cba0c16b4"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("FollowTopic"),variableDefinitions:[variable("topicId",required(type("ID"))),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("followTopic"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("topicId"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("topic",[field("__typename"),spread("TopicSummary")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},TopicSummaryDefinition,RefusalDefinition]} as unknown as DocumentNode<FollowTopicMutation, FollowTopicMutationVariables>;
export const UnfollowTopicDocument = {"__meta__":{"hash":"1e773b9316c15e9c920537b0a789cc1b84a92addd01832218da3ee508938da60"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("UnfollowTopic"),variableDefinitions:[variable("topicId",required(type("ID"))),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("unfollowTopic"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("topicId"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("topic",[field("__typename"),spread("TopicSummary")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},TopicSummaryDefinition,RefusalDefinition]} as unknown as DocumentNode<UnfollowTopicMutation, UnfollowTopicMutationVariables>;
export const SetTopicsInHomeDocument = {"__meta__":{"hash":"2b1f705570e38236162ddd6b4979d21a9234f8a45e4b66d54ae8da60e8a253c9"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("SetTopicsInHome"),variableDefinitions:[variable("enabled",required(type("Boolean"))),variable("idempotencyKey",type("String"))],selectionSet:set([field("__typename"),{kind:"Field",name:name("setTopicsInHome"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("enabled"),input("idempotencyKey")]}}],selectionSet:set([field("__typename"),parent("viewer",[field("__typename"),field("id"),field("topicsInHome")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<SetTopicsInHomeMutation, SetTopicsInHomeMutationVariables>;
export const CreateUploadDocument = {"__meta__":{"hash":"e86bbd22a5f76826efe80cf52f547729f30c79252fcf91b1b8c76b9cc5fe226e"},"kind":"Document","definitions":[{kind:"OperationDefinition",operation:"mutation",name:name("CreateUpload"),variableDefinitions:[variable("mimeType",required(type("String"))),variable("byteSize",required(type("Int")))],selectionSet:set([field("__typename"),{kind:"Field",name:name("createUpload"),arguments:[{kind:"Argument",name:name("input"),value:{kind:"ObjectValue",fields:[input("mimeType"),input("byteSize")]}}],selectionSet:set([field("__typename"),parent("upload",[field("__typename"),field("url"),parent("headers",[field("__typename"),field("name"),field("value")]),field("fileUrl")]),parent("userErrors",[field("__typename"),spread("Refusal")])])}])},RefusalDefinition]} as unknown as DocumentNode<CreateUploadMutation, CreateUploadMutationVariables>;