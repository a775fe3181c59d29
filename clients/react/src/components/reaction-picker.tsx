import type { ReactionsFragment } from "@plaudit/client";
import { type ReactionChoice, useReactions } from "../hooks/index.js";
import { useText } from "../text.js";
import { useToggleProps } from "./like-button.js";
import { Count, Failure } from "./parts.js";

const PICTURES: Record<string, string> = { like: "👍", dislike: "👎" };

/** A button for each kind of reaction that a post, comment or entity can be given, with its count. A chosen kind jumps, unless the person prefers reduced motion. */
export function ReactionPicker({ target, className = "" }: { target: string | ReactionsFragment; className?: string }) {
  const { say } = useText();
  const { choices, problem } = useReactions(target);
  return (
    <div className={`plaudit plaudit-inline plaudit-picker ${className}`} role="group" aria-label={say("reactions")}>
      {choices.map((choice) => <Choice key={choice.kind} {...choice} />)}
      <Failure of={problem} />
    </div>
  );
}

function Choice({ kind, count, isChosen, choose }: ReactionChoice) {
  const { say } = useText();
  const picture = PICTURES[kind] ?? kind;
  return (
    <button {...useToggleProps({ isOn: isChosen, toggle: choose })} className="plaudit-act plaudit-reaction" aria-label={say("react", { kind: picture })}>
      <span className="plaudit-emoji">{picture}</span> <Count value={count} of="reactions" />
    </button>
  );
}
