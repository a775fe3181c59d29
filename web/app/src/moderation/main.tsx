import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter, Navigate, NavLink, Outlet, Route, Routes, useNavigate } from "react-router";
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
import "./console.css";

function Shell() {
  const { moderator, isRestricted, signOut } = useSession();
  const can = useCan();
  const navigate = useNavigate();
  return (
    <BlurProvider moderatorId={moderator.id}>
      <DecisionsProvider>
        <a className="skip" href="#main">Skip to the content</a>
        <header className="bar">
          <nav aria-label="Main">
            {can("VIEWER") && <NavLink to="/" end>Queue</NavLink>}
            <NavLink to="/log">Log</NavLink>
            <NavLink to="/transparency">Transparency</NavLink>
          </nav>
          {!isRestricted && <Find label="User" onFound={(id) => navigate(`/users/${id}`)} />}
          <BlurSwitch />
          <KeysHelp />
          <span className="who">{moderator.displayName} <button type="button" onClick={signOut}>Sign out</button></span>
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
  return <p className="notice" role="alert">Your account is suspended {endOf(suspension.until)}. You can read, but not decide. Reason: {suspension.reason}</p>;
}

takeTokenFromAddress(issuer !== null);
addEventListener("hashchange", () => takeTokenFromAddress(issuer !== null) && location.reload()); // a token for a page that is open
createRoot(document.getElementById("app")!).render(
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
            <Route path="*" element={<p className="empty">There is no such page.</p>} />
          </Route>
        </Routes>
      </BrowserRouter>
    </SignedIn>
  </StrictMode>,
);
