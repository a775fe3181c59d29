import { ReinstateUserDocument, SuspendUserDocument, type SuspensionMode, WarnUserDocument } from "@plaudit/client";
import { useState } from "react";
import { useMutation } from "urql";
import { messageOf } from "../outcome.ts";

const DAY = 86_400_000;
const MODES: [SuspensionMode, string][] = [
  ["READ_ONLY", "cannot write"],
  ["HIDDEN", "cannot write, and is hidden"],
  ["SHADOW", "is hidden from others only"],
];

interface Suspended {
  id: string;
  suspension?: { mode: SuspensionMode; until?: string | null } | null;
}

/** Warns, suspends or reinstates a user. */
export function Suspend({ user }: { user: Suspended }) {
  const [mode, setMode] = useState<SuspensionMode>("READ_ONLY");
  const [days, setDays] = useState(7);
  const [reason, setReason] = useState("");
  const [message, setMessage] = useState("");
  const [, warn] = useMutation(WarnUserDocument);
  const [, suspend] = useMutation(SuspendUserDocument);
  const [, reinstate] = useMutation(ReinstateUserDocument);
  const userId = user.id;
  const run = async (act: () => Promise<{ error?: unknown; data?: unknown }>, done: string) => setMessage(messageOf(await act()) ?? done);
  const until = () => (days ? new Date(Date.now() + days * DAY).toISOString() : null);
  return (
    <details>
      <summary>Warn or suspend{user.suspension && ` (suspended: ${user.suspension.mode})`}</summary>
      <div className="inline">
        <label>Reason <input value={reason} onChange={(event) => setReason(event.target.value)} /></label>
        <button type="button" disabled={!reason} onClick={() => run(() => warn({ userId, reason }), "Warned.")}>Warn</button>
      </div>
      <div className="inline">
        <label>The user <select value={mode} onChange={(event) => setMode(event.target.value as SuspensionMode)}>{MODES.map(([one, text]) => <option key={one} value={one}>{text}</option>)}</select></label>
        <label>for <select value={days} onChange={(event) => setDays(Number(event.target.value))}><option value={1}>a day</option><option value={7}>a week</option><option value={30}>30 days</option><option value={0}>ever</option></select></label>
        <button type="button" disabled={!reason} onClick={() => run(() => suspend({ userId, mode, until: until(), reason }), "Suspended.")}>Suspend</button>
        {user.suspension && <button type="button" onClick={() => run(() => reinstate({ userId }), "Reinstated.")}>Reinstate</button>}
      </div>
      {message && <p role="status">{message}</p>}
    </details>
  );
}
