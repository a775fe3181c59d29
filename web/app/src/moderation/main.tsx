import { LanguageDocument, SetLanguageDocument } from "@plaudit/client";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter, Navigate, NavLink, Outlet, Route, Routes, useNavigate } from "react-router";
import { useMutation, useQuery } from "urql";
import { LanguageMenu, say, startPage, useProfileLanguage } from "../language.tsx";
import { BlurProvider, BlurSwitch } from "./blur.tsx";
import { ContentPage } from "./content.tsx";
import { DecisionsProvider } from "./decisions.tsx";
import { KeysHelp, usePolling } from "./keys.tsx";
import { Find, Log } from "./log.tsx";
import { issuer } from "./issuer.ts";
import { Queue } from "./queue.tsx";
import { SignedIn, useCan, useSession } from "./session.tsx";
import { endOf, useSuspension } from "./suspend.tsx";
import { takeTokenFromAddress } from "./token.ts";
import { TransparencyPage } from "./transparency.tsx";
import { User } from "./user.tsx";
import "../style.css";
import "../states.css";
import "./console.css";

function Shell() {
  const { moderator, isRestricted, signOut } = useSession();
  const can = useCan();
  const navigate = useNavigate();
  const [, setLanguage] = useMutation(SetLanguageDocument);
  const [{ data }] = useQuery({ query: LanguageDocument, variables: {}, pause: isRestricted });
  useProfileLanguage(data?.viewer?.language);
  return (
    <BlurProvider moderatorId={moderator.id}>
      <DecisionsProvider>
        <a className="skip" href="#main">{say("skip")}</a>
        <header className="bar">
          <nav aria-label={say("main-navigation")}>
            {can("VIEWER") && <NavLink to="/" end>{say("queue")}</NavLink>}
            <NavLink to="/log">{say("log")}</NavLink>
            <NavLink to="/transparency">{say("transparency")}</NavLink>
          </nav>
          {!isRestricted && <Find label={say("find-user")} onFound={(id) => navigate(`/users/${id}`)} />}
          <BlurSwitch />
          <KeysHelp />
          <LanguageMenu onChosen={(language) => isRestricted || setLanguage({ language })} />
          <span className="who">{moderator.displayName} <button type="button" onClick={signOut}>{say("sign-out")}</button></span>
        </header>
        <main id="main">
          {!isRestricted && <OwnSuspension userId={moderator.id} />}
          <Outlet />
        </main>
      </DecisionsProvider>
    </BlurProvider>
  );
}

/** The first page: the queue, or the log for a user who may not read the queue. */
function Start() {
  return useCan()("VIEWER") ? <Queue /> : <Navigate to="/log" replace />;
}

/** A suspended moderator can read, and the API refuses all decisions. */
function OwnSuspension({ userId }: { userId: string }) {
  const { suspension, read } = useSuspension(userId);
  usePolling(read, 30);
  if (!suspension || suspension.mode === "SHADOW") return null;
  return <p className="notice" role="alert">{say("you-are-suspended", { end: endOf(suspension.until), reason: suspension.reason })}</p>;
}

takeTokenFromAddress(issuer !== null);
addEventListener("hashchange", () => takeTokenFromAddress(issuer !== null) && location.reload()); // a token for a page that is open
const root = createRoot(document.getElementById("app")!);
startPage(import.meta.glob("../../languages/*/{shared,moderation}.ftl", { query: "?raw", import: "default" }), () => root.render(
  <StrictMode>
    <SignedIn>
      <BrowserRouter basename="/moderation">
        <Routes>
          <Route element={<Shell />}>
            <Route index element={<Start />} />
            <Route path="log" element={<Log />} />
            <Route path="transparency" element={<TransparencyPage />} />
            <Route path="users/:id" element={<User />} />
            <Route path="content/:id" element={<ContentPage />} />
            <Route path="*" element={<p className="empty">{say("no-page")}</p>} />
          </Route>
        </Routes>
      </BrowserRouter>
    </SignedIn>
  </StrictMode>,
));
