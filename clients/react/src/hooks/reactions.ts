import {
  LikeDocument,
  ReactDocument,
  type ReactionsFragment,
  type ReactionStateFragment,
  SaveDocument,
  TargetDocument,
  TargetReactionsDocument,
  UNKNOWN,
  UnlikeDocument,
  UnreactDocument,
  UnsaveDocument,
} from "@plaudit/client";
import { useRead } from "@plaudit/client/react";
import { useState } from "react";
import { type Toggle, useAct, useToggle } from "./act.js";
import { idOf } from "./ids.js";
import type { Problem } from "./problem.js";

/** A post, comment or entity: its id, `business:key` of an entity, or what an operation has read of it. */
export type Target = string | ReactionStateFragment;

export interface CountedToggle extends Toggle {
  /** Undefined if the count is not known. Do not show 0 then. */
  count: number | undefined;
}

function useTarget(target: Target): Partial<ReactionStateFragment> & { id: string } {
  const isId = typeof target === "string";
  const id = isId ? idOf(target) : target.id;
  const [{ data }] = useRead({ query: TargetDocument, variables: { id }, pause: !isId });
  if (!isId) return target;
  const node = data?.node;
  return node && "likeCount" in node ? node : { id };
}

function numberOf(count: unknown): number | undefined {
  return typeof count === "number" ? count : undefined;
}

/** The viewer's like of a post, comment or entity, and the number of likes. */
export function useLike(target: Target): CountedToggle {
  const { id: targetId, viewerReaction, likeCount } = useTarget(target);
  const like = useAct(LikeDocument);
  const unlike = useAct(UnlikeDocument);
  const reaction: string | null | undefined = viewerReaction;
  const known = reaction === undefined || reaction === UNKNOWN ? undefined : reaction === "LIKE";
  return { ...useToggle(known, (on) => (on ? like : unlike)({ targetId })), count: numberOf(likeCount) };
}

/** Whether the viewer has saved a post, comment or entity, and how many users have. */
export function useSave(target: Target): CountedToggle {
  const { id: targetId, viewerSaved, saveCount } = useTarget(target);
  const save = useAct(SaveDocument);
  const unsave = useAct(UnsaveDocument);
  return { ...useToggle(viewerSaved ?? undefined, (on) => (on ? save : unsave)({ targetId })), count: numberOf(saveCount) };
}

/** A kind of reaction that users can give an object. */
export interface ReactionChoice {
  /** The name of the kind, such as `like` or an emoji. */
  kind: string;
  /** Undefined if the counts are not known. Do not show 0 then. */
  count: number | undefined;
  /** Whether the viewer has given this reaction; undefined if that is not known. */
  isChosen: boolean | undefined;
  /** Gives the reaction, or takes it back. */
  choose: () => Promise<void>;
}

/** The kinds of reactions that the viewer can give a post, comment or entity. A change is shown at once. */
export function useReactions(target: string | ReactionsFragment): { choices: ReactionChoice[]; problem: Problem | null } {
  const isId = typeof target === "string";
  const targetId = isId ? idOf(target) : target.id;
  const [{ data }] = useRead({ query: TargetReactionsDocument, variables: { id: targetId }, pause: !isId });
  const read = isId ? (data?.node as ReactionsFragment | null | undefined) : target;
  const react = useAct(ReactDocument);
  const unreact = useAct(UnreactDocument);
  const [wanted, setWanted] = useState<Record<string, boolean>>({});
  const [problem, setProblem] = useState<Problem | null>(null);
  const choices = (read?.reactionKinds ?? []).map(({ kind }): ReactionChoice => {
    const known = read?.viewerReactions?.includes(kind);
    const isChosen = wanted[kind] ?? known;
    const counted = read?.reactionCounts && Number(read.reactionCounts.find((one) => one.kind === kind)?.count ?? 0);
    const step = isChosen === known || known === undefined ? 0 : isChosen ? 1 : -1;
    const choose = async (): Promise<void> => {
      setWanted((all) => ({ ...all, [kind]: !isChosen }));
      const outcome = await (isChosen ? unreact : react)({ targetId, kind });
      setProblem(outcome.problem?.code === "UNAUTHENTICATED" ? null : outcome.problem);
      setWanted(({ [kind]: _, ...others }) => others);
    };
    return { kind, count: typeof counted === "number" ? counted + step : undefined, isChosen, choose };
  });
  return { choices, problem };
}
