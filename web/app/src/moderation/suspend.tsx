import { ReinstateUserDocument, SuspendUserDocument, SuspensionDocument, type SuspensionMode, WarnUserDocument } from "@plaudit/client";
import { useLayoutEffect, useRef, useState } from "react";
import { useMutation, useQuery } from "urql";
import { dateOf, say } from "../language.tsx";
import { messageOf } from "../outcome.ts";
import { GroundAndReason, NO_REASON } from "./grounds.tsx";
import { MODES } from "./labels.ts";

const DAY = 86_400_000;
const DAYS = [1, 3, 7, 30, 365, 0]; // 0: without an end

/** Returns the suspension of a user that is in force, or null. Undefined while it is unknown. */
export function useSuspension(userId: string, pause = false) {
  const [{ data }, read] = useQuery({ query: SuspensionDocument, variables: { userId }, pause, requestPolicy: "cache-and-network" });
  const suspension = data?.node?.__typename === "User" ? data.node.suspension : undefined;
  return { suspension, read: () => read({ requestPolicy: "network-only" }) };
}

export function endOf(until: string | null | undefined): string {
  return until ? say("until", { moment: dateOf(until, { dateStyle: "medium", timeStyle: "short" }) }) : say("without-end");
}

/** Says that a user is suspended, how, until when and why. */
export function Suspended({ userId }: { userId: string }) {
  const { suspension } = useSuspension(userId);
  if (!suspension) return null;
  return <p className="notice">{say("suspended", { end: endOf(suspension.until), mode: say(`mode-${suspension.mode}`), reason: suspension.reason })}</p>;
}

/** Warns, suspends or reinstates a user. `isAsked` moves the focus to the form. */
export function Suspend({ userId, isAsked }: { userId: string; isAsked?: boolean }) {
  const [mode, setMode] = useState<SuspensionMode>("READ_ONLY");
  const [days, setDays] = useState(7);
  const [reasoned, setReasoned] = useState(NO_REASON);
  const [message, setMessage] = useState("");
  const [, warn] = useMutation(WarnUserDocument);
  const [, suspend] = useMutation(SuspendUserDocument);
  const [, reinstate] = useMutation(ReinstateUserDocument);
  const { suspension } = useSuspension(userId);
  const field = useRef<HTMLInputElement>(null);
  // A layout effect, so that the next key writes into the field.
  useLayoutEffect(() => {
    if (isAsked) field.current?.focus();
  }, [isAsked]);
  const run = async (act: () => Promise<{ error?: unknown; data?: unknown }>, done: string) => {
    const problem = messageOf(await act());
    setMessage(problem ?? done);
    if (!problem) setReasoned(NO_REASON);
  };
  const isReady = reasoned.reason.trim() !== "";
  const until = () => (days ? new Date(Date.now() + days * DAY).toISOString() : null);
  return (
    <div className="suspend">
      <GroundAndReason value={reasoned} onChange={setReasoned} field={field} label={say("reason-for-user")} />
      <div className="inline">
        <label>{say("suspended-user")} <select value={mode} onChange={(event) => setMode(event.target.value as SuspensionMode)}>{MODES.map((one) => <option key={one} value={one}>{say(`mode-${one}`)}</option>)}</select></label>
        <label>{say("length")} <select value={days} onChange={(event) => setDays(Number(event.target.value))}>{DAYS.map((one) => <option key={one} value={one}>{say("days", { count: one })}</option>)}</select></label>
      </div>
      <div className="inline">
        <button type="button" disabled={!isReady} onClick={() => run(() => warn({ userId, ...reasoned }), say("user-warned"))}>{say("warn")}</button>
        <button type="button" disabled={!isReady} onClick={() => run(() => suspend({ userId, mode, until: until(), ...reasoned }), say("user-suspended"))}>{say(suspension ? "replace-suspension" : "suspend")}</button>
        {suspension && <button type="button" onClick={() => run(() => reinstate({ userId }), say("suspension-lifted"))}>{say("lift")}</button>}
      </div>
      <p role="status">{message}</p>
    </div>
  );
}
