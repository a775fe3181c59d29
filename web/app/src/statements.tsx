import { AppealDocument, type ReasonedStatementFragment, StatementsDocument } from "@plaudit/client";
import { usePages, useWrite } from "@plaudit/client/react";
import { type FormEvent, useState } from "react";
import { say } from "./language.tsx";
import { messageOf } from "./outcome.ts";
import { Ago, momentOf, PageList } from "./ui.tsx";

/** The restrictions of the signed-in person, each with its reasons and a form to appeal. */
export function Statements() {
  const pages = usePages(StatementsDocument, { first: 20 }, ({ viewer }) => viewer?.statements);
  return (
    <>
      <h2>{say("restrictions")}</h2>
      <PageList pages={pages} label={say("restrictions")} empty={say("no-restrictions")}>{(one) => <Statement statement={one} />}</PageList>
    </>
  );
}

function Statement({ statement }: { statement: ReasonedStatementFragment }) {
  const { restriction, ground, facts, foundBy, isAutomated, since, until, endedAt, appealUntil, target } = statement;
  const [sent, setSent] = useState<string | null>(null); // the API returns an appeal when a worker has stored it
  const appeal = statement.appeal ?? (sent && { text: sent, status: "OPEN" });
  const text = target?.__typename === "Post" ? target.text : target?.__typename === "Comment" ? target.commentText : null;
  const canAppeal = !appeal && appealUntil && new Date(appealUntil).getTime() > Date.now();
  return (
    <article className="card">
      <header><h3>{say(`restriction-${restriction}`)}</h3> <Ago time={since} />{endedAt && <span className="badge">{say("ended")}</span>}</header>
      {text && <blockquote className="card" dir="auto">{text}</blockquote>}
      {until && !endedAt && <p>{say("until", { moment: momentOf(until) })}</p>}
      {ground && <p>{say("ground")} {ground.url ? <a href={ground.url} target="_blank" rel="noopener noreferrer">{ground.title}</a> : ground.title}</p>}
      {facts && <p dir="auto">{facts}</p>}
      <p className="handle">{say(`found-by-${foundBy}`)} {isAutomated && say("automated")}</p>
      {appeal && <p>{say(`appeal-${appeal.status}`)} <q>{appeal.text}</q></p>}
      {canAppeal && <Appeal statementId={statement.id} until={appealUntil} onSent={setSent} />}
    </article>
  );
}

function Appeal({ statementId, until, onSent }: { statementId: string; until: string; onSent: (text: string) => void }) {
  const [{ fetching }, send] = useWrite(AppealDocument);
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const appeal = async (event: FormEvent) => {
    event.preventDefault();
    const refusal = messageOf(await send({ targetId: statementId, text }));
    setProblem(refusal);
    if (!refusal) onSent(text);
  };
  return (
    <form className="comment-form" onSubmit={appeal}>
      <textarea aria-label={say("why-wrong")} placeholder={say("why-wrong")} dir="auto" rows={2} maxLength={1000} value={text} onChange={(event) => setText(event.target.value)} />
      <button type="submit" disabled={fetching || !text.trim()}>{say("appeal")}</button>
      <span className="handle">{say("appeal-until", { moment: momentOf(until) })}</span>
      {problem && <p role="alert" className="problem">{problem}</p>}
    </form>
  );
}
