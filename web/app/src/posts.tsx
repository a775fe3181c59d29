import { DeletePostDocument, DetachQuoteDocument, HidePostDocument, type PostCardFragment, ShowLessDocument, UnhidePostDocument } from "@plaudit/client";
import { type Edge, type Toggle, useLike, useRepost, useSave } from "@plaudit/client/react";
import { useState } from "react";
import { Link } from "react-router";
import { useMutation } from "urql";
import { Cover } from "./cover.tsx";
import { Icon } from "./icons.tsx";
import { Say, say } from "./language.tsx";
import { Media } from "./media.tsx";
import { Menu } from "./menu.tsx";
import { Publish } from "./publish.tsx";
import { useSession } from "./session.tsx";
import { Warned } from "./warnings.tsx";
import { Ago, Avatar, Count, Status, UserName, Words } from "./ui.tsx";
import "./posts.css";

/** A button for a like, a repost or a save. Its name stays; `aria-pressed` has its state, "mixed" if that is unknown. */
export function ToggleButton({ toggle, label, of, icon }: { toggle: Toggle; label: string; of: string; icon: "heart" | "repost" | "star" }) {
  const { person } = useSession();
  const isOn = person ? toggle.isOn : false;
  return (
    <button
      type="button"
      className={`act act-${icon}`}
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
  if (!isSignedIn) return say("sign-in-first");
  return isOn === undefined ? say("choice-unknown") : undefined;
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
  const [, hide] = useMutation(HidePostDocument);
  const [, less] = useMutation(ShowLessDocument);
  const postId = post.id;
  const isOwn = person !== null && post.author?.handle === person.handle;
  const isQuoted = person !== null && post.quote?.post?.author?.handle === person.handle;
  if (post.viewerHasHidden) return <HiddenPost post={post} />;
  return (
    <article className="card post">
      {edge?.repostedBy?.nodes[0] && <Reposters by={edge.repostedBy} />}
      {topic && <p className="topics"><span><Say id="from-topic" topic={<Link to={`/topics/${topic.name}`}><bdi>#{topic.name}</bdi></Link>} /></span></p>}
      <header>
        <Avatar user={post.author} />
        <UserName user={post.author} />
        <Link className="time" to={`/posts/${post.id}`}><Ago time={post.createdAt} /></Link>
        <Status of={post} />
        <Menu savable targetId={post.id} user={post.author ?? null} onDelete={isOwn ? () => remove({ id: post.id }) : undefined} onDetach={isQuoted ? () => detach({ postId }) : undefined} onHide={isOwn ? undefined : () => hide({ postId })} onLess={isOwn ? undefined : () => less({ postId })} />
      </header>
      <Warned of={post}>
      {!(post.entity && post.announcesEntity) && <p className="text"><Words of={post} /></p>}
      {post.entity && (
        <div className="card note entity-note">
          <Cover of={post.entity} />
          <p><span className="badge">{post.entity.business}</span> <Link className="name" to={`/entities/${post.entity.id}`}>{post.entity.title ?? post.entity.key}</Link></p>
        </div>
      )}
      <Media files={post.attachments} />
      {post.quote && <Quoted quote={post.quote} />}
      </Warned>
      {post.topics.length > 0 && (
        <p className="topics">
          {post.topics.map(({ id, name }) => <Link key={id} to={`/topics/${name}`}><bdi>#{name}</bdi></Link>)}
        </p>
      )}
      <footer>
        <ToggleButton toggle={like} label={say("like")} of="likes" icon="heart" />
        <Link className="act act-comment" to={`/posts/${post.id}`} aria-label={say("comments")}>
          <Icon name="comment" /> <Count value={post.commentCount} of="comments" />
        </Link>
        <ToggleButton toggle={repost} label={say("repost")} of="reposts" icon="repost" />
        {person && <button type="button" className="act act-quote" aria-label={say("quote")} aria-expanded={isQuoting} onClick={() => setIsQuoting(!isQuoting)}><Icon name="quote" /></button>}
        <ToggleButton toggle={save} label={say("favourite")} of="saves" icon="star" />
      </footer>
      {isQuoting && <Publish quoteOf={post.id} onPublished={() => setIsQuoting(false)} />}
    </article>
  );
}

/** Takes the place of a post that the person has hidden. */
function HiddenPost({ post }: { post: PostCardFragment }) {
  const [, unhide] = useMutation(UnhidePostDocument);
  return <article className="card note"><span className="text empty"><Say id="hidden-post" author={<UserName user={post.author} />} /></span><button type="button" onClick={() => unhide({ postId: post.id })}>{say("show-again")}</button></article>;
}

function Reposters({ by }: { by: NonNullable<Edge<PostCardFragment>["repostedBy"]> }) {
  const others = by.totalCount - 1;
  return <p className="handle why-listed"><Icon name="repost" /> <Say id="reposted-by" user={<UserName user={by.nodes[0]} />} others={others} /></p>;
}

function Quoted({ quote }: { quote: NonNullable<PostCardFragment["quote"]> }) {
  if (!quote.post) return <p className="handle">{say(quote.missing ? `quote-${quote.missing}` : "quote-not-loaded")}</p>;
  return (
    <blockquote className="card quoted" aria-label={say("quoted-post")}>
      <header><Avatar user={quote.post.author} /> <UserName user={quote.post.author} /></header>
      <Warned of={quote.post}>
        <p className="text"><Link to={`/posts/${quote.post.id}`}>{quote.post.text || say("post-with-images")}</Link></p>
      </Warned>
    </blockquote>
  );
}
