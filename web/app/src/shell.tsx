import { MeDocument, NotificationReceivedDocument, SetLanguageDocument } from "@plaudit/client";
import { useRead } from "@plaudit/client/react";
import { Suspense } from "react";
import { NavLink, Outlet, useLocation } from "react-router";
import { useMutation, useSubscription } from "urql";
import { Discover, useIsWide } from "./discover.tsx";
import { Icon } from "./icons.tsx";
import { LanguageMenu, say, useProfileLanguage } from "./language.tsx";
import { PanelButton } from "./panel.tsx";
import { usePlace } from "./place.ts";
import { rare } from "./rare.ts";
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
      <a className="skip" href="#main">{say("skip")}</a>
      <header className="top">
        <NavLink to="/" className="brand">Plaudit</NavLink>
        <SignIn />
        <Language />
        <PanelButton />
      </header>
      {!deletion && <Navigation />}
      <main id="main">
        {!person && <p className="empty">{say("not-signed-in-hint")}</p>}
        <Suspense fallback={<p className="empty">{say("loading")}</p>}>{deletion ? <DeletedAccount dueAt={deletion.dueAt} /> : <Outlet />}</Suspense>
      </main>
      {hasSide && <aside className="side" aria-label={say("discover")}><Discover /></aside>}
    </div>
  );
}

function Navigation() {
  const { person } = useSession();
  const isStart = useLocation().pathname === "/"; // which shows the square while nobody is signed in
  return (
    <nav aria-label={say("main-navigation")}>
      {person && <NavLink to="/" end><Icon name="home" /> {say("home")}</NavLink>}
      <NavLink to={!person && isStart ? "/" : "/square"}><Icon name="square" /> {say("square")}</NavLink>
      <NavLink to="/search"><Icon name="search" /> {say("search")}</NavLink>
      {person && <><Bell /><NavLink to="/favourites"><Icon name="star" /> {say("favourites")}</NavLink><NavLink to={`/users/${person.handle}`}><Icon name="person" /> {say("profile")}</NavLink></>}
      {/* The console is a page of its own, which takes the token of its moderator from the address. */}
      {person?.handle === "moderator" && <a href={`/moderation#token=${person.token}`}><Icon name="lock" /> {say("moderation")}</a>}
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
      <Icon name="bell" /> {say("notifications")} {isUnknown && <span className="badge" aria-label={say("unread", { count: "unknown" })}>–</span>}
      {typeof count === "number" && count > 0 && <span className="badge" aria-label={say("unread", { count })}>{count > 99 ? "99+" : count}</span>}
    </NavLink>
  );
}

function SignIn() {
  const { people, person, choose } = useSession();
  return (
    <label className="sign-in">
      <span className="hidden">{say("signed-in-as")}</span>
      <select value={person?.handle ?? ""} onChange={(event) => choose(event.target.value || null)}>
        <option value="">{say("not-signed-in")}</option>
        {people.map(({ handle, displayName }) => <option key={handle} value={handle}>{displayName}</option>)}
      </select>
    </label>
  );
}

/** The menu of languages. It shows the language of the profile, and changes that, too. */
function Language() {
  const { person } = useSession();
  const [{ data }] = useRead({ query: MeDocument, variables: {}, pause: !person });
  const [, set] = useMutation(SetLanguageDocument);
  useProfileLanguage(data?.viewer?.language);
  return <LanguageMenu onChosen={(language) => person && set({ language })} />;
}
