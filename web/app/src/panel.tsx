import { Suspense, useEffect, useState, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { say } from "./language.tsx";
import { rare } from "./rare.ts";
import { hasSwitch } from "./session.tsx";
import "./dock.css";

const KEY = "plaudit.panel"; // in the local storage: whether the panel is open
const Panel = rare(async () => (await import("./operations.tsx")).Operations, () => null);
const Outage = rare(async () => (await import("./outage.tsx")).Outage, () => null);
const listeners = new Set<() => void>();

function isOpenNow(): boolean {
  return localStorage.getItem(KEY) === "open";
}

/** Shows or hides the panel in this browser, also after a reload. */
export function setPanel(isOpen: boolean): void {
  if (isOpen) localStorage.setItem(KEY, "open");
  else localStorage.removeItem(KEY);
  for (const listener of listeners) listener();
}

export function usePanel(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isOpenNow,
  );
}

/** The button of "The GraphQL behind this", the panel itself beside the page, and the banner while a store is stopped. */
export function PanelButton() {
  const isOpen = usePanel();
  const [root] = useState(() => document.createElement("div"));
  useEffect(() => {
    document.body.append(root);
    return () => root.remove();
  }, [root]);
  useEffect(() => {
    document.documentElement.classList.toggle("docked", isOpen);
  }, [isOpen]);
  return (
    <>
      <button type="button" aria-label={say("behind-this")} aria-expanded={isOpen} onClick={() => setPanel(!isOpen)}><span className="wide">{say("behind-this")}</span><span className="narrow">GraphQL</span></button>
      {createPortal(<>{hasSwitch() && <Suspense><Outage /></Suspense>}{isOpen && <Suspense><Panel onClose={() => setPanel(false)} /></Suspense>}</>, root)}
    </>
  );
}
