import { DeletePostDocument, DetachQuoteDocument, type PostCardFragment, type QuoteMissing } from "@plaudit/client";
import { type Edge, type Toggle, useLike, useRepost, useSave } from "@plaudit/client/react";
import { useState } from "react";
import { Link } from "react-router";
import { useMutation } from "urql";
import { Icon } from "./icons.tsx";
import { Menu } from "./menu.tsx";
import { Publish } from "./publish.tsx";
import { useSession } from "./session.tsx";
import { Ago, Attachments, Avatar, Count, Status, UserName, Words } from "./ui.tsx";

/** A button for a like, a repost or a save. Its name stays; `aria-pressed` has its state, "mixed" if that is unknown. */
export function ToggleButton({ toggle, label, of, icon }: { toggle: Toggle; label: string; of: string; icon: "heart" | "repost" | "star" }) {
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

/** A post. `edge` says why it is in the list. */
export function PostCard({ post, edge }: { post: PostCardFragment; edge?: Edge<PostCardFragment> }) {
  const topic = edge?.homeReason?.topic;
  const like = useLike(post);
  const repost = useRepost(post);
  const [isQuoting, setIsQuoting] = useState(false);
  const [, detach] = useMutation(DetachQuoteDocument);
  const save = useSave(post);
  const { person } = useSession();
  const [, remove] = useMutation(DeletePostDocument);
  const isOwn = person !== null && post.author?.handle === person.handle;
  const isQuoted = person !== null && post.quote?.post?.author?.handle === person.handle;
  return (
    <article className="card">
      {edge?.repostedBy?.nodes[0] && <Reposters by={edge.repostedBy} />}
      {topic && <p className="topics">From <Link to={`/topics/${topic.name}`}>#{topic.name}</Link></p>}
      <header>
        <Avatar user={post.author} />
        <UserName user={post.author} />
        <Link className="time" to={`/posts/${post.id}`}><Ago time={post.createdAt} /></Link>
        <Status of={post} />
        <Menu savable targetId={post.id} user={post.author ?? null} onDelete={isOwn ? () => remove({ id: post.id }) : undefined} onDetach={isQuoted ? () => detach({ postId: post.id }) : undefined} />
      </header>
      {!(post.entity && post.announcesEntity) && <p className="text"><Words of={post} /></p>}
      {post.entity && (
        <p className="card note">
          <Link className="name" to={`/entities/${post.entity.id}`}>{post.entity.title ?? post.entity.key}</Link>
          <span className="badge">{post.entity.business}</span>
        </p>
      )}
      <Attachments files={post.attachments} />
      {post.quote && <Quoted quote={post.quote} />}
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
        <ToggleButton toggle={repost} label="Repost" of="reposts" icon="repost" />
        {person && <button type="button" className="act" aria-label="Quote" aria-expanded={isQuoting} onClick={() => setIsQuoting(!isQuoting)}><Icon name="quote" /></button>}
        <ToggleButton toggle={save} label="Favourite" of="saves" icon="star" />
      </footer>
      {isQuoting && <Publish quoteOf={post.id} onPublished={() => setIsQuoting(false)} />}
    </article>
  );
}

function Reposters({ by }: { by: NonNullable<Edge<PostCardFragment>["repostedBy"]> }) {
  const others = by.totalCount - 1;
  return <p className="handle">Reposted by <UserName user={by.nodes[0]} />{others > 0 && ` and ${others} more`}</p>;
}

const MISSING: Record<QuoteMissing, string> = {
  REMOVED_BY_AUTHOR: "Its author has removed the quoted post from here.",
  DELETED: "The quoted post was deleted.",
  NOT_VISIBLE: "You may not see the quoted post.",
  NESTED: "Open the post to see what it quotes.",
};

function Quoted({ quote }: { quote: NonNullable<PostCardFragment["quote"]> }) {
  if (!quote.post) return <p className="handle">{quote.missing ? MISSING[quote.missing] : "The quoted post could not be loaded."}</p>;
  return (
    <blockquote className="card" aria-label="Quoted post">
      <UserName user={quote.post.author} />
      <p className="text"><Link to={`/posts/${quote.post.id}`}>{quote.post.text || "A post with images"}</Link></p>
    </blockquote>
  );
}
