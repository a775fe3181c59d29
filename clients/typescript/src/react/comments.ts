import {
  AddCommentDocument,
  type CommentItemFragment,
  type CommentSort,
  CommentsDocument,
  type CommentsQuery,
  RepliesDocument,
  type RepliesQuery,
} from "../generated/graphql.js";
import { type Pages, usePages } from "./pages.js";
import { useWrite } from "./write.js";

export interface Comments extends Pages<CommentItemFragment> {
  /**
   * Adds a comment, or a reply to `replyToId`. Resolves to the message of the refusal; null if it was added. After a lost
   * connection, call it again with the same text: it is added once.
   */
  add: (text: string, replyToId?: string) => Promise<string | null>;
}

type Subject = Extract<NonNullable<CommentsQuery["node"]>, { comments?: unknown }>;
type Root = Extract<NonNullable<RepliesQuery["node"]>, { replies?: unknown }>;

/** Reads the comments on a post or entity page by page, and adds comments. */
export function useComments(subjectId: string, sort: CommentSort = "HOT", first = 20): Comments {
  const [, send] = useWrite(AddCommentDocument);
  const pages = usePages(CommentsDocument, { subjectId, sort, first }, ({ node }) => (node as Subject | null)?.comments);
  const add = async (text: string, replyToId?: string): Promise<string | null> => {
    const { data, error } = await send({ subjectId, replyToId, text });
    if (data?.addComment) return data.addComment.userErrors[0]?.message ?? null;
    return error?.graphQLErrors[0]?.message ?? "The comment could not be sent. Try again.";
  };
  return { ...pages, add };
}

/** Reads the replies in the thread of a root comment page by page, oldest first. */
export function useReplies(commentId: string, first = 20): Pages<CommentItemFragment> {
  return usePages(RepliesDocument, { commentId, first }, ({ node }) => (node as Root | null)?.replies);
}
