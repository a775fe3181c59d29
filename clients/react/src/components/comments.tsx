import { type CommentItemFragment, type CommentSort, LIMITS } from "@plaudit/client";
import { useLiveCounts } from "@plaudit/client/react";
import { type RefObject, useRef, useState } from "react";
import { type CommentList, type PendingComment, useComments, useReplies, useSession } from "../hooks/index.js";
import { useText } from "../text.js";
import { SignIn, TextForm } from "./composer.js";
import { LikeButton } from "./like-button.js";
import { Ago, Attachments, Avatar, Count, PageList, Status, UserName, Warned, Words } from "./parts.js";
import { ReportDialog } from "./report-dialog.js";

const ORDERS: CommentSort[] = ["HOT", "NEWEST", "OLDEST"];

export interface CommentsProps {
  /** The post or entity: its id, or `business:key` of an entity. */
  subject: string;
  sort?: CommentSort;
  /** The number of comments on a page. */
  first?: number;
  /** Whether counts and new comments arrive while the list is shown. This opens a WebSocket. */
  live?: boolean;
}

/** The comments on a post or entity, with a form for a new one. */
export function Comments({ subject, sort = "HOT", first, live }: CommentsProps) {
  const { say } = useText();
  const [order, setOrder] = useState(sort);
  const comments = useComments(subject, { sort: order, first, live });
  const { count, newCount, pending, refresh, isMissing } = comments;
  if (isMissing) return <p className="plaudit plaudit-quiet">{say("subject-missing")}</p>;
  const roots = pending.filter(({ replyToId }) => !replyToId);
  return (
    <section className="plaudit plaudit-comments" aria-label={say("comments")}>
      <h2>{say("comments")} <span className="plaudit-quiet"><Count value={count} of="comments" /></span></h2>
      <Form comments={comments} />
      <div className="plaudit-row" role="group" aria-label={say("order")}>
        {ORDERS.map((one) => (
          <button key={one} type="button" className="plaudit-act" aria-pressed={order === one} onClick={() => setOrder(one)}>{say(one.toLowerCase())}</button>
        ))}
      </div>
      <div aria-live="polite">
        {newCount > 0 && <button type="button" className="plaudit-button plaudit-more" onClick={refresh}>{say("new-comments", { count: newCount })}</button>}
      </div>
      {roots.map((one) => <Pending key={one.key} comment={one} />)}
      <PageList pages={comments} label={say("comments")} empty={roots.length || comments.canComment === false ? null : say("no-comments")}>
        {(comment) => <Comment comment={comment} comments={comments} />}
      </PageList>
    </section>
  );
}

function Form({ comments: { canComment, add } }: { comments: CommentList }) {
  const { say } = useText();
  const { isSignedIn } = useSession();
  if (canComment === false) return <p className="plaudit-quiet">{say("cannot-comment")}</p>;
  if (isSignedIn === false) return <SignIn label={say("sign-in-to-comment")} />;
  return <TextForm send={add} label={say("add-comment")} action={say("send")} />;
}

/** A comment that is being sent. */
function Pending({ comment }: { comment: PendingComment }) {
  const { say } = useText();
  return (
    <article className="plaudit-item plaudit-pending" aria-busy="true">
      <p className="plaudit-text" dir="auto">{comment.text}</p>
      <span className="plaudit-badge">{say("sending")}</span>
    </article>
  );
}

function Comment({ comment, comments, isReply }: { comment: CommentItemFragment; comments: CommentList; isReply?: boolean }) {
  const { say } = useText();
  const { id, author, deleted, replyCount, repliedTo } = comment;
  const [showsReplies, setShowsReplies] = useState(false);
  const [isAnswering, setIsAnswering] = useState(false);
  const [isEditing, setIsEditing] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const [isAnswered, setIsAnswered] = useState(false); // by the viewer; the count follows later
  useLiveCounts(comment.auditStatus === "PENDING" ? [id] : []);
  const answer = async (text: string) => {
    const problem = await comments.add(text, id);
    if (problem) return problem;
    setIsAnswered(true);
    setShowsReplies(!isReply);
    return null;
  };
  const stopEditing = () => {
    setIsEditing(false);
    editButton.current?.focus();
  };
  const hasReplies = !isReply && (replyCount !== 0 || isAnswered);
  return (
    <article className="plaudit-item">
      <header className="plaudit-row">
        <Avatar user={author} />
        {deleted ? <span className="plaudit-name">{say("deleted")}</span> : <UserName user={author} />}
        <Ago time={comment.createdAt} />
        {comment.editedAt && <span className="plaudit-quiet">{say("edited")}</span>}
        {comment.isPinned && <span className="plaudit-badge">{say("pinned")}</span>}
        <Status of={comment} />
      </header>
      {deleted ? <p className="plaudit-quiet">{say("comment-deleted")}</p> : isEditing ? (
        <TextForm send={(text) => comments.edit(id, text)} label={say("edit-comment")} action={say("save-edit")} text={comment.text ?? ""} most={LIMITS.commentCharacters} hasMore={comment.attachments.length > 0} autoFocus onClose={stopEditing} />
      ) : (
        <Warned of={comment}>
          {isReply && repliedTo && <span className="plaudit-quiet" dir="ltr">@{repliedTo.handle}</span>}
          <Words of={comment} />
          <Attachments files={comment.attachments} />
        </Warned>
      )}
      <footer className="plaudit-row">
        {!deleted && <LikeButton target={comment} />}
        {!deleted && <Actions comment={comment} comments={comments} onReply={() => setIsAnswering(!isAnswering)} isAnswering={isAnswering} onEdit={() => setIsEditing(!isEditing)} isEditing={isEditing} editButton={editButton} />}
        {hasReplies && (
          <button type="button" className="plaudit-act" aria-expanded={showsReplies} onClick={() => setShowsReplies(!showsReplies)}>
            {say("replies")} {replyCount !== 0 && <Count value={replyCount} of="replies" />}
          </button>
        )}
      </footer>
      {isAnswering && <TextForm send={answer} label={say("write-reply", { name: author?.displayName ?? "" })} action={say("send")} autoFocus onClose={() => setIsAnswering(false)} />}
      {comments.pending.filter(({ replyToId }) => replyToId === id).map((one) => <Pending key={one.key} comment={one} />)}
      {showsReplies && <Replies rootId={id} comments={comments} />}
    </article>
  );
}

interface ActionsProps {
  comment: CommentItemFragment;
  comments: CommentList;
  onReply: () => void;
  isAnswering: boolean;
  onEdit: () => void;
  isEditing: boolean;
  editButton: RefObject<HTMLButtonElement | null>;
}

function Actions({ comment: { id, author }, comments, onReply, isAnswering, onEdit, isEditing, editButton }: ActionsProps) {
  const { say } = useText();
  const { isSignedIn } = useSession();
  const [isReporting, setIsReporting] = useState(false);
  if (!isSignedIn) return null;
  const isOwn = author?.viewerRelation === "SELF";
  return (
    <>
      {comments.canComment !== false && <button type="button" className="plaudit-act" aria-expanded={isAnswering} onClick={onReply}>{say("reply")}</button>}
      {isOwn && <button ref={editButton} type="button" className="plaudit-act" aria-expanded={isEditing} onClick={onEdit}>{say("edit")}</button>}
      {isOwn && <button type="button" className="plaudit-act" onClick={() => comments.remove(id)}>{say("delete")}</button>}
      {!isOwn && <button type="button" className="plaudit-act" aria-haspopup="dialog" onClick={() => setIsReporting(true)}>{say("report")}</button>}
      {isReporting && <ReportDialog target={id} onClose={() => setIsReporting(false)} />}
    </>
  );
}

function Replies({ rootId, comments }: { rootId: string; comments: CommentList }) {
  const { say } = useText();
  return (
    <div className="plaudit-replies">
      <PageList pages={useReplies(rootId)} label={say("replies")} empty={null}>
        {(reply) => <Comment comment={reply} comments={comments} isReply />}
      </PageList>
    </div>
  );
}
