import {
  AddCommentDocument,
  type CommentItemFragment,
  type CommentSort,
  CommentSubjectDocument,
  type CommentSubjectQuery,
  DeleteCommentDocument,
  EditCommentDocument,
} from "@plaudit/client";
import { type Pages, useComments as usePagesOfComments, useLiveCounts, useRead } from "@plaudit/client/react";
import { useEffect, useState } from "react";
import { useMutation } from "urql";
import { useAct } from "./act.js";
import { idOf } from "./ids.js";
import { type Problem, problemOf } from "./problem.js";
import { useSession } from "./provider.js";

/** A comment that the viewer has sent and the API has not acknowledged yet. */
export interface PendingComment {
  key: number;
  text: string;
  replyToId?: string;
}

export interface CommentList extends Pages<CommentItemFragment> {
  subjectId: string;
  /** The number of comments and replies; undefined if it is not known. */
  count: number | undefined;
  /** Whether the viewer may comment; undefined if it is not known. */
  canComment: boolean | undefined;
  /** Whether there is no such subject. */
  isMissing: boolean;
  /** How many root comments others have added since the list was read. `refresh` shows them. */
  newCount: number;
  pending: PendingComment[];
  /**
   * Adds a comment, or a reply to `replyToId`, which is in `pending` until the API answers. Resolves to why it failed; null
   * if it was added. Call it again with the same text after a lost connection: the comment is added once.
   */
  add: (text: string, replyToId?: string) => Promise<Problem | null>;
  /** Gives an own comment another text. Resolves to why it failed; null if the API has the text. */
  edit: (id: string, text: string) => Promise<Problem | null>;
  /** Deletes an own comment. */
  remove: (id: string) => Promise<Problem | null>;
}

export interface CommentOptions {
  sort?: CommentSort;
  /** The number of comments on a page. */
  first?: number;
  /** Whether counts and decisions of moderation arrive while the list is shown, by a subscription. */
  live?: boolean;
}

type Subject = Extract<NonNullable<CommentSubjectQuery["node"]>, { commentCount?: unknown }>;

/** The comments on a post or entity, page by page. */
export function useComments(subject: string, { sort = "HOT", first = 20, live = false }: CommentOptions = {}): CommentList {
  const subjectId = idOf(subject);
  const { isSignedIn } = useSession();
  const pages = usePagesOfComments(subjectId, sort, first);
  const [{ data }] = useRead({ query: CommentSubjectDocument, variables: { id: subjectId } });
  const node = data?.node as Subject | null | undefined;
  const [news, onRead] = useNewCount(node?.rootCommentCount);
  useLiveCounts(live ? [subjectId, ...(pages.items ?? []).map(({ id }) => id)] : []);
  const [pending, setPending] = useState<PendingComment[]>([]);
  const send = useAct(AddCommentDocument);
  const change = useAct(EditCommentDocument);
  const [, erase] = useMutation(DeleteCommentDocument);
  // Whether a comment was added before the list was read. The answer that is under way may lack the comment.
  const [mayLackOwn, setMayLackOwn] = useState(false);
  useEffect(() => {
    if (!mayLackOwn || !pages.items) return;
    setMayLackOwn(false);
    pages.refresh();
  }, [mayLackOwn, pages]);
  const add = async (text: string, replyToId?: string): Promise<Problem | null> => {
    const one = { key: Date.now(), text, replyToId };
    const isRead = pages.items !== undefined;
    if (isSignedIn) setPending((all) => [...all, one]);
    const { problem } = await send({ subjectId, replyToId, text });
    setPending((all) => all.filter((other) => other !== one));
    if (!problem) onRead(replyToId ? 0 : 1);
    if (!problem && !isRead) setMayLackOwn(true);
    return problem;
  };
  const refresh = (): void => {
    onRead(0);
    pages.refresh();
  };
  const count = typeof node?.commentCount === "number" ? node.commentCount : undefined;
  const canComment = node ? !node.commentsClosed && (isSignedIn === false || node.viewerCanComment !== false) : undefined;
  const edit = async (commentId: string, text: string) => (await change({ commentId, text })).problem;
  const remove = async (id: string) => problemOf(await erase({ id }));
  return { ...pages, subjectId, count, canComment, isMissing: data?.node === null, newCount: live ? news : 0, pending, add, edit, remove, refresh };
}

/**
 * Returns how many root comments others have added since the list was read, and a function to call when it is read anew,
 * with the number of one's own comments that are new in it. One's own comments are in the list before they are counted.
 */
function useNewCount(current: unknown): [number, (own: number) => void] {
  const count = typeof current === "number" ? current : undefined;
  const [known, setKnown] = useState({ count, listed: count });
  if (count === undefined) return [0, () => {}];
  const listed = known.listed ?? count;
  if (count !== known.count) setKnown({ count, listed: listed - Math.max(0, (known.count ?? count) - count) });
  return [Math.max(0, count - listed), (own) => setKnown({ count, listed: Math.max(listed, count) + own })];
}
