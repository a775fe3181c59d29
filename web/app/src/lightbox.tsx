import type { AttachmentFileFragment } from "@plaudit/client";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Icon } from "./icons.tsx";
import { say } from "./language.tsx";
import { sizeOf } from "./media.tsx";
import "./lightbox.css";

/** A dialog with one picture at a time. Arrows show the others; Escape and a click beside the picture close it. */
export function Lightbox({ pictures, start, onClose }: { pictures: readonly AttachmentFileFragment[]; start: number; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [at, setAt] = useState(start);
  const picture = pictures[at]!;
  useEffect(() => dialog.current?.showModal(), []);
  const step = (by: number) => setAt((at + by + pictures.length) % pictures.length);
  const onKeyDown = (event: KeyboardEvent) => {
    const forwards = getComputedStyle(event.currentTarget).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    step(event.key === forwards ? 1 : -1);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog
    <dialog ref={dialog} className="lightbox" aria-label={say("picture-of", { number: at + 1, count: pictures.length })} onClose={onClose} onKeyDown={onKeyDown} onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}>
      <figure>
        <img key={picture.url} src={picture.url} alt={picture.alt ?? ""} {...sizeOf(picture)} />
        {picture.alt && <figcaption dir="auto">{picture.alt}</figcaption>}
      </figure>
      <div className="lightbox-bar">
        {pictures.length > 1 && <button type="button" aria-label={say("previous-picture")} onClick={() => step(-1)}><Icon name="previous" /></button>}
        {pictures.length > 1 && <span aria-live="polite">{at + 1} / {pictures.length}</span>}
        {pictures.length > 1 && <button type="button" aria-label={say("next-picture")} onClick={() => step(1)}><Icon name="next" /></button>}
        <button type="button" aria-label={say("close")} onClick={() => dialog.current?.close()}><Icon name="close" /></button>
      </div>
    </dialog>
  );
}
