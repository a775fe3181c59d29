import { LanguageDocument, SetLanguageDocument } from "@plaudit/client";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter, NavLink, Outlet, Route, Routes, useNavigate } from "react-router";
import { useMutation, useQuery } from "urql";
import { LanguageMenu, say, startPage, useProfileLanguage } from "../language.tsx";
import { ContentPage } from "./content.tsx";
import { DecisionsProvider } from "./decisions.tsx";
import { KeysHelp, usePolling } from "./keys.tsx";
import { Find, Log } from "./log.tsx";
import { Queue } from "./queue.tsx";
import { SignedIn, useSession } from "./session.tsx";
import { endOf, useSuspension } from "./suspend.tsx";
import { takeTokenFromAddress } from "./token.ts";
import { User } from "./user.tsx";
import "../style.css";
import "./console.css";

function Shell() {
  const { moderator, isRestricted, signOut } = useSession();
  const navigate = useNavigate();
  const [, setLanguage] = useMutation(SetLanguageDocument);
  const [{ data }] = useQuery({ query: LanguageDocument, variables: {}, pause: isRestricted });
  useProfileLanguage(data?.viewer?.language);
  return (
    <DecisionsProvider>
      <a className="skip" href="#main">{say("skip")}</a>
      <header className="bar">
        <nav aria-label={say("main-navigation")}>
          <NavLink to="/" end>{say("queue")}</NavLink>
          <NavLink to="/log">{say("log")}</NavLink>
        </nav>
        {!isRestricted && <Find label={say("find-user")} onFound={(id) => navigate(`/users/${id}`)} />}
        <KeysHelp />
        <LanguageMenu onChosen={(language) => isRestricted || setLanguage({ language })} />
        <span className="who">{moderator.displayName} <button type="button" onClick={signOut}>{say("sign-out")}</button></span>
      </header>
      <main id="main">
        {!isRestricted && <OwnSuspension userId={moderator.id} />}
        <Outlet />
      </main>
    </DecisionsProvider>
  );
}

/** A suspended moderator can read, and the API refuses all decisions. */
function OwnSuspension({ userId }: { userId: string }) {
  const { suspension, read } = useSuspension(userId);
  usePolling(read, 30);
  if (!suspension || suspension.mode === "SHADOW") return null;
  return <p className="notice" role="alert">{say("you-are-suspended", { end: endOf(suspension.until), reason: suspension.reason })}</p>;
}

takeTokenFromAddress();
addEventListener("hashchange", () => takeTokenFromAddress() && location.reload()); // a token for a page that is open
const root = createRoot(document.getElementById("app")!);
startPage(import.meta.glob("../../languages/*/{shared,moderation}.ftl", { query: "?raw", import: "default" }), () => root.render(
  <StrictMode>
    <SignedIn>
      <BrowserRouter basename="/moderation">
        <Routes>
          <Route element={<Shell />}>
            <Route index element={<Queue />} />
            <Route path="log" element={<Log />} />
            <Route path="users/:id" element={<User />} />
            <Route path="content/:id" element={<ContentPage />} />
            <Route path="*" element={<p className="empty">{say("no-page")}</p>} />
          </Route>
        </Routes>
      </BrowserRouter>
    </SignedIn>
  </StrictMode>,
));
