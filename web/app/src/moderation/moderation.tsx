import { NavLink, Outlet } from "react-router";
import { useSession } from "../session.tsx";

/** The moderation console: a queue and a log. */
export function Moderation() {
  const { person } = useSession();
  return (
    <>
      <h1>Moderation</h1>
      {!person && <p className="empty">Sign in as a moderator.</p>}
      <div className="tabs">
        <NavLink to="/moderation" end>Queue</NavLink>
        <NavLink to="/moderation/log">Log</NavLink>
      </div>
      <Outlet />
    </>
  );
}
