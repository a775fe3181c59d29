import type { CaseItemFragment } from "@plaudit/client";
import { useState } from "react";
import { say } from "../language.tsx";
import { useActs, useFaster, USUAL, type Verdict } from "./decide.tsx";
import { useDecisions } from "./decisions.tsx";
import { GroundAndReason, NO_REASON } from "./grounds.tsx";
import { excerpt } from "./parts.tsx";
import { useSession } from "./session.tsx";

/** The most cases that one decision can be about. */
export const MOST_AT_ONCE = 50;
const DECIDING: readonly Verdict[] = ["approve", "reject", "dismiss", "accept"];

/** One decision about several cases. It is sent for one case after the other; those that fail stay in the list. */
export function Bulk({ items, onClear }: { items: readonly CaseItemFragment[]; onClear: () => void }) {
  const { decide } = useDecisions();
  const [reasoned, setReasoned] = useState(NO_REASON);
  const act = useActs();
  const faster = useFaster();
  const { isRestricted } = useSession();
  const run = (verdict: Verdict) => () => {
    const cases = new Map(items.map((item) => [item.node.id, item]));
    const about = items.map(({ node, case: one }) => ({ targetId: node.id, openedAt: one.openedAt, text: excerpt(node) }));
    const send = async (targetId: string) => {
      const { node, case: open } = cases.get(targetId)!;
      const sending = act(verdict, node, open, reasoned);
      if (!sending) return say("does-not-fit");
      return (await faster(targetId, open.openedAt ?? "")) ?? (await sending());
    };
    decide({ about, text: say(`done-all-${verdict}`, { count: items.length }), send });
    setReasoned(NO_REASON);
    onClear();
  };
  return (
    <section className="card decide" aria-label={say("decision-about-chosen")}>
      <p role="status">{say("chosen-cases", { count: items.length })} {items.length >= MOST_AT_ONCE && say("most-chosen")}</p>
      {isRestricted && <p className="notice" role="status">{say("log-unread")}</p>}
      <GroundAndReason value={reasoned} onChange={setReasoned} label={say("reason-for-all")} placeholder={say("usual", { against: say(USUAL.reject), for: say(USUAL.approve) })} />
      <div className="inline">
        {DECIDING.map((verdict) => <button type="button" key={verdict} className={verdict === "reject" ? "reject" : ""} onClick={run(verdict)}>{say(`decide-all-${verdict}`)}</button>)}
        <button type="button" onClick={onClear}>{say("choose-none")}</button>
      </div>
    </section>
  );
}
