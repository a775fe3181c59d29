import { DeletePostDocument, type PostCardFragment } from "@plaudit/client";
import { type Toggle, useLike, useSave } from "@plaudit/client/react";
import { Link } from "react-router";
import { useMutation } from "urql";
import { Icon } from "./icons.tsx";
import { Menu } from "./menu.tsx";
import { useSession } from "./session.tsx";
import { Ago, Attachments, Avatar, Count, Status, UserName, Words } from "./ui.tsx";

/** A button for a like or a save. Its name stays; `aria-pressed` has its state, "mixed" if that is unknown. */
export function ToggleButton({ toggle, label, of, icon }: { toggle: Toggle; label: string; of: string; icon: "heart" | "star" }) {
  const { person } = useSession();
  const isOn = person ? toggle.isOn : false;
  return (
    <button
      type="button"
      className="act"
      aria-pressed={isOn ?? "mixed"}
      aria-label={label}
      disabled={!person}
      title={toggle.problem ?? titleOf(person !== null, isOn)}
      onClick={toggle.toggle}
    >
      <Icon name={icon} filled={isOn} /> <Count value={toggle.count} of={of} />
      {toggle.problem && <span role="alert" className="problem">{toggle.problem}</span>}
    </button>
  );
}

function titleOf(isSignedIn: boolean, isOn: boolean | undefined): string | undefined {
  if (!isSignedIn) return "Sign in first";
  return isOn === undefined ? "Your choice is not known now" : undefined;
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
        <Status of={post} />
        <Menu savable targetId={post.id} user={post.author ?? null} onDelete={isOwn ? () => remove({ id: post.id }) : undefined} />
      </header>
      {!(post.entity && post.announcesEntity) && <p className="text"><Words of={post} /></p>}
      {post.entity && (
        <p className="card note">
          <Link className="name" to={`/entities/${post.entity.id}`}>{post.entity.title ?? post.entity.key}</Link>
          <span className="badge">{post.entity.business}</span>
        </p>
      )}
      <Attachments files={post.attachments} />
      {post.topics.length > 0 && (
        <p className="topics">
          {post.topics.map(({ id, name }) => <Link key={id} to={`/topics/${name}`}>#{name}</Link>)}
        </p>
      )}
      <footer>
        <ToggleButton toggle={like} label="Like" of="likes" icon="heart" />
        <Link className="act" to={`/posts/${post.id}`} aria-label="Comments">
          <Icon name="comment" /> <Count value={post.commentCount} of="comments" />
        </Link>
        <ToggleButton toggle={save} label="Favourite" of="saves" icon="star" />
      </footer>
    </article>
  );
}
