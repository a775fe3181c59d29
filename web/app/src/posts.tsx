import { DeletePostDocument, type PostCardFragment } from "@plaudit/client";
import { type Toggle, useLike, useSave } from "@plaudit/client/react";
import { Link } from "react-router";
import { useMutation } from "urql";
import { Icon } from "./icons.tsx";
import { Menu } from "./menu.tsx";
import { useSession } from "./session.tsx";
import { Ago, Avatar, Count, Images, UserName } from "./ui.tsx";

/** A button for a like or a save. */
export function ToggleButton({ toggle, on, off, of, icon }: { toggle: Toggle; on: string; off: string; of: string; icon: "heart" | "star" }) {
  const { person } = useSession();
  return (
    <button
      type="button"
      className={toggle.isOn ? "act on" : "act"}
      aria-pressed={toggle.isOn}
      aria-label={toggle.isOn ? off : on}
      disabled={!person}
      title={toggle.problem ?? (person ? undefined : "Sign in first")}
      onClick={toggle.toggle}
    >
      <Icon name={icon} filled={toggle.isOn} /> <Count value={toggle.count} of={of} />
      {toggle.problem && <span role="alert" className="problem">{toggle.problem}</span>}
    </button>
  );
}

export function PostCard({ post }: { post: PostCardFragment }) {
  const like = useLike(post);
  const save = useSave(post);
  const { person } = useSession();
  const [, remove] = useMutation(DeletePostDocument);
  const isOwn = person !== null && post.author?.handle === person.handle;
  return (
    <article className="card">
      <header>
        <Avatar user={post.author} />
        <UserName user={post.author} />
        <Link className="time" to={`/posts/${post.id}`}><Ago time={post.createdAt} /></Link>
        {post.auditStatus !== "APPROVED" && <span className="badge">{post.auditStatus === "PENDING" ? "In review" : "Rejected"}</span>}
        <Menu savable targetId={post.id} user={post.author ?? null} onDelete={isOwn ? () => remove({ id: post.id }) : undefined} />
      </header>
      <p className="text">{post.text}</p>
      <Images images={post.images} />
      {post.topics.length > 0 && (
        <p className="topics">
          {post.topics.map(({ id, name }) => <Link key={id} to={`/topics/${name}`}>#{name}</Link>)}
        </p>
      )}
      <footer>
        <ToggleButton toggle={like} on="Like" off="Unlike" of="likes" icon="heart" />
        <Link className="act" to={`/posts/${post.id}`} aria-label="Comments">
          <Icon name="comment" /> <Count value={post.commentCount} of="comments" />
        </Link>
        <ToggleButton toggle={save} on="Add to favourites" off="Remove from favourites" of="saves" icon="star" />
      </footer>
    </article>
  );
}
