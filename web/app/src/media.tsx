import type { AttachmentFileFragment } from "@plaudit/client";
import { type MouseEvent, Suspense, useState } from "react";
import { say } from "./language.tsx";
import { rare } from "./rare.ts";

type File = AttachmentFileFragment;

const Lightbox = rare(async () => (await import("./lightbox.tsx")).Lightbox);
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
      {at !== null && <Suspense><Lightbox pictures={pictures} start={at} onClose={() => setAt(null)} /></Suspense>}
    </>
  );
}

export function sizeOf({ width, height }: Pick<File, "width" | "height">) {
  return { width: width ?? undefined, height: height ?? undefined };
}

function Player({ kind, url, alt, width, height, posterUrl }: File) {
  if (kind === "VIDEO") return <video className="player" src={url} poster={posterUrl ?? undefined} aria-label={alt ?? say("video")} controls preload="none" {...sizeOf({ width, height })} />;
  return <audio className="player" src={url} aria-label={alt ?? say("audio")} controls preload="none" />;
}
