import { useEffect, useLayoutEffect, useRef, useState } from "react";

const SWITCH = "plaudit.moderation.keys";
const HELP: [string, string][] = [
  ["J, K", "next and previous case"],
  ["A", "approve the post or comment"],
  ["R", "reject it"],
  ["D", "dismiss the reports"],
  ["E", "accept the reports, without a change of the target"],
  ["1 to 9", "choose a reason"],
  ["T", "take the case, or give it back"],
  ["S", "warn or suspend the author"],
  ["U", "undo the last decision, for a few seconds"],
  ["?", "show these keys"],
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
      <button type="button" onClick={show}>Keys</button>
      <dialog ref={dialog} className="keys" aria-labelledby="keys">
        <h2 id="keys">Keys</h2>
        <dl>{HELP.map(([key, text]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{text}</dd></div>)}</dl>
        <label className="switch"><input type="checkbox" checked={on} onChange={(event) => change(event.target.checked)} /> Use these keys</label>
        <button type="button" onClick={() => dialog.current?.close()}>Close</button>
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
