import type { NotificationItemFragment, NotificationKind } from "@plaudit/client";
import { useNotifications } from "@plaudit/client/react";
import { Link } from "react-router";
import { Heading } from "../heading.tsx";
import { Icon } from "../icons.tsx";
import { say } from "../language.tsx";
import { Ago, Avatar, Nothing, PageList, pathOf } from "../ui.tsx";
import "../link-button.css";
import "../people.css";

const ICONS: Record<NotificationKind, Parameters<typeof Icon>[0]["name"]> = {
  LIKE: "heart",
  FOLLOW: "person",
  FOLLOW_REQUEST: "person",
  FOLLOW_ACCEPTED: "person",
  COMMENT: "comment",
  REPLY: "comment",
  MENTION: "comment",
  QUOTE: "quote",
  REPOST: "repost",
  NEW_POST: "bell",
  MODERATION: "lock",
  REPORT: "lock",
};
const FACES = 4; // the most avatars of a notification

function linkOf({ kind, subject, actors }: NotificationItemFragment): string | null {
  const about = subject?.__typename === "Comment" ? subject.subject : subject;
  if (about?.__typename === "Post" || about?.__typename === "Entity") return pathOf(about);
  if (kind === "MODERATION" || kind === "REPORT") return "/account";
  return actors?.[0] ? `/users/${actors[0].handle}` : null;
}

/** Returns the beginning of what a notification is about: the new comment, else the post, comment or entity. */
function excerptOf({ comment, subject }: NotificationItemFragment): string | null {
  if (comment) return comment.commentText ?? null;
  if (subject?.__typename === "Post") return subject.text;
  if (subject?.__typename === "Comment") return subject.commentText ?? null;
  return subject?.__typename === "Entity" ? (subject.title ?? null) : null;
}

export function Notifications() {
  const pages = useNotifications();
  const hasUnread = pages.items?.some(({ read }) => !read) ?? true;
  return (
    <>
      <div className="screen-head">
        <Heading title={say("notifications")} />
        <button type="button" disabled={!hasUnread} onClick={pages.markRead}>{say("mark-all-read")}</button>
        <Link className="button" to="/settings">{say("settings")}</Link>
      </div>
      <PageList pages={pages} label={say("notifications")} empty={<Nothing icon="bell" text={say("no-notifications")} />}>
        {(one) => <Notification one={one} onOpen={() => !one.read && pages.markOneRead(one.id)} />}
      </PageList>
    </>
  );
}

function Notification({ one, onOpen }: { one: NotificationItemFragment; onOpen: () => void }) {
  const to = linkOf(one);
  const excerpt = excerptOf(one);
  return (
    <article className={one.read ? "card notification" : "card notification unread"}>
      <span className={`notification-kind ${one.kind}`}><Icon name={ICONS[one.kind] ?? "bell"} filled={one.kind === "LIKE"} /></span>
      <div className="notification-body">
        <p className="notification-top">
          <Faces of={one} />
          {!one.read && <span className="dot"><span className="hidden">{say("not-read")}</span></span>}
          <Ago time={one.updatedAt} />
        </p>
        <p className="notification-line">{to ? <Link to={to} onClick={onOpen}>{one.message}</Link> : one.message}</p>
        {excerpt && <p className="excerpt" dir="auto">{excerpt}</p>}
      </div>
    </article>
  );
}

function Faces({ of: { actors, actorCount } }: { of: NotificationItemFragment }) {
  if (!actors?.length) return null;
  const shown = actors.slice(0, FACES);
  const others = (typeof actorCount === "number" ? actorCount : shown.length) - shown.length;
  return (
    <span className="faces">
      {shown.map((user) => <Link key={user.id} to={`/users/${user.handle}`} aria-label={user.displayName} title={user.displayName}><Avatar user={user} /></Link>)}
      {others > 0 && <span className="handle"><bdi>+{others}</bdi></span>}
    </span>
  );
}
