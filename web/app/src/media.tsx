import type { AttachmentFileFragment } from "@plaudit/client";
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from "react";
import { Icon } from "./icons.tsx";
import { say } from "./language.tsx";

type File = AttachmentFileFragment;

const SHOWN = 4; // pictures in a grid; the others are in the dialog

/** The pictures of a post or comment in a grid, each of which opens in a dialog; then its videos and audio files. */
export function Media({ files }: { files: readonly File[] }) {
  const [at, setAt] = useState<number | null>(null);
  const pictures = files.filter(({ kind }) => kind === "IMAGE");
  const shown = pictures.slice(0, SHOWN);
  const open = (event: MouseEvent, number: number) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return; // a new tab
    event.preventDefault();
    setAt(number);
  };
  return (
    <>
      {shown.length > 0 && (
        <div className="images" data-count={shown.length}>
          {shown.map((file, number) => (
            <a key={file.url} href={file.url} onClick={(event) => open(event, number)} aria-haspopup="dialog" aria-label={file.alt ? undefined : say("picture-number", { number: number + 1 })}>
              <img src={file.url} alt={file.alt ?? ""} loading="lazy" {...sizeOf(file)} />
              {number === SHOWN - 1 && pictures.length > SHOWN && <span className="more-pictures" aria-hidden="true">+{pictures.length - SHOWN}</span>}
            </a>
          ))}
        </div>
      )}
      {files.filter(({ kind }) => kind !== "IMAGE").map((file) => <Player key={file.url} {...file} />)}
      {at !== null && <Lightbox pictures={pictures} start={at} onClose={() => setAt(null)} />}
    </>
  );
}

function sizeOf({ width, height }: Pick<File, "width" | "height">) {
  return { width: width ?? undefined, height: height ?? undefined };
}

function Player({ kind, url, alt, width, height, posterUrl }: File) {
  if (kind === "VIDEO") return <video className="player" src={url} poster={posterUrl ?? undefined} aria-label={alt ?? say("video")} controls preload="none" {...sizeOf({ width, height })} />;
  return <audio className="player" src={url} aria-label={alt ?? say("audio")} controls preload="none" />;
}

/** A dialog with one picture at a time. Arrows show the others; Escape and a click beside the picture close it. */
function Lightbox({ pictures, start, onClose }: { pictures: readonly File[]; start: number; onClose: () => void }) {
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
