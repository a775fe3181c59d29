import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { say } from "../language.tsx";
import { useKeys } from "./keys.tsx";

/** Seconds for which a decision can be undone. It is sent afterwards. */
const UNDO_SECONDS = 6;

export interface Decision {
  targetId: string;
  /** When the case was opened: a later report opens it again, and then this decision is not about it. */
  openedAt: string | null | undefined;
  /** What was decided, and about what: `Rejected: “Buy watches”`. */
  text: string;
  /** Sends the decision. Returns why it failed, or null. */
  send: () => Promise<string | null>;
  onUndone?: (() => void) | undefined;
}

type State = "held" | "sending" | "sent" | "failed";
type Entry = Decision & { id: number; state: State; problem?: string };

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
  const change = (id: number, changes: Partial<Entry>) => setEntries((now) => now.map((one) => (one.id === id ? { ...one, ...changes } : one)));
  const send = async (id: number) => {
    const entry = latest.current.find((one) => one.id === id);
    if (!entry) return; // it was undone
    change(id, { state: "sending" });
    const problem = await entry.send();
    change(id, problem ? { state: "failed", problem } : { state: "sent" });
  };
  const decide = (decision: Decision) => {
    const id = next.current++;
    setEntries((now) => [...now, { ...decision, id, state: "held" }]);
    setTimeout(() => send(id), UNDO_SECONDS * 1000);
  };
  const drop = (id: number) => setEntries((now) => now.filter((one) => one.id !== id));
  useEffect(() => {
    const leave = (event: BeforeUnloadEvent) => {
      // The browser asks before it leaves a page with decisions that are not sent.
      if (latest.current.some(({ state }) => state === "held" || state === "sending")) event.preventDefault();
    };
    addEventListener("beforeunload", leave);
    return () => removeEventListener("beforeunload", leave);
  }, []);
  return { entries, decide, drop };
}

export function DecisionsProvider({ children }: { children: ReactNode }) {
  const { entries, decide, drop } = useEntries();
  const isDecided: Decisions["isDecided"] = (targetId, openedAt) =>
    entries.some((one) => one.targetId === targetId && one.openedAt === openedAt && one.state !== "failed");
  return (
    <Context value={{ decide, isDecided }}>
      {children}
      <Toasts entries={entries} onDrop={drop} />
    </Context>
  );
}

function Toasts({ entries, onDrop }: { entries: readonly Entry[]; onDrop: (id: number) => void }) {
  const last = entries.findLast(({ state }) => state === "held");
  const sending = entries.findLast(({ state }) => state === "sending");
  const undo = (entry: Entry) => {
    onDrop(entry.id);
    entry.onUndone?.();
  };
  useKeys({ u: last && (() => undo(last)) });
  return (
    <div className="toasts">
      <div role="status">
        {last && <p className="toast">{last.text} <button type="button" onClick={() => undo(last)}>{say("undo")}</button></p>}
        {!last && sending && <p className="toast">{say("sending", { text: sending.text })}</p>}
      </div>
      <div role="alert">
        {entries.filter(({ state }) => state === "failed").map(({ id, text, problem }) => (
          <p className="toast problem" key={id}><span><strong>{say("not-done")}</strong> {text} – {problem}</span> <button type="button" onClick={() => onDrop(id)}>{say("close")}</button></p>
        ))}
      </div>
    </div>
  );
}
