import { type CaseItemFragment, DecisionsDocument, ModerateDocument, type ModerationAction, type ModerationDecision, type ReportResolution, ResolveReportsDocument } from "@plaudit/client";
import { useState } from "react";
import { useClient } from "urql";
import { say } from "../language.tsx";
import { messageOf } from "../outcome.ts";
import { useDecisions } from "./decisions.tsx";
import { useKeys } from "./keys.tsx";
import { REASONS } from "./labels.ts";
import type { Decided } from "./log.tsx";
import { type Content, excerpt, isContent } from "./parts.tsx";
import { useSession } from "./session.tsx";

// Messages: the reasons of a decision for which the moderator writes none.
const NO_VIOLATION = "no-violation";
const VIOLATION = "violation";
const AGREED = "agreed";

/** What decides a case. Warnings and suspensions do not. */
const DECIDING: ReadonlySet<ModerationAction> = new Set(["APPROVED", "REJECTED", "DELETED", "REPORTS_ACCEPTED", "REPORTS_DISMISSED", "APPEAL_GRANTED", "APPEAL_DENIED"]);

/**
 * Returns what another moderator has decided after a time, by the lines of the log; undefined if none has. A decision
 * about content that closes its reports has two lines: then that about the content.
 */
export function byOther(lines: readonly Decided[], ownId: string, after: string): Decided | undefined {
  const found = lines.filter(({ action, role, actor, createdAt }) => DECIDING.has(action) && role === "MODERATOR" && actor?.id !== ownId && createdAt > after);
  return found.find(({ action }) => action === "APPROVED" || action === "REJECTED") ?? found[0];
}

/** Returns a function that says which other moderator has decided about a target after a time; null if none has. */
function useFaster(targetId: string, since: string): () => Promise<string | null> {
  const client = useClient();
  const { moderator, isRestricted } = useSession();
  return async () => {
    if (isRestricted) return null; // such tokens cannot read the log
    const { data } = await client.query(DecisionsDocument, { targetId }, { requestPolicy: "network-only" });
    const line = byOther(data?.moderationLog?.edges.map(({ node }) => node) ?? [], moderator.id, since);
    return line ? say("faster", { name: line.actor?.displayName ?? say("another-moderator"), action: say(`action-${line.action}`), reason: line.reason ?? "" }) : null;
  };
}

type Act = (reason: string) => Promise<{ error?: unknown; data?: unknown }>;

/** Returns the mutations that decide about a target. */
function useActs(targetId: string) {
  const client = useClient();
  const moderate = (decision: ModerationDecision): Act => (reason) => client.mutation(ModerateDocument, { targetId, decision, reason }).toPromise();
  const resolve = (resolution: ReportResolution): Act => (reason) => client.mutation(ResolveReportsDocument, { targetId, resolution, reason }).toPromise();
  return { moderate, resolve };
}

interface Props {
  node: Content;
  /** The case; none if there is none, or if it is resolved. */
  open?: CaseItemFragment["case"] | undefined;
  /** The time of the newest line of the log that the moderator has seen. */
  newest: string | undefined;
  onDecided?: () => void;
  onUndone?: () => void;
}

/** The reason, and the buttons that decide. A decision is sent only if no other moderator has decided meanwhile. */
export function Decide({ node, open, newest, onDecided, onUndone }: Props) {
  const { decide } = useDecisions();
  const [reason, setReason] = useState("");
  const faster = useFaster(node.id, newest ?? open?.openedAt ?? "");
  const { moderate, resolve } = useActs(node.id);
  const run = (done: string, act: Act, otherwise: string) => () => {
    const send = async () => (await faster()) ?? messageOf(await act(reason.trim() || say(otherwise)));
    decide({ targetId: node.id, openedAt: open?.openedAt, text: say(`done-${done}`, { text: excerpt(node) }), send, onUndone });
    setReason("");
    onDecided?.();
  };
  const canModerate = isContent(node);
  const hasReports = (open?.reportCount ?? 0) > 0;
  const approve = canModerate ? run("approved", moderate("APPROVE"), NO_VIOLATION) : undefined;
  const isCollection = node.__typename === "Collection";
  const hide = isCollection ? run("made-private", resolve("REMOVE"), VIOLATION) : undefined;
  const reject = canModerate ? run("rejected", moderate("REJECT"), VIOLATION) : hide;
  const dismiss = hasReports ? run("dismissed", resolve("DISMISS"), NO_VIOLATION) : undefined;
  const accept = hasReports ? run("accepted", resolve("ACCEPT"), AGREED) : undefined;
  useKeys({ a: approve, r: reject, d: dismiss, e: accept });
  return (
    <section className="decide" aria-label={say("decision")}>
      <Reason value={reason} usual={say("usual", { against: say(canModerate || isCollection ? VIOLATION : AGREED), for: say(NO_VIOLATION) })} onChange={setReason} />
      <div className="inline">
        {approve && <button type="button" className="primary" onClick={approve}>{say("approve")}</button>}
        {reject && <button type="button" className="reject" onClick={reject}>{say(isCollection ? "make-private" : "reject")}</button>}
        {dismiss && <button type="button" onClick={dismiss}>{say("dismiss")}</button>}
        {accept && <button type="button" onClick={accept}>{say("accept")}</button>}
      </div>
    </section>
  );
}

function Reason({ value, usual, onChange }: { value: string; usual: string; onChange: (reason: string) => void }) {
  const texts = REASONS.map((name) => say(`reason-${name}`));
  useKeys(Object.fromEntries(texts.map((text, index) => [`${index + 1}`, () => onChange(text)])));
  return (
    <>
      <label>{say("reason-label")} <input maxLength={500} value={value} placeholder={usual} onChange={(event) => onChange(event.target.value)} /></label>
      <div className="inline" role="group" aria-label={say("usual-reasons")}>
        {texts.map((text, index) => <button type="button" className="small" key={text} aria-pressed={value === text} onClick={() => onChange(text)}>{index + 1} {text}</button>)}
      </div>
    </>
  );
}
