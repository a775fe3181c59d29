import { AssignCaseDocument, type AuditStatus, type CaseItemFragment, DecisionsDocument, ReleaseCaseDocument } from "@plaudit/client";
import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { useMutation, useQuery } from "urql";
import { dateOf, Say, say } from "../language.tsx";
import { messageOf } from "../outcome.ts";
import { Ago } from "../ui.tsx";
import { Appeals, Due } from "./appeals.tsx";
import { byOther, Decide, Hold } from "./decide.tsx";
import { History } from "./history.tsx";
import { useKeys, usePolling } from "./keys.tsx";
import { Labeling } from "./labeling.tsx";
import { type Decided, Line } from "./log.tsx";
import { isContent, Person, Target } from "./parts.tsx";
import { useCan, useSession } from "./session.tsx";
import { Suspend, Suspended } from "./suspend.tsx";

const POLL_SECONDS = 5;
/** The states of content whose reason is shown. That of approved content is the reason of an earlier decision. */
const REASONED: readonly AuditStatus[] = ["PENDING", "REJECTED"];

interface Lines {
  /** The newest lines of the log about a target, newest first. Undefined until they are read. */
  lines: readonly Decided[] | undefined;
  /** Whether the log cannot be read, so that a decision may replace that of another moderator. */
  isUnread: boolean;
}

/** Returns the newest lines of the log about a target. Other moderators may add some at any time. */
export function useLines(targetId: string): Lines {
  const { isRestricted } = useSession();
  const [{ data, error }, read] = useQuery({ query: DecisionsDocument, variables: { targetId }, pause: isRestricted, requestPolicy: "cache-and-network" });
  usePolling(() => isRestricted || read({ requestPolicy: "network-only" }), POLL_SECONDS);
  return { lines: data?.moderationLog?.edges.map(({ node }) => node), isUnread: isRestricted || error !== undefined };
}

interface Props {
  item: CaseItemFragment;
  /** Whether the queue has lost the case since it is shown: it was decided, or no filter shows it. */
  isGone: boolean;
  /** Whether to move the focus here, so that a screen reader reads the case. */
  hasFocus: boolean;
  onDecided: () => void;
  onUndone: () => void;
  onChanged: () => void;
}

export function Case({ item, isGone, hasFocus, onDecided, onUndone, onChanged }: Props) {
  const { node, case: one } = item;
  const { moderator } = useSession();
  const can = useCan();
  const { lines = [], isUnread } = useLines(node.id);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (hasFocus) heading.current?.focus();
  }, [hasFocus]);
  const isOpen = one.status === "OPEN";
  const other = one.openedAt && byOther(lines, moderator.id, one.openedAt);
  return (
    <article className="card case" aria-labelledby="case">
      <header>
        <h2 id="case" ref={heading} tabIndex={-1}>{say(`thing-${node.__typename}`)}</h2>
        {one.sources.map((source) => <span className="badge" key={source}>{say(`source-${source}`)}</span>)}
        {!isOpen && <span className="badge">{say("resolved")}</span>}
        {(one.openedAt ?? one.resolvedAt) && <Ago time={(one.openedAt ?? one.resolvedAt)!} />}
        {one.appealDeadline && <Due time={one.appealDeadline} />}
        {isOpen && can("MODERATOR") && <Assignment item={item} onChanged={onChanged} />}
      </header>
      {other && <p className="notice" role="status"><Say id="decided-by-other" person={<Person user={other.actor} />} action={say(`action-${other.action}`)} reason={other.reason ? say("in-brackets", { text: other.reason }) : ""} ago={<Ago time={other.createdAt} />} /></p>}
      {isGone && <p className="notice" role="status">{say("case-gone")}</p>}
      <Target node={node} isBlurred={one.isBlurred} />
      {isContent(node) && item.reason && REASONED.includes(node.auditStatus) && <p className="why"><strong>{say(`why-${node.auditStatus}`)}</strong> {item.reason}</p>}
      {one.appeal && <p className="why"><strong>{say("author-appeals")}</strong> {one.appeal.text} <Ago time={one.appeal.createdAt} /></p>}
      <Reports item={item} />
      <Notices item={item} />
      {isOpen && !isGone && can("LEAD") && <Appeals item={item} lines={lines} onDecided={onDecided} onUndone={onUndone} />}
      {isUnread && isOpen && !isGone && can("MODERATOR") && <p className="notice" role="status">{say("log-unread")}</p>}
      {can("MODERATOR") && <Hold node={node} open={one} newest={lines[0]?.createdAt} onDecided={isOpen ? onDecided : undefined} onUndone={onUndone} />}
      {isOpen && !isGone && can(one.appeal ? "LEAD" : "MODERATOR") && <Decide node={node} open={one} newest={lines[0]?.createdAt} onDecided={onDecided} onUndone={onUndone} />}
      {isContent(node) && can("MODERATOR") && <Labeling node={node} />}
      {isContent(node) && node.editedAt && <History key={node.id} id={node.id} isKnown={one.isBlurred} />}
      <Author item={item} />
      {lines.length > 0 && <section aria-label={say("earlier-decisions")}><h3>{say("earlier-decisions")}</h3>{lines.map((line) => <Line key={`${line.createdAt} ${line.action}`} line={line} />)}</section>}
      {!isOpen && <p><Link to={`/content/${node.id}`}>{say("look-again")}</Link></p>}
    </article>
  );
}

function Assignment({ item: { node, case: one }, onChanged }: { item: CaseItemFragment; onChanged: () => void }) {
  const { moderator } = useSession();
  const [problem, setProblem] = useState<string | null>(null);
  const [, assign] = useMutation(AssignCaseDocument);
  const [, release] = useMutation(ReleaseCaseDocument);
  const { assignee } = one;
  const isMine = assignee?.id === moderator.id;
  const toggle = async () => {
    const targetId = node.id;
    setProblem(messageOf(await (isMine ? release({ targetId }) : assign({ targetId }))));
    onChanged();
  };
  useKeys({ t: toggle });
  return (
    <span className="assignment">
      {assignee && <span className="badge">{isMine ? say("taken-by-you") : say("taken-by", { name: assignee.displayName })}</span>}
      <button type="button" className="small" onClick={toggle}>{say(isMine ? "give-back" : "take")}</button>
      {problem && <span role="alert" className="problem">{problem}</span>}
    </span>
  );
}

function Reports({ item: { case: one } }: { item: CaseItemFragment }) {
  if (!one.reportReasons?.length) return null;
  const more = (one.reportCount ?? 0) - (one.newestReports?.length ?? 0);
  return (
    <section aria-label={say("reports")}>
      <h3>{say("reports")}</h3>
      <p className="inline">{one.reportReasons.map(({ reason, count }) => <span className="badge" key={reason}>{say("report-count", { reason: say(`report-${reason}`), count })}</span>)}</p>
      <ul className="reports">
        {one.newestReports?.map((report) => (
          <li key={`${report.createdAt} ${report.reporter?.id}`}><Person user={report.reporter} /> <Ago time={report.createdAt} />: {say(`report-${report.reason}`)} {report.note && <q>{report.note}</q>}</li>
        ))}
        {more > 0 && <li className="handle">{say("more-reports", { count: more })}</li>}
      </ul>
    </section>
  );
}

function Notices({ item: { case: one } }: { item: CaseItemFragment }) {
  if (!one.notices?.length) return null;
  return (
    <section aria-label={say("notices")}>
      <h3>{say("notices")}</h3>
      <ul className="reports">
        {one.notices.map((notice) => (
          <li key={notice.number}>
            {notice.isTrusted && <span className="badge">{say("trusted-flagger")}</span>} {notice.name ?? say("without-name")} {notice.email && `(${notice.email})`}{" "}
            <Ago time={notice.receivedAt} />: {notice.law} <q>{notice.explanation}</q>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Author({ item: { case: one } }: { item: CaseItemFragment }) {
  const { isRestricted, moderator } = useSession();
  const [isAsked, setIsAsked] = useState(false);
  const { author, authorRecord: record } = one;
  const can = useCan();
  const isOther = author && author.id !== moderator.id && can("LEAD");
  useKeys({ s: isOther && !isRestricted ? () => setIsAsked(true) : undefined });
  if (!author) return null;
  return (
    <section aria-label={say("author")}>
      <h3>{say("author")}</h3>
      <p className="byline"><Person user={author} /> {record && <span className="handle">{say("since", { date: dateOf(record.accountCreatedAt, { dateStyle: "medium" }) })}</span>}</p>
      {!isRestricted && <Suspended userId={author.id} />}
      {record && (
        <dl className="record">
          <div><dt>{say("record-rejected")}</dt><dd>{record.rejectedCount}</dd></div>
          <div><dt>{say("record-warnings")}</dt><dd>{record.warnedCount}</dd></div>
          <div><dt>{say("record-suspensions")}</dt><dd>{record.suspendedCount}</dd></div>
          <div><dt>{say("record-reports")}</dt><dd>{say("part", { part: record.acceptedReportsReceivedCount, whole: record.reportsReceivedCount })}</dd></div>
          <div><dt>{say("record-own-reports")}</dt><dd>{say("part", { part: record.acceptedReportsMadeCount, whole: record.reportsMadeCount })}</dd></div>
        </dl>
      )}
      <p><Link to={`/users/${author.id}`}>{say("history-of", { handle: author.handle })}</Link></p>
      {isOther && !isRestricted && (
        <details open={isAsked} onToggle={(event) => setIsAsked(event.currentTarget.open)}>
          <summary>{say("warn-or-suspend")}</summary>
          <Suspend userId={author.id} isAsked={isAsked} />
        </details>
      )}
    </section>
  );
}
