import type { ReactionsFragment } from "@plaudit/client";
import { ReactionPicker } from "@plaudit/react";
import { Kit } from "./kit.tsx";
import { say } from "./language.tsx";

/** The kinds of reactions that everything has. A like has a button of its own. */
const PLAIN = ["like", "dislike"];

/** The reactions to a thing with more kinds of reactions than a like. */
export function Reactions({ target }: { target: ReactionsFragment }) {
  if (target.reactionKinds.every(({ kind }) => PLAIN.includes(kind))) return null;
  return <section className="picker" aria-label={say("reactions")}><Kit><ReactionPicker target={target} /></Kit></section>;
}
