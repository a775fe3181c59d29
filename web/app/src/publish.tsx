import { MeDocument, PublishPostDocument } from "@plaudit/client";
import { useWrite } from "@plaudit/client/react";
import { type FormEvent, Suspense, useId, useRef, useState } from "react";
import { useQuery } from "urql";
import type { Chosen } from "./files.tsx";
import { languageOfPage, say } from "./language.tsx";
import { messageOf } from "./outcome.ts";
import { rare } from "./rare.ts";
import { TextField } from "./typeahead.tsx";
import { Avatar } from "./ui.tsx";
import { NO_WARNINGS, WarningFields } from "./warnings.tsx";

const MOST_FILES = 9; // as post_images in PLAUDIT_CONTENT, by default
const MOST_CHARACTERS = 5000; // as post_characters there
const FEW = 500; // characters: when no more are left, their number is shown beside the ring
const NO_FILES: Chosen = { attachments: [], isUploading: false, problem: null };

const Files = rare(async () => (await import("./files.tsx")).Files, NoFiles);

function NoFiles() {
  return <p className="problem">{say("no-files-now")}</p>;
}

/** Returns the number of characters as the API counts them: code points, without white space at the ends. */
export function lengthOf(text: string): number {
  return [...text.replace(/\r\n?/g, "\n").trim()].length;
}

/** A form for a new post with images, videos and audio files, which may quote a post. */
export function Publish({ quoteOf, onPublished }: { quoteOf?: string; onPublished?: () => void }) {
  const [{ fetching }, publish] = useWrite(PublishPostDocument);
  const [{ data }] = useQuery({ query: MeDocument, requestPolicy: "cache-first" });
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(NO_FILES);
  const [round, setRound] = useState(0); // counts what was published: the next post has no files
  const [warnings, setWarnings] = useState(NO_WARNINGS);
  const [message, setMessage] = useState("");
  const form = useRef<HTMLFormElement>(null);
  const why = useId();
  const { attachments, isUploading, problem: fileProblem } = chosen;
  const length = lengthOf(text);
  const obstacle = obstacleOf(length, attachments.length, isUploading);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const problem = messageOf(await publish({ text, attachments, topicsFromText: true, quoteOf, labels: warnings.labels, contentWarning: warnings.contentWarning.trim() || null }));
    setMessage(problem ?? say("published"));
    if (problem) return;
    setText("");
    setChosen(NO_FILES);
    setRound(round + 1);
    setWarnings(NO_WARNINGS);
    onPublished?.();
  };
  return (
    <form ref={form} className="card publish" onSubmit={send} aria-label={say(quoteOf ? "new-quote" : "new-post")}>
      <Avatar user={data?.viewer?.user} />
      <div className="composer">
        <TextField value={text} onChange={setText} label={say(quoteOf ? "text-of-quote" : "text-of-post")} rows={2} placeholder={say("what-is-new")} />
        <div className="composer-bar">
          {data?.uploadRules && <Suspense><Files key={round} form={form} most={MOST_FILES} rules={data.uploadRules} onChange={setChosen} /></Suspense>}
          <WarningFields value={warnings} onChange={setWarnings} />
          <Counter length={length} />
          <button type="submit" className="primary" disabled={fetching || obstacle !== null} aria-describedby={why} title={obstacle ?? undefined}>{say("publish")}</button>
        </div>
        <p className="composer-notes"><span role="status">{fileProblem ?? message}</span> <span id={why} className="why">{obstacle}</span></p>
      </div>
    </form>
  );
}

/** Returns why a post cannot be published now; null if it can. */
function obstacleOf(length: number, files: number, isUploading: boolean): string | null {
  if (length > MOST_CHARACTERS) return say("too-long", { count: length - MOST_CHARACTERS });
  if (isUploading) return say("wait-for-files");
  return length || files ? null : say("nothing-to-publish");
}

/** The number of characters that are left, with a ring that fills; nothing while there is no text. */
function Counter({ length }: { length: number }) {
  if (!length) return null;
  const left = MOST_CHARACTERS - length;
  const count = new Intl.NumberFormat(languageOfPage()).format(left);
  const label = say("characters-left", { count });
  return (
    <span className={left < 0 ? "counter over" : "counter"} title={label}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <circle cx="12" cy="12" r="9" />
        <circle cx="12" cy="12" r="9" pathLength={100} strokeDasharray={`${Math.min(100, (length / MOST_CHARACTERS) * 100)} 100`} />
      </svg>
      {left < FEW && <span aria-hidden="true">{count}</span>}
      <span className="hidden">{label}</span>
    </span>
  );
}
