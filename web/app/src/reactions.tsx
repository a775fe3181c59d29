import type { ReactionsFragment } from "@plaudit/client";
import { useReactions } from "@plaudit/client/react";
import { say } from "./language.tsx";
import { useSession } from "./session.tsx";
import { Count } from "./ui.tsx";

/** The kinds of reactions that everything has. */
export const PLAIN = ["like", "dislike"];

const PICTURES: Record<string, string> = { like: "👍", dislike: "👎" };

/** A button for each kind of reaction, with the number of users who have given it. */
export function ReactionPicker({ target }: { target: ReactionsFragment }) {
  const { person } = useSession();
  const { choices, problem } = useReactions(target);
  return (
    <section className="card picker" aria-label={say("reactions")}>
      {choices.map(({ kind, count, isChosen, choose }) => (
        <button
          key={kind}
          type="button"
          className="act"
          aria-label={say("react", { kind: PICTURES[kind] ?? kind })}
          aria-pressed={person ? (isChosen ?? "mixed") : false}
          disabled={!person}
          title={person ? undefined : say("sign-in-first")}
          onClick={choose}
        >
          {PICTURES[kind] ?? kind} <Count value={count} of="reactions" />
        </button>
      ))}
      {problem && <span role="alert" className="problem">{problem}</span>}
    </section>
  );
}
