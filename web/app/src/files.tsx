import type { AttachmentInput } from "@plaudit/client";
import { useUploads } from "@plaudit/client/react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { Icon } from "./icons.tsx";
import { say } from "./language.tsx";
import "./files.css";

/** What the fields for files tell their form. */
export interface Chosen {
  attachments: AttachmentInput[];
  isUploading: boolean;
  problem: string | null;
}

/** A button that uploads files, and the chosen files with their descriptions. Files can also be dropped on the form or pasted into it. */
export function Files({ form, most, rules, onChange }: {
  form: RefObject<HTMLFormElement | null>;
  most: number;
  rules: { mimeTypes: readonly string[] };
  onChange: (chosen: Chosen) => void;
}) {
  const { items, attachments, isUploading, problem, add, describe, remove } = useUploads(most, say("file-unreadable"));
  const isOver = useDrops(form, add);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the attachments follow from the items
  useEffect(() => onChange({ attachments, isUploading, problem }), [items, problem]);
  return (
    <>
      {isOver && <p className="drop-here">{say("drop-here")}</p>}
      {items.length > 0 && (
        <ul className="chosen-files">
          {items.map(({ key, name, kind, preview, progress, attachment, alt }) => (
            <li key={key}>
              {kind === "IMAGE" ? <img src={preview} alt="" /> : <span className="file-kind"><Icon name="play" /></span>}
              <div>
                <span className="handle"><bdi>{name}</bdi></span>
                {attachment ? (
                  <input aria-label={say("description")} value={alt} maxLength={500} dir="auto" onChange={(event) => describe(key, event.target.value)} placeholder={say("file-shows")} />
                ) : (
                  <progress value={progress} max={1} aria-label={say("uploading", { name })} />
                )}
              </div>
              <button type="button" aria-label={say("remove-file", { name })} onClick={() => remove(key)}><Icon name="close" /></button>
            </li>
          ))}
        </ul>
      )}
      {items.length < most && (
        <label className="add-files" title={say("add-files")}>
          <Icon name="picture" /> <span className="hidden">{say("add-files")}</span>
          <input className="hidden" type="file" multiple accept={rules.mimeTypes.join(",")} onChange={({ target }) => { add([...(target.files ?? [])]); target.value = ""; }} />
        </label>
      )}
    </>
  );
}

/** Passes files that are dropped on a form or pasted into it to `add`. Returns whether files are held over the form. */
function useDrops(form: RefObject<HTMLFormElement | null>, add: (files: Iterable<File>) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const current = useRef(add);
  current.current = add;
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    const take = (event: Event, transfer: DataTransfer | null) => {
      const files = [...(transfer?.files ?? [])];
      if (!files.length) return;
      event.preventDefault();
      current.current(files);
    };
    const listeners = {
      dragover: (event: DragEvent) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        setIsOver(true);
      },
      dragleave: ({ relatedTarget }: DragEvent) => !element.contains(relatedTarget as Node | null) && setIsOver(false),
      drop: (event: DragEvent) => {
        setIsOver(false);
        take(event, event.dataTransfer);
      },
      paste: (event: ClipboardEvent) => take(event, event.clipboardData),
    };
    const entries = Object.entries(listeners) as [string, EventListener][];
    for (const [name, listener] of entries) element.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of entries) element.removeEventListener(name, listener);
    };
  }, [form]);
  return isOver;
}
