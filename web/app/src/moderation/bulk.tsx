import type { CaseItemFragment } from "@plaudit/client";
import { useState } from "react";
import { useActs, useFaster, type Verdict, VERDICTS } from "./decide.tsx";
import { useDecisions } from "./decisions.tsx";
import { GroundAndReason, NO_REASON } from "./grounds.tsx";
import { excerpt } from "./parts.tsx";

/** The most cases that one decision can be about. */
export const MOST_AT_ONCE = 50;
const DECIDING: readonly Verdict[] = ["approve", "reject", "dismiss", "accept"];

/** One decision about several cases. It is sent for one case after the other; those that fail stay in the list. */
export function Bulk({ items, onClear }: { items: readonly CaseItemFragment[]; onClear: () => void }) {
  const { decide } = useDecisions();
  const [reasoned, setReasoned] = useState(NO_REASON);
  const act = useActs();
  const faster = useFaster();
  const run = (verdict: Verdict) => () => {
    const cases = new Map(items.map((item) => [item.node.id, item]));
    const about = items.map(({ node, case: one }) => ({ targetId: node.id, openedAt: one.openedAt, text: excerpt(node) }));
    const send = async (targetId: string) => {
      const { node, case: open } = cases.get(targetId)!;
      const sending = act(verdict, node, open, reasoned);
      if (!sending) return "This decision does not fit this kind of case.";
      return (await faster(targetId, open.openedAt ?? "")) ?? (await sending());
    };
    decide({ about, text: `${VERDICTS[verdict].done}: ${items.length} cases`, send });
    setReasoned(NO_REASON);
    onClear();
  };
  return (
    <section className="card decide" aria-label="Decision about the chosen cases">
      <p role="status">{items.length} cases are chosen.{items.length >= MOST_AT_ONCE && ` These are the most that one decision can be about.`}</p>
      <GroundAndReason value={reasoned} onChange={setReasoned} label="Reason for all of them, which the authors and the reporters read" placeholder={`If you write none: “${VERDICTS.reject.usual}”, or “${VERDICTS.approve.usual}”`} />
      <div className="inline">
        {DECIDING.map((verdict) => <button type="button" key={verdict} className={verdict === "reject" ? "reject" : ""} onClick={run(verdict)}>{VERDICTS[verdict].all}</button>)}
        <button type="button" onClick={onClear}>Choose none</button>
      </div>
    </section>
  );
}
