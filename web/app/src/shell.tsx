import { MeDocument, NotificationReceivedDocument, SetLanguageDocument } from "@plaudit/client";
import { useRead } from "@plaudit/client/react";
import { type ReactNode, Suspense, useLayoutEffect, useRef, useState } from "react";
import { Link, NavLink, Outlet, useLocation } from "react-router";
import { useMutation, useSubscription } from "urql";
import { Icon, type IconName } from "./icons.tsx";
import { LanguageMenu, nameOfLanguage, say, useProfileLanguage } from "./language.tsx";
import { PanelButton } from "./panel.tsx";
import { usePlace } from "./place.ts";
import { rare } from "./rare.ts";
import { useSession } from "./session.tsx";
import { Toasts } from "./toasts.tsx";
import { Avatar, Handle, Skeleton } from "./ui.tsx";
import { useIsWide } from "./wide.ts";

const DeletedAccount = rare(async () => (await import("./screens/deleted.tsx")).DeletedAccount);
const Side = rare(async () => (await import("./side.tsx")).Side, Nowhere);
const Write = rare<{ onClose: () => void }>(async () => (await import("./write.tsx")).Write, Nowhere);

const SIGN_IN = "/sign-in";

function Nowhere() {
  return null;
}

export function Shell() {
  const { person, deletion } = useSession();
  const hasSide = useIsWide() && !deletion;
  const { pathname } = useLocation();
  const screen = useArrival(pathname);
  usePlace();
  return (
    <div className="shell">
      <a className="skip" href="#main">{say("skip")}</a>
      <header className="rail">
        <NavLink to="/" className="brand"><svg className="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9" /><path d="M16 25.2 7.9 17a5 5 0 0 1 7.1-7.1l1 1 1-1a5 5 0 0 1 7.1 7.1z" /></svg> <span>Plaudit</span></NavLink>
        {!deletion && <Navigation />}
        {!deletion && <Begin />}
        <div className="tools">
          <PanelButton />
          <Language />
          <SignIn />
        </div>
      </header>
      <main id="main">
        {!person && pathname !== SIGN_IN && <Welcome />}
        <div ref={screen}><Suspense fallback={<Skeleton />}>{deletion ? <DeletedAccount dueAt={deletion.dueAt} /> : <Outlet />}</Suspense></div>
      </main>
      {hasSide && <Suspense fallback={<div className="side" />}><Side /></Suspense>}
      <Toasts />
    </div>
  );
}

/** Lets a screen fade in when the path changes, unless the person prefers reduced motion. */
function useArrival(pathname: string) {
  const screen = useRef<HTMLDivElement>(null);
  const last = useRef(pathname);
  useLayoutEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    if (matchMedia("(prefers-reduced-motion: no-preference)").matches) screen.current?.animate({ opacity: [0, 1] }, { duration: 180, easing: "ease-out" });
  }, [pathname]);
  return screen;
}

/** Says on every screen what a person without an account can do. */
function Welcome() {
  return (
    <section className="card welcome">
      <p>{say("not-signed-in-hint")}</p>
      <Link className="button primary" to={SIGN_IN}>{say("choose-person")}</Link>
    </section>
  );
}

/** What a person most likely begins with: a post or, without an account, a sign-in. */
function Begin() {
  const { person } = useSession();
  const { pathname } = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  if (!person && pathname === SIGN_IN) return null;
  if (!person) return <Link className="write primary" to={SIGN_IN}><Icon name="person" /> <span className="label">{say("sign-in")}</span></Link>;
  return (
    <>
      <button type="button" className="write primary" aria-haspopup="dialog" onClick={() => setIsOpen(true)}><Icon name="pen" /> <span className="label">{say("write")}</span></button>
      {isOpen && <Suspense><Write onClose={() => setIsOpen(false)} /></Suspense>}
    </>
  );
}

function Navigation() {
  const { person } = useSession();
  const isStart = useLocation().pathname === "/"; // which shows the square while nobody is signed in
  return (
    <nav aria-label={say("main-navigation")}>
      {person && <Place to="/" end icon="home" label={say("home")} />}
      <Place to={!person && isStart ? "/" : "/square"} icon="square" label={say("square")} />
      <Place to="/search" icon="search" label={say("search")} />
      {person && <><Bell /><Place to="/favourites" icon="star" label={say("favourites")} /><Place to={`/users/${person.handle}`} icon="person" label={say("profile")} /></>}
      {/* The console is a page of its own, which takes the token of its moderator from the address. */}
      {person?.handle === "moderator" && <a href={`/moderation#token=${person.token}`}><Icon name="lock" /> <span className="label">{say("moderation")}</span></a>}
    </nav>
  );
}

function Place({ to, end, icon, label, children }: { to: string; end?: boolean; icon: IconName; label: string; children?: ReactNode }) {
  return <NavLink to={to} end={end}><Icon name={icon} /> <span className="label">{label}</span>{children}</NavLink>;
}

function Bell() {
  const [{ data, fetching }] = useRead({ query: MeDocument, variables: {} });
  useSubscription({ query: NotificationReceivedDocument });
  const count = data?.viewer?.unreadNotificationCount;
  const isUnknown = !fetching && typeof count !== "number";
  return (
    <Place to="/notifications" icon="bell" label={say("notifications")}>
      {isUnknown && <span className="badge" aria-label={say("unread", { count: "unknown" })}>–</span>}
      {typeof count === "number" && count > 0 && <span className="badge" aria-label={say("unread", { count })}>{count > 99 ? "99+" : count}</span>}
    </Place>
  );
}

/** The signed-in person. A press changes to another one. */
function SignIn() {
  const { people, person, choose } = useSession();
  const [{ data }] = useRead({ query: MeDocument, variables: {}, pause: !person });
  return (
    <label className="chip sign-in">
      <span className="hidden">{say("signed-in-as")}</span>
      {person ? <Avatar user={data?.viewer?.user ?? person} /> : <Icon name="person" />}
      <span className="chosen" aria-hidden="true"><span className="name">{person?.displayName ?? say("not-signed-in")}</span>{person && <Handle of={person} />}</span>
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
  return (
    <div className="chip">
      <Icon name="globe" /> <span className="chosen" aria-hidden="true">{nameOfLanguage()}</span>
      <LanguageMenu onChosen={(language) => person && set({ language })} />
    </div>
  );
}
