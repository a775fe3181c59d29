import { type PostCardFragment, PostDocument } from "@plaudit/client";
import { useState } from "react";
import { useRead, useSave, useSession } from "../hooks/index.js";
import { useText } from "../text.js";
import { CollectionPicker } from "./collection-picker.js";
import { LikeButton, useToggleProps } from "./like-button.js";
import { Ago, Attachments, Avatar, Count, Failure, Linked, Status, UserName, Warned, Words } from "./parts.js";
import { ReportDialog } from "./report-dialog.js";

/** A post with its author, files, quote and buttons. `post` is an id, or what an operation has read. */
export function Post({ post }: { post: string | PostCardFragment }) {
  return typeof post === "string" ? <PostById id={post} /> : <PostCard post={post} />;
}

function PostById({ id }: { id: string }) {
  const { say } = useText();
  const [{ data, fetching, error }] = useRead({ query: PostDocument, variables: { id } });
  const node = data?.node;
  if (node?.__typename === "Post") return <PostCard post={node} />;
  const message = error ? "not-loaded" : fetching ? "loading" : "post-missing";
  return <p className="plaudit plaudit-quiet">{say(message)}</p>;
}

function PostCard({ post }: { post: PostCardFragment }) {
  const { links, isSignedIn } = useSession();
  const { say } = useText();
  const page = links?.post?.(post.id);
  return (
    <article className="plaudit plaudit-item">
      <header className="plaudit-row">
        <Avatar user={post.author} />
        <UserName user={post.author} />
        <Linked to={page} className="plaudit-quiet"><Ago time={post.createdAt} /></Linked>
        <Status of={post} />
      </header>
      <Warned of={post}>
        <Words of={post} />
        {post.entity && <p className="plaudit-quote">{post.entity.title ?? post.entity.key}</p>}
        <Attachments files={post.attachments} />
        {post.quote?.post && (
          <blockquote className="plaudit-quote" aria-label={say("quoted-post")}>
            <UserName user={post.quote.post.author} />
            <p className="plaudit-text" dir="auto">{post.quote.post.text}</p>
          </blockquote>
        )}
      </Warned>
      <footer className="plaudit-row">
        <LikeButton target={post} />
        <Linked to={page}><Count value={post.commentCount} of="comments" /> {say("comments")}</Linked>
        {isSignedIn && <Actions post={post} />}
      </footer>
    </article>
  );
}

function Actions({ post }: { post: PostCardFragment }) {
  const { say } = useText();
  const save = useSave(post);
  const props = useToggleProps(save);
  const [isReporting, setIsReporting] = useState(false);
  const [isChoosing, setIsChoosing] = useState(false);
  const isOwn = post.author?.viewerRelation === "SELF";
  return (
    <>
      <button {...props} className="plaudit-act">{say("save")}</button>
      <button type="button" className="plaudit-act" aria-expanded={isChoosing} onClick={() => setIsChoosing(!isChoosing)}>{say("save-in")}</button>
      {!isOwn && <button type="button" className="plaudit-act" aria-haspopup="dialog" onClick={() => setIsReporting(true)}>{say("report")}</button>}
      <Failure of={save.problem} />
      {isReporting && <ReportDialog target={post.id} onClose={() => setIsReporting(false)} />}
      {isChoosing && <CollectionPicker target={post.id} />}
    </>
  );
}
