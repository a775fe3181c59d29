import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { say } from "../language.tsx";
import { useKeys } from "./keys.tsx";

/** Seconds for which a decision can be undone. It is sent afterwards. */
const UNDO_SECONDS = 6;

/** What a decision is about. */
export interface About {
  targetId: string;
  /** When the case was opened: a later report opens it again, and then this decision is not about it. */
  openedAt: string | null | undefined;
  /** The beginning of the content. */
  text: string;
}

export interface Decision {
  about: readonly About[];
  /** What was decided, and about what: `Rejected: “Buy watches”`. */
  text: string;
  /** Sends the decision about one target. Returns why it failed, or null. */
  send: (targetId: string) => Promise<string | null>;
  onUndone?: (() => void) | undefined;
}

type State = "held" | "sending" | "sent";
interface Entry extends Decision {
  id: number;
  state: State;
  /** How many of the targets were sent, also in vain. */
  count: number;
  /** Why the decision about a target failed, by target. */
  problems: Readonly<Record<string, string>>;
}

interface Decisions {
  /** Makes a decision. It is sent in a few seconds, unless it is undone. */
  decide: (decision: Decision) => void;
  /** Whether this user has decided a case, and the decision has not failed. */
  isDecided: (targetId: string, openedAt: string | null | undefined) => boolean;
}

const Context = createContext<Decisions | null>(null);

export function useDecisions(): Decisions {
  return useContext(Context)!;
}

/** Keeps decisions, and sends each after some seconds. */
function useEntries() {
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const latest = useRef(entries);
  latest.current = entries;
  const next = useRef(1);
  const change = (id: number, change: (entry: Entry) => Partial<Entry>) => setEntries((now) => now.map((one) => (one.id === id ? { ...one, ...change(one) } : one)));
  const send = async (id: number) => {
    const entry = latest.current.find((one) => one.id === id);
    if (!entry) return; // it was undone
    change(id, () => ({ state: "sending" }));
    for (const { targetId } of entry.about) {
      const problem = await entry.send(targetId);
      change(id, ({ count, problems }) => ({ count: count + 1, problems: problem ? { ...problems, [targetId]: problem } : problems }));
    }
    change(id, () => ({ state: "sent" }));
  };
  const decide = (decision: Decision) => {
    const id = next.current++;
    setEntries((now) => [...now, { ...decision, id, state: "held", count: 0, problems: {} }]);
    setTimeout(() => send(id), UNDO_SECONDS * 1000);
  };
  const drop = (id: number) => setEntries((now) => now.filter((one) => one.id !== id));
  useEffect(() => {
    const leave = (event: BeforeUnloadEvent) => {
      // The browser asks before it leaves a page with decisions that are not sent.
      if (latest.current.some(({ state }) => state !== "sent")) event.preventDefault();
    };
    addEventListener("beforeunload", leave);
    return () => removeEventListener("beforeunload", leave);
  }, []);
  /** Forgets that the summary of a decision is to be shown. What was decided stays decided. */
  const close = (id: number) => change(id, ({ about, problems }) => ({ about: about.filter(({ targetId }) => !(targetId in problems)), problems: {}, text: "" }));
  return { entries, decide, drop, close };
}

export function DecisionsProvider({ children }: { children: ReactNode }) {
  const { entries, decide, drop, close } = useEntries();
  const isDecided: Decisions["isDecided"] = (id, openedAt) =>
    entries.some(({ about, problems }) => about.some((one) => one.targetId === id && one.openedAt === openedAt) && !(id in problems));
  return (
    <Context value={{ decide, isDecided }}>
      {children}
      <Toasts entries={entries} onUndo={drop} onClose={close} />
    </Context>
  );
}

function Toasts({ entries, onUndo, onClose }: { entries: readonly Entry[]; onUndo: (id: number) => void; onClose: (id: number) => void }) {
  const last = entries.findLast(({ state }) => state === "held");
  const sending = entries.findLast(({ state }) => state === "sending");
  const undo = (entry: Entry) => {
    onUndo(entry.id);
    entry.onUndone?.();
  };
  useKeys({ u: last && (() => undo(last)) });
  const ended = entries.filter(({ state, text, about, problems }) => state === "sent" && text && (about.length > 1 || Object.keys(problems).length > 0));
  return (
    <div className="toasts">
      <div role="status">
        {last && <p className="toast">{last.text} <button type="button" onClick={() => undo(last)}>{say("undo")}</button></p>}
        {!last && sending && <p className="toast">{sending.about.length > 1 ? say("sending-all", { text: sending.text, count: sending.count, total: sending.about.length }) : say("sending", { text: sending.text })}</p>}
      </div>
      <div role="alert">{ended.map((entry) => <Ended key={entry.id} entry={entry} onClose={() => onClose(entry.id)} />)}</div>
    </div>
  );
}

/** What has become of a decision: which parts failed, and why. */
function Ended({ entry: { about, text, problems }, onClose }: { entry: Entry; onClose: () => void }) {
  const failed = about.filter(({ targetId }) => targetId in problems);
  const close = <button type="button" onClick={onClose}>{say("close")}</button>;
  if (about.length === 1) return <p className="toast problem"><span><strong>{say("not-done")}</strong> {say("because", { text, problem: problems[about[0]!.targetId]! })}</span> {close}</p>;
  return (
    <div className={failed.length ? "toast problem" : "toast"}>
      <div>
        <p>{say("summary", { text, done: about.length - failed.length, failed: failed.length })}</p>
        {failed.length > 0 && <ul>{failed.map((one) => <li key={one.targetId}>{say("because-about", { text: one.text, problem: problems[one.targetId]! })}</li>)}</ul>}
      </div>
      {close}
    </div>
  );
}
