import { type CommentItemFragment, type CommentSort, DeleteCommentDocument } from "@plaudit/client";
import { type Comments, useLike, useLiveCounts, useReplies, useSave } from "@plaudit/client/react";
import { type FormEvent, Suspense, useRef, useState } from "react";
import { Link } from "react-router";
import { useMutation } from "urql";
import { say } from "./language.tsx";
import { Media } from "./media.tsx";
import { Menu, NoActions } from "./menu.tsx";
import { ToggleButton } from "./posts.tsx";
import { rare } from "./rare.ts";
import { useSession } from "./session.tsx";
import { TextField } from "./typeahead.tsx";
import { Ago, Avatar, Count, momentOf, NewItems, Nothing, PageList, Status, UserName, Words } from "./ui.tsx";
import { Warned } from "./warnings.tsx";
import "./comments.css";

const EditComment = rare<{ comment: CommentItemFragment; onClose: () => void }>(async () => (await import("./edit-comment.tsx")).EditComment, NoActions);

type Add = (text: string, replyToId?: string) => Promise<string | null>;

/**
 * Returns how many root comments others have added since the list was read, and a function to call when it is read anew,
 * with the number of one's own comments that are new in it. `count` is the current number of root comments. One's own
 * comments are in the list before they are counted.
 */
function useNewComments(count: number | null | undefined): [number, (own: number) => void] {
  const [known, setKnown] = useState({ count, listed: count });
  if (typeof count !== "number") return [0, () => {}];
  const listed = known.listed ?? count;
  if (count !== known.count) {
    const removed = Math.max(0, (known.count ?? count) - count);
    setKnown({ count, listed: listed - removed });
  }
  return [Math.max(0, count - listed), (own) => setKnown({ count, listed: Math.max(listed, count) + own })];
}

/** The comments on a post or entity, with a form for a new one. */
export function CommentSection({ comments, count, sort, onSort, canComment }: {
  comments: Comments;
  count: number | null | undefined;
  sort: CommentSort;
  onSort: (sort: CommentSort) => void;
  canComment: boolean;
}) {
  const { person } = useSession();
  const [newCount, onRead] = useNewComments(count);
  const read = (order: CommentSort) => {
    onRead(0);
    if (order === sort) comments.refresh();
    else onSort(order);
  };
  const add: Add = async (text, replyToId) => {
    const refusal = await comments.add(text, replyToId); // reads the list anew
    if (!refusal) onRead(replyToId ? 0 : 1);
    return refusal;
  };
  return (
    <>
      <h2>{say("comments")}</h2>
      <div className="tabs" role="group" aria-label={say("order-of-comments")}>
        <button type="button" aria-pressed={sort === "HOT"} onClick={() => read("HOT")}>{say("hot")}</button>
        <button type="button" aria-pressed={sort === "NEWEST"} onClick={() => read("NEWEST")}>{say("newest")}</button>
      </div>
      {person && canComment && <CommentForm add={add} label={say("add-comment")} />}
      {person && !canComment && <p className="empty">{say("cannot-comment")}</p>}
      <NewItems count={newCount} of="comments" onShow={() => read("NEWEST")} />
      <PageList pages={comments} label={say("comments")} empty={newCount ? null : <Nothing icon="comment" text={say("no-comments")} />}>
        {(comment) => <Comment comment={comment} add={add} />}
      </PageList>
    </>
  );
}

function CommentForm({ add, label, onDone }: { add: (text: string) => Promise<string | null>; label: string; onDone?: () => void }) {
  const form = useRef<HTMLFormElement>(null);
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const refusal = await add(text);
    setProblem(refusal);
    if (refusal || form.current?.querySelector("textarea")?.value !== text) return; // or the person writes another text
    setText("");
    onDone?.();
  };
  return (
    <form ref={form} className="comment-form" onSubmit={send}>
      <TextField value={text} onChange={setText} label={label} rows={2} />
      <button type="submit" className="primary" disabled={!text.trim()}>{say("send")}</button>
      {problem && <p role="alert" className="problem">{problem}</p>}
    </form>
  );
}

function Comment({ comment, add, isReply }: { comment: CommentItemFragment; add: Add; isReply?: boolean }) {
  const [showsReplies, setShowsReplies] = useState(false);
  const [answers, setAnswers] = useState(false);
  const [isEditing, setIsEditing] = useState(false);
  const article = useRef<HTMLElement>(null);
  const [isAnswered, setIsAnswered] = useState(false); // by the person themselves; the count follows later
  useLiveCounts(showsReplies || comment.auditStatus !== "APPROVED" ? [comment.id] : []);
  const like = useLike(comment);
  const save = useSave(comment);
  const { person } = useSession();
  const [, remove] = useMutation(DeleteCommentDocument);
  const isOwn = person !== null && comment.author?.handle === person.handle;
  const answer = async (text: string) => {
    const refusal = await add(text, comment.id);
    if (refusal) return refusal;
    setIsAnswered(true);
    setShowsReplies(!isReply);
    return null;
  };
  const stopEditing = () => {
    setIsEditing(false);
    article.current?.querySelector<HTMLElement>(".menu")?.focus(); // from which the form was opened
  };
  return (
    <article ref={article} className="comment">
      <header>
        <Avatar user={comment.author} />
        {comment.deleted ? <span className="name">{say("deleted")}</span> : <UserName user={comment.author} />}
        <Ago time={comment.createdAt} />
        {comment.editedAt && <span className="time" title={momentOf(comment.editedAt)}>{say("edited")}</span>}
        {comment.isPinned && <span className="badge">{say("pinned")}</span>}
        <Status of={comment} />
        {!comment.deleted && <Menu savable targetId={comment.id} user={comment.author ?? null} onEdit={isOwn ? () => setIsEditing(true) : undefined} onDelete={isOwn ? () => remove({ id: comment.id }) : undefined} />}
      </header>
      <div className="comment-body">
      {isEditing && !comment.deleted ? <Suspense><EditComment comment={comment} onClose={stopEditing} /></Suspense> : (
      <Warned of={comment}>
      <p className="text">{comment.repliedTo && isReply && <Link className="answered" to={`/users/${comment.repliedTo.handle}`}><bdi>@{comment.repliedTo.handle}</bdi></Link>}{comment.repliedTo && isReply && " "}{comment.deleted ? say("comment-deleted") : <Words of={comment} />}</p>
      <Media files={comment.attachments} />
      </Warned>
      )}
      {!comment.deleted && (
        <footer>
          <ToggleButton toggle={like} label={say("like")} of="likes" icon="heart" />
          <ToggleButton toggle={save} label={say("favourite")} of="saves" icon="star" />
          {person && <button type="button" className="act" onClick={() => setAnswers(!answers)}>{say("reply")}</button>}
          {!isReply && (comment.replyCount !== 0 || isAnswered) && (
            <button type="button" className="act" aria-expanded={showsReplies} onClick={() => setShowsReplies(!showsReplies)}>
              {comment.replyCount === 0 ? say("replies") : <Count value={comment.replyCount} of="replies" named />}
            </button>
          )}
        </footer>
      )}
      {answers && <CommentForm label={say("write-reply")} add={answer} onDone={() => setAnswers(false)} />}
      </div>
      {showsReplies && <Replies rootId={comment.id} add={add} />}
    </article>
  );
}

function Replies({ rootId, add }: { rootId: string; add: Add }) {
  const pages = useReplies(rootId);
  return (
    <div className="replies">
      <PageList pages={pages} label={say("replies")} empty={say("no-replies")}>
        {(reply) => <Comment comment={reply} add={add} isReply />}
      </PageList>
    </div>
  );
}
