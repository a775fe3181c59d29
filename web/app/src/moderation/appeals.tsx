import { type AppealDecision, type CaseItemFragment, DecideAppealDocument } from "@plaudit/client";
import { useId, useState } from "react";
import { useClient } from "urql";
import { messageOf } from "../outcome.ts";
import { Ago } from "../ui.tsx";
import { useDecisions } from "./decisions.tsx";
import { RESTRICTIONS } from "./labels.ts";
import type { Decided } from "./log.tsx";
import { useSession } from "./session.tsx";

type Statement = NonNullable<CaseItemFragment["case"]["appealedStatements"]>[number];

const DAY = 86_400_000;
const IN_DAYS = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** Says until when an appeal should be decided: "Due in 3 days". An appeal that is late is marked. */
export function Due({ time }: { time: string }) {
  const left = new Date(time).getTime() - Date.now();
  const title = new Date(time).toLocaleString();
  if (left < 0) return <span className="badge overdue" title={title}>Overdue: due {IN_DAYS.format(Math.ceil(left / DAY), "day")}</span>;
  return <span className="badge" title={title}>Due {left < DAY ? IN_DAYS.format(Math.floor(left / (DAY / 24)), "hour") : IN_DAYS.format(Math.floor(left / DAY), "day")}</span>;
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
    <section aria-label="Appeals">
      <h3>Appeals</h3>
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
  const what = RESTRICTIONS[statement.restriction];
  // A statement and the line of the log about the same decision have the same time.
  const isOwn = lines.some(({ actor, createdAt }) => actor?.id === moderator.id && createdAt === statement.since);
  const run = (verb: string, decision: AppealDecision) => () => {
    const about = [{ targetId: isAll ? item.node.id : statement.id, openedAt: item.case.openedAt, text: what }];
    const send = async () => messageOf(await client.mutation(DecideAppealDocument, { statementId: statement.id, decision, reason }).toPromise());
    decide({ about, text: `${verb}: ${what}`, send, onUndone });
    onDecided?.();
  };
  return (
    <article className="decide" aria-labelledby={heading}>
      <h4 id={heading}>{what} <Ago time={statement.since} /></h4>
      <dl className="facts">
        <div><dt>Ground</dt><dd>{statement.ground?.title ?? "None is named"}</dd></div>
        <div><dt>Facts</dt><dd>{statement.facts ?? "None are named"}</dd></div>
        {statement.appeal && <div><dt>Appeal</dt><dd>{statement.appeal.text} <Ago time={statement.appeal.createdAt} /></dd></div>}
      </dl>
      {isOwn && <p className="notice">You made this decision. Another moderator must decide about the appeal.</p>}
      {!isOwn && (
        <>
          <label>Reason for the decision about the appeal, which the person reads <input maxLength={500} value={reason} onChange={(event) => setReason(event.target.value)} /></label>
          <div className="inline">
            <button type="button" className="primary" disabled={!reason.trim()} onClick={run("Appeal granted", "GRANT")}>Grant the appeal</button>
            <button type="button" className="reject" disabled={!reason.trim()} onClick={run("Appeal denied", "DENY")}>Deny the appeal</button>
          </div>
        </>
      )}
    </article>
  );
}
