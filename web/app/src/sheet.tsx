import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { Icon, type IconName } from "./icons.tsx";
import { say } from "./language.tsx";

/** Returns the sheet that an element is in. When it closes, the focus goes back to where it was when it opened. */
export function sheetOf(element: Element | null): HTMLDialogElement | null {
  return element?.closest("dialog") ?? null;
}

/** Keeps the Tab key within a dialog: after its last element comes its first. Without this, the focus would leave the page in between. */
function keepFocus(event: KeyboardEvent<HTMLDialogElement>): void {
  if (event.key !== "Tab") return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("button, a[href], input, select, textarea, summary")].filter((one) => !one.matches(":disabled") && one.checkVisibility());
  const [first, last] = event.shiftKey ? [stops.at(-1), stops[0]] : [stops[0], stops.at(-1)];
  if (document.activeElement !== last) return;
  event.preventDefault();
  first?.focus();
}

/** A dialog above the page, on a phone from the bottom. Escape, a click outside and its button close it. It is open while it is shown. */
export function Sheet({ title, isWide, before, onClose, children }: { title: string; isWide?: boolean; before?: ReactNode; onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opened = dialog.current;
    if (!opened?.open) opened?.showModal();
  }, []);
  return (
    <dialog ref={dialog} className={isWide ? "sheet wide" : "sheet"} aria-labelledby={id} onClose={onClose} onKeyDown={keepFocus} onClick={({ target }) => target === dialog.current && dialog.current.close()}>
      <header>
        {before}
        <h2 id={id}>{title}</h2>
        <button type="button" aria-label={say("close")} onClick={() => dialog.current?.close()}><Icon name="close" /></button>
      </header>
      <div className="body">{children}</div>
    </dialog>
  );
}

/** One action of a sheet. `isDangerous` marks what cannot be undone or hurts; `leads` marks what opens another list. */
export function Item({ icon, label, isDangerous, leads, onClick }: { icon: IconName; label: string; isDangerous?: boolean; leads?: boolean; onClick: (element: Element) => void }) {
  return (
    <button type="button" className={isDangerous ? "item danger" : "item"} onClick={({ currentTarget }) => onClick(currentTarget)}>
      <Icon name={icon} /> <span>{label}</span>
      {leads && <span className="further"><Icon name="next" /></span>}
    </button>
  );
}
