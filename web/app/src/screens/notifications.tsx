import type { NotificationItemFragment } from "@plaudit/client";
import { useNotifications } from "@plaudit/client/react";
import { Link } from "react-router";
import { Heading } from "../heading.tsx";
import { say } from "../language.tsx";
import { Ago, Avatar, PageList, pathOf } from "../ui.tsx";

function linkOf({ subject, actors }: NotificationItemFragment): string | null {
  const about = subject?.__typename === "Comment" ? subject.subject : subject;
  if (about?.__typename === "Post" || about?.__typename === "Entity") return pathOf(about);
  return actors?.[0] ? `/users/${actors[0].handle}` : null;
}

export function Notifications() {
  const pages = useNotifications();
  return (
    <>
      <Heading title={say("notifications")} />
      <p><button type="button" onClick={pages.markRead}>{say("mark-all-read")}</button></p>
      <PageList pages={pages} label={say("notifications")} empty={say("no-notifications")}>
        {(one) => {
          const to = linkOf(one);
          return (
            <article className={one.read ? "card note" : "card note unread"}>
              <Avatar user={one.actors?.[0]} />
              <span className="text">
                {to ? <Link to={to}>{one.message}</Link> : one.message}
                {one.comment && <span className="quote">{one.comment.commentText}</span>}
              </span>
              <Ago time={one.updatedAt} />
            </article>
          );
        }}
      </PageList>
    </>
  );
}
