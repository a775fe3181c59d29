import type { AuditStatus, CaseItemFragment, ModeratedUserFragment } from "@plaudit/client";
import { type ReactNode, useEffect, useState } from "react";
import { Link } from "react-router";
import { Say, say } from "../language.tsx";
import { Ago, Handle } from "../ui.tsx";
import { Blurred, Files } from "./blur.tsx";

export type Content = CaseItemFragment["node"];
type Comment = Extract<Content, { __typename: "Comment" }>;

/** Whether this is a post or comment, which can be approved and rejected. */
export function isContent(node: Content): node is Extract<Content, { __typename: "Post" | "Comment" }> {
  return node.__typename === "Post" || node.__typename === "Comment";
}

/** Returns the search part of an address with another value of a filter; null or "" removes the filter. */
export function withFilter(search: URLSearchParams, name: string, value: string | null): URLSearchParams {
  if (value) search.set(name, value);
  else search.delete(name);
  return search;
}

/** Sets the title of the page in the browser. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = say("title", { title });
  }); // again if the language changes
}

/** The name of a user, which links to the user's page in the console. */
export function Person({ user }: { user: ModeratedUserFragment | null | undefined }) {
  if (!user) return <span className="name">{say("unknown-user")}</span>;
  return (
    <Link className="name" to={`/users/${user.id}`}>
      {user.displayName} <Handle of={user} />
    </Link>
  );
}

/** The profile picture; a link to it if it cannot be loaded. */
export function Picture({ user }: { user: ModeratedUserFragment }) {
  const [isBlocked, setIsBlocked] = useState(false);
  const url = user.avatarUrl;
  if (!url) return <span className="avatar large" aria-hidden="true">{user.displayName.slice(0, 1)}</span>;
  if (isBlocked) return <a href={url} target="_blank" rel="noreferrer">{say("open-picture")}</a>;
  return <img className="avatar large" src={url} alt={say("picture-of", { name: user.displayName })} onError={() => setIsBlocked(true)} />;
}

/** Returns the beginning of what a case is about. */
export function excerpt(node: Content): string {
  const text = textOf(node) || say("no-text");
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function textOf(node: Content): string {
  if (node.__typename === "Post") return node.postText;
  if (node.__typename === "Comment") return node.deleted ? say("deleted-comment") : (node.commentText ?? "");
  if (node.__typename === "User") return `${node.displayName} @${node.handle}`;
  if (node.__typename === "Entity") return node.title ?? node.key;
  if (node.__typename === "Collection") return node.name;
  if (node.__typename === "Topic") return `#${node.id.slice("Topic:".length)}`;
  return node.__typename;
}

export function State({ status }: { status: AuditStatus }) {
  return <span className={`badge ${status.toLowerCase()}`}>{say(`state-${status}`)}</span>;
}

/** What a case is about, with the post and the comments above it. If it is blurred, so is each image until the moderator asks for it. */
export function Target({ node, isBlurred = false }: { node: Content; isBlurred?: boolean }) {
  const body = <Body key={node.id} node={node} isBlurred={isBlurred} />;
  if (node.__typename === "Comment") return <><Thread comment={node} />{body}</>;
  return body;
}

function Body({ node, isBlurred }: { node: Content; isBlurred: boolean }) {
  if (node.__typename === "User") return <div className="body"><Blurred isKnown={isBlurred}><Picture user={node} /></Blurred><p><Person user={node} /></p><p className="text">{node.bio || say("no-bio")}</p></div>;
  if (node.__typename === "Entity") return <div className="body"><p className="text">{node.title ?? node.key}</p><p className="handle">{node.business} {node.key} {node.owner && <Say id="of-owner" owner={<Person user={node.owner} />} />}</p></div>;
  if (node.__typename === "Collection") return <div className="body"><p className="text">{node.name}</p><p className="handle">{say(node.isPublic ? "public-collection" : "private-collection")} {node.owner && <Say id="of-owner" owner={<Person user={node.owner} />} />}</p></div>;
  if (!isContent(node)) return null;
  return (
    <div className="body">
      <p className="byline"><Person user={node.author} /> <Ago time={node.createdAt} /> {node.editedAt && <span className="badge">{say("edited")}</span>} <State status={node.auditStatus} /></p>
      <p className="text">{textOf(node)}</p>
      <Files files={node.attachments} isKnown={isBlurred} />
      {node.labels.length > 0 && <p className="inline">{node.labels.map(({ name, title, source }) => <span className="badge" key={`${name} ${source}`}>{title}</span>)}</p>}
      {node.__typename === "Post" && node.topics.length > 0 && <p className="handle">{node.topics.map(({ name }) => `#${name}`).join(" ")}</p>}
    </div>
  );
}

function Thread({ comment: { subject, root, parent } }: { comment: Comment }) {
  return (
    <>
      {subject?.__typename === "Post" && <Above title="on-post" user={subject.author}>{subject.postText || say("no-text")}</Above>}
      {subject?.__typename === "Entity" && <Above title="on-entity" business={subject.business}>{subject.title ?? subject.key}</Above>}
      {root && <Above title="in-thread" user={root.author}>{root.deleted ? say("deleted-comment") : root.commentText}</Above>}
      {parent && parent.id !== root?.id && <Above title="in-reply" user={parent.author}>{parent.deleted ? say("deleted-comment") : parent.commentText}</Above>}
    </>
  );
}

/** A post, entity or comment above a comment. `title` is the message `above-…`. */
function Above({ title, user, business = "", children }: { title: string; user?: ModeratedUserFragment | null; business?: string; children: ReactNode }) {
  return <blockquote className="above"><p className="handle"><Say id={`above-${title}`} author={<Person user={user} />} business={business} /></p><p className="text">{children}</p></blockquote>;
}
