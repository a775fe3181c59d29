import {
  AssignCaseDocument,
  type CaseAssignment,
  type CaseItemFragment,
  type CaseOrder,
  type CaseStatus,
  ModerateDocument,
  ModerationQueueDocument,
  type ModerationSource,
  ReleaseCaseDocument,
  ResolveReportsDocument,
} from "@plaudit/client";
import { usePages } from "@plaudit/client/react";
import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { useMutation } from "urql";
import { messageOf } from "../outcome.ts";
import { Ago, Images, Notice, UserName } from "../ui.tsx";
import { Suspend } from "./suspend.tsx";

const SOURCES: ModerationSource[] = ["RULES", "WORDS", "REVIEWER", "REPORTS", "APPEALS"];
const KEYS = "A approve, R reject, D dismiss reports, T take or give back, J next, K previous";

export function Queue() {
  const [status, setStatus] = useState<CaseStatus>("OPEN");
  const [source, setSource] = useState<ModerationSource | "">("");
  const [assignment, setAssignment] = useState<CaseAssignment | "">("");
  const [sort, setSort] = useState<CaseOrder>("OLDEST");
  const variables = { status, source: source || null, assignment: assignment || null, sort, first: 20 };
  const pages = usePages(ModerationQueueDocument, variables, ({ moderationQueue }) => {
    return moderationQueue && { ...moderationQueue, edges: moderationQueue.edges.map((edge) => ({ cursor: edge.cursor, node: edge })) };
  });
  const [at, setAt] = useState(0);
  // A decision is in the queue only after it is stored, so decided cases are left out here.
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());
  const cases = pages.items?.filter(({ node }) => status === "RESOLVED" || !decided.has(node.id)) ?? [];
  const current = cases[Math.min(at, cases.length - 1)];
  return (
    <>
      <div className="inline filters">
        <label>Status <select value={status} onChange={(event) => setStatus(event.target.value as CaseStatus)}><option value="OPEN">Open</option><option value="RESOLVED">Resolved</option></select></label>
        <label>Source <select value={source} onChange={(event) => setSource(event.target.value as ModerationSource)}><option value="">All</option>{SOURCES.map((one) => <option key={one}>{one}</option>)}</select></label>
        <label>Assigned <select value={assignment} onChange={(event) => setAssignment(event.target.value as CaseAssignment)}><option value="">All</option><option value="MINE">To me</option><option value="UNASSIGNED">To nobody</option></select></label>
        <label>Order <select value={sort} onChange={(event) => setSort(event.target.value as CaseOrder)}><option value="OLDEST">Oldest</option><option value="NEWEST">Newest</option><option value="MOST_REPORTED">Most reported</option></select></label>
      </div>
      <p className="handle">Keys: {KEYS}.</p>
      {pages.error && <Notice action={pages.refresh}>{pages.error.graphQLErrors[0]?.message ?? "The queue could not be loaded."}</Notice>}
      {cases.length === 0 && !pages.isLoading && !pages.error && <p className="empty">The queue is empty.</p>}
      {current && (
        <>
          <p>Case {Math.min(at, cases.length - 1) + 1} of {cases.length}{pages.hasMore && <button type="button" onClick={pages.loadMore}>Load more</button>}</p>
          <Case key={current.node.id} item={current} move={(step) => setAt((now) => Math.max(0, Math.min(now, cases.length - 1) + step))} onDecided={() => setDecided(new Set(decided).add(current.node.id))} onChanged={pages.refresh} />
        </>
      )}
    </>
  );
}

function useKeys(actions: Record<string, () => void>): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const element = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName)) return;
      latest.current[event.key.toLowerCase()]?.();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

function Case({ item, move, onDecided, onChanged }: {
  item: CaseItemFragment;
  move: (step: number) => void;
  onDecided: () => void;
  onChanged: () => void;
}) {
  const { node, case: one } = item;
  const [reason, setReason] = useState("");
  const [message, setMessage] = useState("");
  const [, moderate] = useMutation(ModerateDocument);
  const [, resolve] = useMutation(ResolveReportsDocument);
  const [, assign] = useMutation(AssignCaseDocument);
  const [, release] = useMutation(ReleaseCaseDocument);
  const targetId = node.id;
  const isContent = node.__typename === "Post" || node.__typename === "Comment";
  const run = async (act: () => Promise<{ error?: unknown; data?: unknown }>, then = onDecided) => {
    const problem = messageOf(await act());
    setMessage(problem ?? "");
    if (!problem) then();
  };
  const approve = () => run(() => moderate({ targetId, decision: "APPROVE", reason: reason || "Approved" }));
  const reject = () => run(() => moderate({ targetId, decision: "REJECT", reason: reason || "Breaks the guidelines" }));
  const dismiss = () => run(() => resolve({ targetId, resolution: "DISMISS", reason: reason || "The reports are wrong" }));
  const accept = () => run(() => resolve({ targetId, resolution: "ACCEPT", reason: reason || "The reports are right" }));
  const take = () => run(() => (one.assignee ? release({ targetId }) : assign({ targetId })), onChanged);
  const isOpen = one.status === "OPEN";
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ...(isOpen ? { t: take, d: dismiss } : {}),
    ...(isOpen && isContent ? { a: approve, r: reject } : {}),
  });
  return (
    <article className="card" aria-label="Case">
      <header>
        <span className="badge">{node.__typename}</span>
        {one.sources.map((source) => <span className="badge" key={source}>{source}</span>)}
        {one.openedAt && <Ago time={one.openedAt} />}
        {one.assignee && <span className="badge">Taken by {one.assignee.displayName}</span>}
      </header>
      <Target node={node} />
      {item.reason && <p><strong>Objection:</strong> {item.reason}</p>}
      {one.appeal && <p><strong>Appeal:</strong> {one.appeal.text}</p>}
      {one.reportReasons && one.reportReasons.length > 0 && (
        <section aria-label="Reports">
          <h2>Reports</h2>
          <p>{one.reportReasons.map(({ reason: why, count }) => `${why}: ${count}`).join(", ")}</p>
          <ul>{one.newestReports?.map((report) => <li key={`${report.createdAt} ${report.reporter?.id}`}>{report.reason} {report.note && <q>{report.note}</q>} <span className="handle">@{report.reporter?.handle}</span></li>)}</ul>
        </section>
      )}
      {one.author && (
        <section aria-label="Author">
          <h2>Author</h2>
          <p><UserName user={one.author} /> · <Link to={`/moderation/log?user=${one.author.id}`}>History</Link></p>
          {one.authorRecord && (
            <p className="handle">
              {one.authorRecord.rejectedCount} rejected, {one.authorRecord.warnedCount} warnings, {one.authorRecord.suspendedCount} suspensions,{" "}
              {one.authorRecord.acceptedReportsReceivedCount} of {one.authorRecord.reportsReceivedCount} reports accepted
            </p>
          )}
          <Suspend user={one.author} />
        </section>
      )}
      {isOpen && (
        <div className="decide">
          <label>Reason for the log and the author <input value={reason} onChange={(event) => setReason(event.target.value)} /></label>
          <p className="actions">
            {isContent && <><button type="button" className="primary" onClick={approve}>Approve (A)</button><button type="button" onClick={reject}>Reject (R)</button></>}
            <button type="button" onClick={dismiss}>Dismiss reports (D)</button>
            {!isContent && <button type="button" onClick={accept}>Accept reports</button>}
            <button type="button" onClick={take}>{one.assignee ? "Give back (T)" : "Take (T)"}</button>
          </p>
        </div>
      )}
      {message && <p role="alert" className="problem">{message}</p>}
    </article>
  );
}

function Target({ node }: { node: CaseItemFragment["node"] }) {
  if (node.__typename === "Post") return <><p className="text">{node.postText}</p><Images images={node.images} /><Link to={`/posts/${node.id}`}>Open the post</Link></>;
  if (node.__typename === "Comment") return <><p className="text">{node.commentText}</p>{node.subject?.__typename === "Post" && <Link to={`/posts/${node.subject.id}`}>Open its post</Link>}</>;
  if (node.__typename === "User") return <p className="text">{node.displayName} @{node.handle}<br />{node.bio}</p>;
  if (node.__typename === "Entity") return <p className="text">{node.title ?? node.key} ({node.business})</p>;
  return null;
}
