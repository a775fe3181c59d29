import { LIMITS, lengthOf, MeDocument, PublishPostDocument } from "@plaudit/client";
import { useWrite } from "@plaudit/client/react";
import { type FormEvent, Suspense, useId, useRef, useState } from "react";
import { useQuery } from "urql";
import { Counter, excessOf } from "./counter.tsx";
import type { Chosen } from "./files.tsx";
import { say } from "./language.tsx";
import { messageOf } from "./outcome.ts";
import { rare } from "./rare.ts";
import { TextField } from "./typeahead.tsx";
import { Avatar } from "./ui.tsx";
import { NO_WARNINGS, WarningFields } from "./warnings.tsx";

const NO_FILES: Chosen = { attachments: [], isUploading: false, problem: null };

const Files = rare(async () => (await import("./files.tsx")).Files, NoFiles);

function NoFiles() {
  return <p className="problem">{say("no-files-now")}</p>;
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
          {data?.uploadRules && <Suspense><Files key={round} form={form} most={LIMITS.postFiles} rules={data.uploadRules} onChange={setChosen} /></Suspense>}
          <WarningFields value={warnings} onChange={setWarnings} />
          <Counter length={length} most={LIMITS.postCharacters} />
          <button type="submit" className="primary" disabled={fetching || obstacle !== null} aria-describedby={why} title={obstacle ?? undefined}>{say("publish")}</button>
        </div>
        <p className="composer-notes"><span role="status">{fileProblem ?? message}</span> <span id={why} className="why">{obstacle}</span></p>
      </div>
    </form>
  );
}

/** Returns why a post cannot be published now; null if it can. */
function obstacleOf(length: number, files: number, isUploading: boolean): string | null {
  const excess = excessOf(length, LIMITS.postCharacters);
  if (excess) return excess;
  if (isUploading) return say("wait-for-files");
  return length || files ? null : say("nothing-to-publish");
}
