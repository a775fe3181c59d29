import { type CaseItemFragment, DecisionsDocument, ModerateDocument, type ModerationAction, ResolveReportsDocument } from "@plaudit/client";
import { useState } from "react";
import { useClient } from "urql";
import { say } from "../language.tsx";
import { messageOf } from "../outcome.ts";
import { useDecisions } from "./decisions.tsx";
import { GroundAndReason, NO_REASON, type Reasoned } from "./grounds.tsx";
import { useKeys } from "./keys.tsx";
import type { Decided } from "./log.tsx";
import { type Content, excerpt, isContent } from "./parts.tsx";
import { useSession } from "./session.tsx";

type Open = CaseItemFragment["case"];
/** A decision about a case. `hide` makes a collection private, `lift` ends that. */
export type Verdict = "approve" | "reject" | "hide" | "dismiss" | "accept" | "lift";

const NO_VIOLATION = "no-violation";
const VIOLATION = "violation";
const AGREED = "agreed";

/** For each decision, the message with the reason that is sent if the moderator writes none. */
export const USUAL: Record<Verdict, string> = { approve: NO_VIOLATION, reject: VIOLATION, hide: VIOLATION, dismiss: NO_VIOLATION, accept: AGREED, lift: NO_VIOLATION };

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
export function useFaster(): (targetId: string, since: string) => Promise<string | null> {
  const client = useClient();
  const { moderator, isRestricted } = useSession();
  return async (targetId, since) => {
    if (isRestricted) return null; // such tokens cannot read the log
    const { data } = await client.query(DecisionsDocument, { targetId }, { requestPolicy: "network-only" });
    const line = byOther(data?.moderationLog?.edges.map(({ node }) => node) ?? [], moderator.id, since);
    return line ? say("faster", { name: line.actor?.displayName ?? say("another-moderator"), action: say(`action-${line.action}`), reason: line.reason ?? "" }) : null;
  };
}

/** Sends a decision. Returns why it failed, or null. */
type Send = () => Promise<string | null>;

/** Returns a function that makes a decision about a target; null if the decision does not fit the target or its case. */
export function useActs(): (verdict: Verdict, node: Content, open: Open | undefined, reasoned: Reasoned) => Send | null {
  const client = useClient();
  return (verdict, node, open, { reason: given, ground }) => {
    const targetId = node.id;
    const reason = given.trim() || say(USUAL[verdict]);
    const isCollection = node.__typename === "Collection";
    if (verdict === "approve" || (verdict === "reject" && !isCollection)) {
      const decision = verdict === "approve" ? "APPROVE" : "REJECT";
      return isContent(node) ? async () => messageOf(await client.mutation(ModerateDocument, { targetId, decision, reason, ground }).toPromise()) : null;
    }
    const isPossible = verdict === "hide" || verdict === "reject" ? isCollection : verdict === "lift" ? open?.isHeld : (open?.reportCount ?? 0) > 0;
    const resolution = verdict === "accept" ? "ACCEPT" : verdict === "hide" || verdict === "reject" ? "REMOVE" : "DISMISS";
    return isPossible ? async () => messageOf(await client.mutation(ResolveReportsDocument, { targetId, resolution, reason, ground }).toPromise()) : null;
  };
}

interface Props {
  node: Content;
  /** The case; none if there is none, or if it is resolved. */
  open?: Open | undefined;
  /** The time of the newest line of the log that the moderator has seen. */
  newest: string | undefined;
  onDecided?: () => void;
  onUndone?: () => void;
}

/** Returns a function that makes the action of a button; undefined if the decision does not fit the case. */
function useVerdicts({ node, open, newest, onDecided, onUndone }: Props, reasoned: Reasoned, onMade: () => void) {
  const { decide } = useDecisions();
  const faster = useFaster();
  const act = useActs();
  return (verdict: Verdict) => {
    const sending = act(verdict, node, open, reasoned);
    if (!sending) return undefined;
    return () => {
      const send = async () => (await faster(node.id, newest ?? open?.openedAt ?? "")) ?? (await sending());
      const about = [{ targetId: node.id, openedAt: open?.openedAt, text: excerpt(node) }];
      decide({ about, text: say(`done-${verdict}`, { text: excerpt(node) }), send, onUndone });
      onMade();
      onDecided?.();
    };
  };
}

/** The reason, and the buttons that decide. A decision is sent only if no other moderator has decided meanwhile. */
export function Decide(props: Props) {
  const [reasoned, setReasoned] = useState(NO_REASON);
  const actionOf = useVerdicts(props, reasoned, () => setReasoned(NO_REASON));
  const second: Verdict = props.node.__typename === "Collection" ? "hide" : "reject";
  const actions = { approve: actionOf("approve"), [second]: actionOf(second), dismiss: actionOf("dismiss"), accept: actionOf("accept") };
  useKeys({ a: actions.approve, r: actions[second], d: actions.dismiss, e: actions.accept });
  if (!Object.values(actions).some(Boolean)) return null;
  const usual = say("usual", { against: say(actions[second] ? VIOLATION : AGREED), for: say(NO_VIOLATION) });
  return (
    <section className="decide" aria-label={say("decision")}>
      <GroundAndReason value={reasoned} onChange={setReasoned} hasKeys label={say("reason-label")} placeholder={usual} />
      <div className="inline">
        {Object.entries(actions).map(([verdict, action]) => action && <button type="button" key={verdict} className={STYLES[verdict as Verdict]} onClick={action}>{say(`decide-${verdict}`)}</button>)}
      </div>
    </section>
  );
}

const STYLES: Partial<Record<Verdict, string>> = { approve: "primary", reject: "reject", hide: "reject" };

/** Says that a moderator has made a collection private, and lifts this. */
export function Hold(props: Props) {
  const [reason, setReason] = useState("");
  const lift = useVerdicts(props, { reason, ground: null }, () => setReason(""))("lift");
  if (!lift) return null;
  return (
    <section className="decide" aria-label={say("hold")}>
      <p className="notice">{say("held-private")}</p>
      <label>{say("reason-for-lifting")} <input maxLength={500} value={reason} placeholder={say("usual-one", { reason: say(NO_VIOLATION) })} onChange={(event) => setReason(event.target.value)} /></label>
      <div className="inline"><button type="button" onClick={lift}>{say("decide-lift")}</button></div>
    </section>
  );
}
