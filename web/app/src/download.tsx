import { type AccountQuery, ExportUserDocument } from "@plaudit/client";
import { useState } from "react";
import { useMutation } from "urql";
import { messageOf } from "./outcome.ts";
import { momentOf } from "./ui.tsx";

type Export = NonNullable<AccountQuery["viewer"]>["export"];

/** Requests an export of the account, and links to it while its URL is valid. `last` is the last export. */
export function Download({ last }: { last: Export | undefined }) {
  const [{ fetching }, request] = useMutation(ExportUserDocument);
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <section aria-label="Download your data">
      <h2>Download your data</h2>
      <p>You get a file with your profile, posts, comments, likes and other data about you.</p>
      <p><button type="button" disabled={fetching} onClick={async () => setProblem(messageOf(await request({})))}>Download your data</button></p>
      <p role="status">
        {last?.url && <>Your file is ready: <a href={last.url} download="account.jsonl">account.jsonl</a>. The link is valid until {momentOf(last.expiresAt)}.</>}
      </p>
      {problem && <p role="alert" className="problem">{problem}</p>}
    </section>
  );
}
