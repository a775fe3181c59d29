import { useEffect, useRef } from "react";
import { say } from "./language.tsx";
import { Publish } from "./publish.tsx";
import { Sheet, sheetOf } from "./sheet.tsx";
import { toast } from "./toasts.tsx";

/** A new post from any screen. */
export function Write({ onClose }: { onClose: () => void }) {
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => form.current?.querySelector("textarea")?.focus(), []);
  const onPublished = () => {
    sheetOf(form.current)?.close();
    toast(say("published"));
  };
  return <Sheet title={say("new-post")} isWide onClose={onClose}><div ref={form}><Publish onPublished={onPublished} /></div></Sheet>;
}
