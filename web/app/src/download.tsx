import { type AccountQuery, ExportUserDocument } from "@plaudit/client";
import { useState } from "react";
import { useMutation } from "urql";
import { Say, say } from "./language.tsx";
import { messageOf } from "./outcome.ts";
import { momentOf } from "./ui.tsx";

type Export = NonNullable<AccountQuery["viewer"]>["export"];

/** Requests an export of the account, and links to it while its URL is valid. `last` is the last export. */
export function Download({ last }: { last: Export | undefined }) {
  const [{ fetching }, request] = useMutation(ExportUserDocument);
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <section aria-label={say("download")}>
      <h2>{say("download")}</h2>
      <p>{say("download-has")}</p>
      <p><button type="button" disabled={fetching} onClick={async () => setProblem(messageOf(await request({})))}>{say("download")}</button></p>
      <p role="status">
        {last?.url && <Say id="download-ready" file={<a href={last.url} download="account.jsonl">account.jsonl</a>} moment={momentOf(last.expiresAt)} />}
      </p>
      {problem && <p role="alert" className="problem">{problem}</p>}
    </section>
  );
}
