import { useEffect, useRef, useState } from "react";
import { useClient } from "urql";
import type { AttachmentInput, AttachmentKind } from "../generated/graphql.js";
import { UploadFailed, uploadFile } from "../upload.js";

/** A file that a person adds to a post or comment. */
export interface UploadItem {
  key: number;
  name: string;
  kind: AttachmentKind;
  /** What the file shows, in the words of the person. */
  alt: string;
  /** A URL by which this page can show the file while it is not published. */
  preview: string;
  /** The share of the file that is sent, from 0 to 1. */
  progress: number;
  /** The attachment without its description; undefined until the file is uploaded. */
  attachment?: AttachmentInput;
}

export interface Uploads {
  items: UploadItem[];
  /** The uploaded files with their descriptions, for `publishPost`. */
  attachments: AttachmentInput[];
  isUploading: boolean;
  /** Why a file could not be uploaded; null if that is not so. Such a file is not in `items`. */
  problem: string | null;
  /** Uploads files. Those beyond the most that a post may have are left out. */
  add: (files: Iterable<File>) => void;
  describe: (key: number, alt: string) => void;
  /** Takes a file away, and stops its upload. */
  remove: (key: number) => void;
  /** Takes all files away, for example after they were published. */
  clear: () => void;
}

let lastKey = 0;

/** Uploads files that a person chooses for a post with at most `most` files. `unreadable` is the message for a file that cannot be opened. */
export function useUploads(most: number, unreadable = "This file cannot be read."): Uploads {
  const client = useClient();
  const [items, setItems] = useState<UploadItem[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const stops = useRef(new Map<number, () => void>()); // of each file of `items`, before React shows it
  const stopAll = (): void => {
    for (const stop of stops.current.values()) stop();
    stops.current.clear();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the component goes
  useEffect(() => stopAll, []);
  const change = (key: number, news: Partial<UploadItem>): void => setItems((all) => all.map((one) => (one.key === key ? { ...one, ...news } : one)));
  const remove = (key: number): void => {
    stops.current.get(key)?.();
    stops.current.delete(key);
    setItems((all) => all.filter((one) => one.key !== key));
  };
  const send = async (key: number, file: File, signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return;
    try {
      const facts = await factsOf(file);
      const url = await uploadFile(client, file, { signal, onProgress: (progress) => change(key, { progress }) });
      change(key, { progress: 1, attachment: { ...facts, url, mimeType: file.type } });
    } catch (error) {
      if (signal.aborted) return;
      setProblem(error instanceof UploadFailed ? error.message : unreadable);
      remove(key);
    }
  };
  const add = (files: Iterable<File>): void => {
    setProblem(null);
    for (const file of [...files].slice(0, Math.max(0, most - stops.current.size))) {
      const key = ++lastKey;
      const [preview, controller] = [URL.createObjectURL(file), new AbortController()];
      stops.current.set(key, () => {
        controller.abort();
        URL.revokeObjectURL(preview);
      });
      setItems((all) => [...all, { key, name: file.name, kind: kindOf(file), alt: "", preview, progress: 0 }]);
      void send(key, file, controller.signal);
    }
  };
  const clear = (): void => {
    stopAll();
    setItems([]);
    setProblem(null);
  };
  const attachments = items.flatMap(({ attachment, alt }) => (attachment ? [{ ...attachment, alt: alt.trim() || null }] : []));
  const isUploading = items.some(({ attachment }) => !attachment);
  return { items, attachments, isUploading, problem, add, describe: (key, alt) => change(key, { alt }), remove, clear };
}

/** Returns the kind of a file. A file of another kind is refused by the API, which says why. */
function kindOf({ type }: File): AttachmentKind {
  const kind = type.split("/")[0]!.toUpperCase();
  return kind === "VIDEO" || kind === "AUDIO" ? kind : "IMAGE";
}

/** Returns the kind of a file and, of an image, its size in pixels. */
async function factsOf(file: File): Promise<Pick<AttachmentInput, "kind" | "width" | "height">> {
  const kind = kindOf(file);
  if (kind !== "IMAGE" || !file.type.startsWith("image/")) return { kind };
  const { width, height } = await createImageBitmap(file);
  return { kind, width, height };
}
