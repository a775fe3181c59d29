import { useEffect, useState, useSyncExternalStore } from "react";
import { say } from "./language.tsx";
import { messageOf, type Outcome } from "./outcome.ts";

const SHOWN = 10_000; // milliseconds; less would be too short to read it and to reach its button with the keyboard

type Undo = () => Promise<Outcome>;

interface Toast {
  message: string;
  undo?: Undo;
}

let current: Toast | null = null;
const listeners = new Set<() => void>();

function show(next: Toast | null): void {
  current = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Says for some seconds what was done. With `undo` there is a button that takes it back. A newer toast takes the place of an older one. */
export function toast(message: string, undo?: Undo): void {
  show({ message, undo });
}

/** The place of the toasts, which screen readers announce. It waits while the pointer or the focus is on it. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => current);
  const [isHeld, setIsHeld] = useState(false);
  useEffect(() => {
    if (!shown || isHeld) return;
    const timer = setTimeout(() => show(null), SHOWN);
    return () => clearTimeout(timer);
  }, [shown, isHeld]);
  const undo = async (act: Undo) => {
    setIsHeld(false);
    document.querySelector("h1")?.focus({ preventScroll: true }); // the button, which has the focus, goes
    toast(messageOf(await act()) ?? say("undone"));
  };
  return (
    <div className="toasts" role="status">
      {shown && (
        // biome-ignore lint/a11y/noStaticElementInteractions: it can be held only, and the button can have the focus
        <p className="toast" onPointerEnter={() => setIsHeld(true)} onPointerLeave={() => setIsHeld(false)} onFocus={() => setIsHeld(true)} onBlur={() => setIsHeld(false)}>
          <span>{shown.message}</span>
          {shown.undo && <button type="button" onClick={() => shown.undo && undo(shown.undo)}>{say("undo")}</button>}
        </p>
      )}
    </div>
  );
}
