import { AssignCaseDocument, type AuditStatus, type CaseItemFragment, DecisionsDocument, ReleaseCaseDocument } from "@plaudit/client";
import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { useMutation, useQuery } from "urql";
import { messageOf } from "../outcome.ts";
import { Ago } from "../ui.tsx";
import { Appeals, Due } from "./appeals.tsx";
import { byOther, Decide, Hold } from "./decide.tsx";
import { History } from "./history.tsx";
import { useKeys, usePolling } from "./keys.tsx";
import { Labeling } from "./labeling.tsx";
import { ACTIONS, REPORTS, SOURCES } from "./labels.ts";
import { type Decided, Line } from "./log.tsx";
import { isContent, Person, Target } from "./parts.tsx";
import { useCan, useSession } from "./session.tsx";
import { Suspend, Suspended } from "./suspend.tsx";

const POLL_SECONDS = 5;
/** What the reason of content with a status means. That of approved content is the reason of an earlier decision. */
const WHY: Partial<Record<AuditStatus, string>> = { PENDING: "Why it waits:", REJECTED: "Why it was rejected:" };

/** Returns the newest lines of the log about a target, newest first. Other moderators may add some at any time. */
export function useLines(targetId: string): readonly Decided[] {
  const { isRestricted } = useSession();
  const [{ data }, read] = useQuery({ query: DecisionsDocument, variables: { targetId }, pause: isRestricted, requestPolicy: "cache-and-network" });
  usePolling(() => isRestricted || read({ requestPolicy: "network-only" }), POLL_SECONDS);
  return data?.moderationLog?.edges.map(({ node }) => node) ?? [];
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
  const lines = useLines(node.id);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (hasFocus) heading.current?.focus();
  }, [hasFocus]);
  const isOpen = one.status === "OPEN";
  const other = one.openedAt && byOther(lines, moderator.id, one.openedAt);
  return (
    <article className="card case" aria-labelledby="case">
      <header>
        <h2 id="case" ref={heading} tabIndex={-1}>{node.__typename}</h2>
        {one.sources.map((source) => <span className="badge" key={source}>{SOURCES[source]}</span>)}
        {!isOpen && <span className="badge">Resolved</span>}
        {(one.openedAt ?? one.resolvedAt) && <Ago time={(one.openedAt ?? one.resolvedAt)!} />}
        {one.appealDeadline && <Due time={one.appealDeadline} />}
        {isOpen && can("MODERATOR") && <Assignment item={item} onChanged={onChanged} />}
      </header>
      {other && <p className="notice" role="status"><Person user={other.actor} />: {ACTIONS[other.action]}{other.reason && ` (${other.reason})`}, <Ago time={other.createdAt} />.</p>}
      {isGone && <p className="notice" role="status">This case is not in the queue any more.</p>}
      <Target node={node} isBlurred={one.isBlurred} />
      {isContent(node) && item.reason && WHY[node.auditStatus] && <p className="why"><strong>{WHY[node.auditStatus]}</strong> {item.reason}</p>}
      {one.appeal && <p className="why"><strong>The author appeals:</strong> {one.appeal.text} <Ago time={one.appeal.createdAt} /></p>}
      <Reports item={item} />
      <Notices item={item} />
      {isOpen && !isGone && can("LEAD") && <Appeals item={item} lines={lines} onDecided={onDecided} onUndone={onUndone} />}
      {can("MODERATOR") && <Hold node={node} open={one} newest={lines[0]?.createdAt} onDecided={isOpen ? onDecided : undefined} onUndone={onUndone} />}
      {isOpen && !isGone && can(one.appeal ? "LEAD" : "MODERATOR") && <Decide node={node} open={one} newest={lines[0]?.createdAt} onDecided={onDecided} onUndone={onUndone} />}
      {isContent(node) && can("MODERATOR") && <Labeling node={node} />}
      {isContent(node) && node.editedAt && <History key={node.id} id={node.id} isKnown={one.isBlurred} />}
      <Author item={item} />
      {lines.length > 0 && <section aria-label="Earlier decisions"><h3>Earlier decisions</h3>{lines.map((line) => <Line key={`${line.createdAt} ${line.action}`} line={line} />)}</section>}
      {!isOpen && <p><Link to={`/content/${node.id}`}>Look at it again</Link></p>}
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
      {assignee && <span className="badge">{isMine ? "Taken by you" : `Taken by ${assignee.displayName}`}</span>}
      <button type="button" className="small" onClick={toggle}>{isMine ? "Give back (T)" : "Take (T)"}</button>
      {problem && <span role="alert" className="problem">{problem}</span>}
    </span>
  );
}

function Reports({ item: { case: one } }: { item: CaseItemFragment }) {
  if (!one.reportReasons?.length) return null;
  const more = (one.reportCount ?? 0) - (one.newestReports?.length ?? 0);
  return (
    <section aria-label="Reports">
      <h3>Reports</h3>
      <p className="inline">{one.reportReasons.map(({ reason, count }) => <span className="badge" key={reason}>{REPORTS[reason]}: {count}</span>)}</p>
      <ul className="reports">
        {one.newestReports?.map((report) => (
          <li key={`${report.createdAt} ${report.reporter?.id}`}><Person user={report.reporter} /> <Ago time={report.createdAt} />: {REPORTS[report.reason]} {report.note && <q>{report.note}</q>}</li>
        ))}
        {more > 0 && <li className="handle">and {more} more</li>}
      </ul>
    </section>
  );
}

function Notices({ item: { case: one } }: { item: CaseItemFragment }) {
  if (!one.notices?.length) return null;
  return (
    <section aria-label="Notices">
      <h3>Notices of illegal content</h3>
      <ul className="reports">
        {one.notices.map((notice) => (
          <li key={notice.number}>
            {notice.isTrusted && <span className="badge">Trusted flagger</span>} {notice.name ?? "Without a name"} {notice.email && `(${notice.email})`}{" "}
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
    <section aria-label="Author">
      <h3>Author</h3>
      <p className="byline"><Person user={author} /> {record && <span className="handle">since {new Date(record.accountCreatedAt).toLocaleDateString()}</span>}</p>
      {!isRestricted && <Suspended userId={author.id} />}
      {record && (
        <dl className="record">
          <div><dt>Rejected</dt><dd>{record.rejectedCount}</dd></div>
          <div><dt>Warnings</dt><dd>{record.warnedCount}</dd></div>
          <div><dt>Suspensions</dt><dd>{record.suspendedCount}</dd></div>
          <div><dt>Reports accepted</dt><dd>{record.acceptedReportsReceivedCount} of {record.reportsReceivedCount}</dd></div>
          <div><dt>Own reports accepted</dt><dd>{record.acceptedReportsMadeCount} of {record.reportsMadeCount}</dd></div>
        </dl>
      )}
      <p><Link to={`/users/${author.id}`}>History of @{author.handle}</Link></p>
      {isOther && !isRestricted && (
        <details open={isAsked} onToggle={(event) => setIsAsked(event.currentTarget.open)}>
          <summary>Warn or suspend (S)</summary>
          <Suspend userId={author.id} isAsked={isAsked} />
        </details>
      )}
    </section>
  );
}
