import { type AttachmentInput, MeDocument, PublishPostDocument } from "@plaudit/client";
import { useWrite } from "@plaudit/client/react";
import { type FormEvent, Suspense, useState } from "react";
import { useQuery } from "urql";
import { say } from "./language.tsx";
import { messageOf } from "./outcome.ts";
import { rare } from "./rare.ts";
import { TextField } from "./typeahead.tsx";
import { NO_WARNINGS, WarningFields } from "./warnings.tsx";

const MOST_IMAGES = 9; // as post_images in PLAUDIT_CONTENT, by default

const Files = rare(async () => (await import("./files.tsx")).Files, NoFiles);

function NoFiles() {
  return <p className="problem">{say("no-files-now")}</p>;
}

/** A form for a new post with images, videos and audio files, which may quote a post. */
export function Publish({ quoteOf, onPublished }: { quoteOf?: string; onPublished?: () => void }) {
  const [{ fetching }, publish] = useWrite(PublishPostDocument);
  const [{ data }] = useQuery({ query: MeDocument, requestPolicy: "cache-first" });
  const [text, setText] = useState("");
  const [files, setFiles] = useState<AttachmentInput[]>([]);
  const [warnings, setWarnings] = useState(NO_WARNINGS);
  const [message, setMessage] = useState("");
  const [uploading, setUploading] = useState(false);
  const attachments = files.filter(({ url }) => url).map((one) => ({ ...one, alt: one.alt || null }));
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const problem = messageOf(await publish({ text, attachments, topicsFromText: true, quoteOf, labels: warnings.labels, contentWarning: warnings.contentWarning.trim() || null }));
    setMessage(problem ?? say("published"));
    if (problem) return;
    setText("");
    setFiles([]);
    setWarnings(NO_WARNINGS);
    onPublished?.();
  };
  const fields = { files, onChange: setFiles, most: MOST_IMAGES };
  return (
    <form className="card publish" onSubmit={send} aria-label={say(quoteOf ? "new-quote" : "new-post")}>
      <TextField value={text} onChange={setText} label={say(quoteOf ? "text-of-quote" : "text-of-post")} rows={3} placeholder={say("what-is-new")} />
      {data?.uploadRules ? <Suspense><Files {...fields} rules={data.uploadRules} onUploading={setUploading} onProblem={setMessage} /></Suspense> : <Addresses {...fields} />}
      <WarningFields value={warnings} onChange={setWarnings} />
      <p><button type="submit" className="primary" disabled={fetching || uploading || !(text.trim() || attachments.length)}>{say("publish")}</button> <span role="status">{message}</span></p>
    </form>
  );
}

/** The addresses and descriptions of images, for a server without uploads. There is always a field for one more. */
function Addresses({ files, onChange, most }: { files: AttachmentInput[]; onChange: (files: AttachmentInput[]) => void; most: number }) {
  const shown: AttachmentInput[] = files.at(-1)?.url === "" || files.length >= most ? files : [...files, { kind: "IMAGE", url: "" }];
  const change = (at: number, news: Partial<AttachmentInput>) => onChange(shown.map((one, number) => (number === at ? { ...one, ...news } : one)));
  return shown.map(({ url, alt }, at) => (
    <fieldset key={at}>
      <legend className="hidden">{say("image-number", { number: at + 1 })}</legend>
      <label>
        {say("image-address")}
        <input type="url" value={url} onChange={(event) => change(at, { url: event.target.value })} placeholder="https://…" />
      </label>
      {url && (
        <label>
          {say("description")}
          <input value={alt ?? ""} maxLength={500} onChange={(event) => change(at, { alt: event.target.value })} placeholder={say("image-shows")} />
        </label>
      )}
    </fieldset>
  ));
}
