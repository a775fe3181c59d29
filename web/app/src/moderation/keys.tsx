import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { say } from "../language.tsx";

const SWITCH = "plaudit.moderation.keys";
/** Keys, and what they do: messages `key-…`. */
const HELP: [string, string][] = [
  ["J, K", "next"],
  ["A", "approve"],
  ["R", "reject"],
  ["D", "dismiss"],
  ["E", "accept"],
  ["1 – 9", "reason"],
  ["T", "take"],
  ["S", "suspend"],
  ["U", "undo"],
  ["?", "help"],
];

let isOn = localStorage.getItem(SWITCH) !== "off";

/** Calls an action when its key is pressed, unless the user writes a text, a dialog is open, or keys are switched off. */
export function useKeys(actions: Record<string, (() => void) | undefined>): void {
  const latest = useRef(actions);
  latest.current = actions;
  // A layout effect, so that a key works as soon as its button is on the screen.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const element = event.target as HTMLElement;
      if (!isOn || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      if (element.matches("input:not([type=checkbox]), textarea, select") || document.querySelector("dialog[open]")) return;
      const action = latest.current[event.key.toLowerCase()];
      if (!action) return;
      event.preventDefault(); // a key that opens a field must not write into it
      action();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

/** The list of keys, with a switch: a single key can be pressed by mistake, or by a program that recognizes speech. */
export function KeysHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [on, setOn] = useState(isOn);
  const show = () => dialog.current?.showModal();
  useKeys({ "?": show });
  const change = (wanted: boolean) => {
    isOn = wanted;
    localStorage.setItem(SWITCH, wanted ? "on" : "off");
    setOn(wanted);
  };
  return (
    <>
      <button type="button" onClick={show}>{say("keys")}</button>
      <dialog ref={dialog} className="keys" aria-labelledby="keys">
        <h2 id="keys">{say("keys")}</h2>
        <dl>{HELP.map(([key, name]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{say(`key-${name}`)}</dd></div>)}</dl>
        <label className="switch"><input type="checkbox" checked={on} onChange={(event) => change(event.target.checked)} /> {say("use-keys")}</label>
        <button type="button" onClick={() => dialog.current?.close()}>{say("close")}</button>
      </dialog>
    </>
  );
}

/** Calls a function every few seconds while the page is visible, and when it becomes visible again. */
export function usePolling(poll: () => void, seconds: number): void {
  const latest = useRef(poll);
  latest.current = poll;
  useEffect(() => {
    const run = () => document.visibilityState === "visible" && latest.current();
    const timer = setInterval(run, seconds * 1000);
    document.addEventListener("visibilitychange", run);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", run);
    };
  }, [seconds]);
}
