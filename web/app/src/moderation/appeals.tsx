import { type AppealDecision, type CaseItemFragment, DecideAppealDocument } from "@plaudit/client";
import { useId, useState } from "react";
import { useClient } from "urql";
import { dateOf, languageOfPage, say } from "../language.tsx";
import { messageOf } from "../outcome.ts";
import { Ago } from "../ui.tsx";
import { useDecisions } from "./decisions.tsx";
import type { Decided } from "./log.tsx";
import { useSession } from "./session.tsx";

type Statement = NonNullable<CaseItemFragment["case"]["appealedStatements"]>[number];

const DAY = 86_400_000;

/** Says until when an appeal should be decided: "Due in 3 days". An appeal that is late is marked. */
export function Due({ time }: { time: string }) {
  const left = new Date(time).getTime() - Date.now();
  const title = dateOf(time, { dateStyle: "medium", timeStyle: "medium" });
  const format = new Intl.RelativeTimeFormat(languageOfPage(), { numeric: "auto" });
  if (left < 0) return <span className="badge overdue" title={title}>{say("overdue", { when: format.format(Math.ceil(left / DAY), "day") })}</span>;
  const when = left < DAY ? format.format(Math.floor(left / (DAY / 24)), "hour") : format.format(Math.floor(left / DAY), "day");
  return <span className="badge" title={title}>{say("due", { when })}</span>;
}

interface Props {
  item: CaseItemFragment;
  /** The newest lines of the log about the target. */
  lines: readonly Decided[];
  onDecided: () => void;
  onUndone: () => void;
}

/** The statements of reasons about the target of a case with an open appeal, which another moderator grants or denies. */
export function Appeals({ item, lines, onDecided, onUndone }: Props) {
  const statements = item.case.appealedStatements ?? [];
  const { isDecided } = useDecisions();
  const left = statements.filter(({ id, restriction }) => restriction !== "REJECTED" && !isDecided(id, item.case.openedAt));
  if (!left.length) return null;
  const isAll = left.length === 1 && item.case.sources.every((source) => source === "APPEALS") && !item.case.appeal;
  return (
    <section aria-label={say("appeals")}>
      <h3>{say("appeals")}</h3>
      {left.map((one) => <OneAppeal key={one.id} statement={one} item={item} lines={lines} isAll={isAll} onDecided={isAll ? onDecided : undefined} onUndone={onUndone} />)}
    </section>
  );
}

interface OneProps extends Omit<Props, "onDecided"> {
  statement: Statement;
  /** Whether the case has nothing else to decide. */
  isAll: boolean;
  onDecided: (() => void) | undefined;
}

function OneAppeal({ statement, item, lines, isAll, onDecided, onUndone }: OneProps) {
  const client = useClient();
  const { moderator } = useSession();
  const { decide } = useDecisions();
  const [reason, setReason] = useState("");
  const heading = useId();
  const what = say(`restriction-${statement.restriction}`);
  // A statement and the line of the log about the same decision have the same time.
  const isOwn = lines.some(({ actor, createdAt }) => actor?.id === moderator.id && createdAt === statement.since);
  const run = (decision: AppealDecision) => () => {
    const about = [{ targetId: isAll ? item.node.id : statement.id, openedAt: item.case.openedAt, text: what }];
    const send = async () => messageOf(await client.mutation(DecideAppealDocument, { statementId: statement.id, decision, reason }).toPromise());
    decide({ about, text: say(`appeal-${decision}`, { what }), send, onUndone });
    onDecided?.();
  };
  return (
    <article className="decide" aria-labelledby={heading}>
      <h4 id={heading}>{what} <Ago time={statement.since} /></h4>
      <dl className="facts">
        <div><dt>{say("ground")}</dt><dd>{statement.ground?.title ?? say("no-ground")}</dd></div>
        <div><dt>{say("facts")}</dt><dd>{statement.facts ?? say("no-facts")}</dd></div>
        {statement.appeal && <div><dt>{say("appeal")}</dt><dd>{statement.appeal.text} <Ago time={statement.appeal.createdAt} /></dd></div>}
      </dl>
      {isOwn && <p className="notice">{say("own-decision")}</p>}
      {!isOwn && (
        <>
          <label>{say("reason-for-appeal")} <input maxLength={500} value={reason} onChange={(event) => setReason(event.target.value)} /></label>
          <div className="inline">
            <button type="button" className="primary" disabled={!reason.trim()} onClick={run("GRANT")}>{say("grant")}</button>
            <button type="button" className="reject" disabled={!reason.trim()} onClick={run("DENY")}>{say("deny")}</button>
          </div>
        </>
      )}
    </article>
  );
}
