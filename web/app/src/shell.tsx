import { MeDocument, NotificationReceivedDocument } from "@plaudit/client";
import { useRead } from "@plaudit/client/react";
import { Suspense, useState } from "react";
import { NavLink, Outlet, useLocation } from "react-router";
import { useSubscription } from "urql";
import { Discover, useIsWide } from "./discover.tsx";
import { Icon } from "./icons.tsx";
import { usePlace } from "./place.ts";
import { rare } from "./rare.ts";
import { useSent } from "./recorder.ts";
import { useSession } from "./session.tsx";

const DeletedAccount = rare(async () => (await import("./screens/deleted.tsx")).DeletedAccount);
const SIDES = ["/", "/search"]; // the pages with suggestions and trends at their side

export function Shell() {
  const { person, deletion } = useSession();
  const { pathname } = useLocation();
  const hasSide = useIsWide() && !deletion && SIDES.includes(pathname);
  usePlace();
  return (
    <div className="shell">
      <a className="skip" href="#main">Skip to the content</a>
      <header className="top">
        <NavLink to="/" className="brand">Plaudit</NavLink>
        <SignIn />
        <Drawer />
      </header>
      {!deletion && <Navigation />}
      <main id="main">
        {!person && <p className="empty">You are not signed in. To like, comment and publish, choose a user at the top of the page.</p>}
        <Suspense fallback={<p className="empty">Loading…</p>}>{deletion ? <DeletedAccount dueAt={deletion.dueAt} /> : <Outlet />}</Suspense>
      </main>
      {hasSide && <aside className="side" aria-label="Discover"><Discover /></aside>}
    </div>
  );
}

function Navigation() {
  const { person } = useSession();
  const isStart = useLocation().pathname === "/"; // which shows the square while nobody is signed in
  return (
    <nav aria-label="Main">
      {person && <NavLink to="/" end><Icon name="home" /> Home</NavLink>}
      <NavLink to={!person && isStart ? "/" : "/square"}><Icon name="square" /> Square</NavLink>
      <NavLink to="/search"><Icon name="search" /> Search</NavLink>
      {person && <><Bell /><NavLink to="/favourites"><Icon name="star" /> Favourites</NavLink><NavLink to={`/users/${person.handle}`}><Icon name="person" /> Profile</NavLink></>}
      {/* The console is a page of its own, which takes the token of its moderator from the address. */}
      {person?.handle === "moderator" && <a href={`/moderation#token=${person.token}`}><Icon name="lock" /> Moderation</a>}
    </nav>
  );
}

function Bell() {
  const [{ data, fetching }] = useRead({ query: MeDocument, variables: {} });
  useSubscription({ query: NotificationReceivedDocument });
  const count = data?.viewer?.unreadNotificationCount;
  const isUnknown = !fetching && typeof count !== "number";
  return (
    <NavLink to="/notifications">
      <Icon name="bell" /> Notifications {isUnknown && <span className="badge" aria-label="unread: unknown">–</span>}
      {typeof count === "number" && count > 0 && <span className="badge" aria-label={`${count} unread`}>{count > 99 ? "99+" : count}</span>}
    </NavLink>
  );
}

function SignIn() {
  const { people, person, choose } = useSession();
  return (
    <label className="sign-in">
      <span className="hidden">Signed in as</span>
      <select value={person?.handle ?? ""} onChange={(event) => choose(event.target.value || null)}>
        <option value="">Not signed in</option>
        {people.map(({ handle, displayName }) => <option key={handle} value={handle}>{displayName}</option>)}
      </select>
    </label>
  );
}

function Drawer() {
  const [isOpen, setIsOpen] = useState(false);
  const sent = useSent();
  return (
    <>
      <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}><span className="wide">The </span>GraphQL<span className="wide"> behind this</span></button>
      {isOpen && (
        <aside className="drawer" aria-label="The GraphQL behind this">
          <p>The newest operations of this app, with their cost.</p>
          {sent.map(({ name, text, variables, cost }) => (
            <details key={name}>
              <summary>{name} <span className="badge">cost {cost}</span></summary>
              <pre tabIndex={0}>{text}</pre>
              <a href={`/graphiql#${new URLSearchParams({ query: text, variables: JSON.stringify(variables, null, 2) })}`} target="_blank" rel="opener">Open in GraphiQL</a>
            </details>
          ))}
        </aside>
      )}
    </>
  );
}
