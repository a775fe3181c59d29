import { useNotifications, useSession } from "../hooks/index.js";
import { useText } from "../text.js";
import { SignIn } from "./composer.js";
import { Ago, Avatar, PageList } from "./parts.js";

/** The viewer's notifications, newest first. New ones arrive over a WebSocket. */
export function Notifications({ first }: { first?: number }) {
  const { isSignedIn } = useSession();
  const { say } = useText();
  return (
    <section className="plaudit" aria-label={say("notifications")}>
      {isSignedIn === false && <SignIn label={say("sign-in-first")} />}
      {isSignedIn && <List first={first} />}
    </section>
  );
}

function List({ first }: { first?: number }) {
  const { say } = useText();
  const pages = useNotifications(first);
  const hasUnread = pages.items?.some(({ read }) => !read);
  return (
    <>
      {hasUnread && <button type="button" className="plaudit-button" onClick={pages.markRead}>{say("mark-all-read")}</button>}
      <div aria-live="polite">
        <PageList pages={pages} label={say("notifications")} empty={say("no-notifications")}>
          {({ message, read, createdAt, actors }) => (
            <div className={read ? "plaudit-row" : "plaudit-row plaudit-unread"}>
              <Avatar user={actors?.[0]} />
              {!read && <span className="plaudit-badge">{say("unread")}</span>}
              <span dir="auto">{message}</span> <Ago time={createdAt} />
            </div>
          )}
        </PageList>
      </div>
    </>
  );
}
