import { type CaseItemFragment, ModerateDocument, type ModerationAction, ModerationLogDocument, type ReportResolution, ResolveReportsDocument } from "@plaudit/client";
import { useState } from "react";
import { useClient } from "urql";
import { messageOf } from "../outcome.ts";
import { useDecisions } from "./decisions.tsx";
import { useKeys } from "./keys.tsx";
import { ACTIONS, REASONS } from "./labels.ts";
import type { LogLine } from "./log.tsx";
import { type Content, excerpt, isContent } from "./parts.tsx";
import { useSession } from "./session.tsx";

const NO_VIOLATION = "We found no violation of the guidelines";
const VIOLATION = "This breaks the guidelines";
const AGREED = "We agree with the report";

/** What decides a case. Warnings and suspensions do not. */
const DECIDING: ReadonlySet<ModerationAction> = new Set(["APPROVED", "REJECTED", "DELETED", "REPORTS_ACCEPTED", "REPORTS_DISMISSED", "APPEAL_GRANTED", "APPEAL_DENIED"]);

/**
 * Returns what another moderator has decided after a time, by the lines of the log; undefined if none has. A decision
 * about content that closes its reports has two lines: then that about the content.
 */
export function byOther(lines: readonly LogLine[], ownId: string, after: string): LogLine | undefined {
  const found = lines.filter(({ action, role, actor, createdAt }) => DECIDING.has(action) && role === "MODERATOR" && actor?.id !== ownId && createdAt > after);
  return found.find(({ action }) => action === "APPROVED" || action === "REJECTED") ?? found[0];
}

interface Props {
  node: Content;
  /** The case; none if there is none, or if it is resolved. */
  open?: CaseItemFragment["case"] | undefined;
  /** The newest line of the log that the moderator has seen. */
  newest: string | undefined;
  onDecided?: () => void;
  onUndone?: () => void;
}

/** The reason, and the buttons that decide. A decision is sent only if no other moderator has decided meanwhile. */
export function Decide({ node, open, newest, onDecided, onUndone }: Props) {
  const client = useClient();
  const { decide } = useDecisions();
  const { moderator, isRestricted } = useSession();
  const [reason, setReason] = useState("");
  const targetId = node.id;
  const canModerate = isContent(node);
  const hasReports = (open?.reportCount ?? 0) > 0;
  const meanwhile = async (): Promise<string | null> => {
    if (isRestricted) return null; // such tokens cannot read the log
    const variables = { targetId, first: 5 };
    const { data } = await client.query(ModerationLogDocument, variables, { requestPolicy: "network-only" });
    const lines = data?.moderationLog?.edges.map((edge) => edge.node) ?? [];
    const line = byOther(lines, moderator.id, newest ?? open?.openedAt ?? "");
    return line ? `${line.actor?.displayName ?? "Another moderator"} was faster: ${ACTIONS[line.action]} (${line.reason}).` : null;
  };
  const run = (verb: string, act: () => Promise<{ error?: unknown; data?: unknown }>) => {
    const send = async () => (await meanwhile()) ?? messageOf(await act());
    decide({ targetId, openedAt: open?.openedAt, text: `${verb}: “${excerpt(node)}”`, send, onUndone });
    setReason("");
    onDecided?.();
  };
  const moderate = (verb: string, decision: "APPROVE" | "REJECT", otherwise: string) => () =>
    run(verb, () => client.mutation(ModerateDocument, { targetId, decision, reason: reason.trim() || otherwise }).toPromise());
  const resolve = (verb: string, resolution: ReportResolution, otherwise: string) => () =>
    run(verb, () => client.mutation(ResolveReportsDocument, { targetId, resolution, reason: reason.trim() || otherwise }).toPromise());
  const approve = canModerate ? moderate("Approved", "APPROVE", NO_VIOLATION) : undefined;
  const reject = canModerate ? moderate("Rejected", "REJECT", VIOLATION) : undefined;
  const dismiss = hasReports ? resolve("Reports dismissed", "DISMISS", NO_VIOLATION) : undefined;
  const accept = hasReports ? resolve("Reports accepted", "ACCEPT", AGREED) : undefined;
  const choices = Object.fromEntries(REASONS.map((text, index) => [`${index + 1}`, () => setReason(text)]));
  useKeys({ a: approve, r: reject, d: dismiss, e: accept, ...choices });
  return (
    <section className="decide" aria-label="Decision">
      <label>Reason, which the author and the reporters read <input maxLength={500} value={reason} placeholder={`If you write none: “${canModerate ? VIOLATION : AGREED}”, or “${NO_VIOLATION}”`} onChange={(event) => setReason(event.target.value)} /></label>
      <div className="inline" role="group" aria-label="Usual reasons">
        {REASONS.map((text, index) => <button type="button" className="small" key={text} aria-pressed={reason === text} onClick={() => setReason(text)}>{index + 1} {text}</button>)}
      </div>
      <div className="inline">
        {approve && <button type="button" className="primary" onClick={approve}>Approve (A)</button>}
        {reject && <button type="button" className="reject" onClick={reject}>Reject (R)</button>}
        {dismiss && <button type="button" onClick={dismiss}>Dismiss reports (D)</button>}
        {accept && <button type="button" onClick={accept}>Accept reports (E)</button>}
      </div>
    </section>
  );
}
