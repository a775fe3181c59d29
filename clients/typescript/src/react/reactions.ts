import type { CombinedError } from "@urql/core";
import { useState } from "react";
import { useMutation, useSubscription } from "urql";
import { UNKNOWN } from "../cache.js";
import {
  LikeDocument,
  LikersDocument,
  type LikersQuery,
  type PostCardFragment,
  ReactableChangedDocument,
  ReactDocument,
  type ReactionsFragment,
  type ReactionStateFragment,
  RepostDocument,
  SaveDocument,
  UnlikeDocument,
  UnreactDocument,
  UnrepostDocument,
  UnsaveDocument,
  type UserSummaryFragment,
} from "../generated/graphql.js";
import { type Pages, usePages } from "./pages.js";

/** A button with two states and a count. */
export interface Toggle {
  /** Undefined if the state could not be read. */
  isOn: boolean | undefined;
  /** Undefined if the count could not be read. Do not show 0 then. */
  count: number | undefined;
  isPending: boolean;
  /** Why the last change failed: a message to show. */
  problem: string | null;
  /** Turns the state to its opposite. Turns it on if it is unknown, which changes nothing if it is on. */
  toggle: () => Promise<void>;
}

interface Outcome {
  error?: CombinedError;
  data?: Record<string, unknown>;
}

function problemOf({ data, error }: Outcome): string | null {
  const payload = Object.values(data ?? {}).find((value) => typeof value === "object") as
    | { userErrors: { message: string }[] }
    | null
    | undefined;
  if (payload) return payload.userErrors[0]?.message ?? null;
  return error?.graphQLErrors[0]?.message ?? (error ? "There is no connection. Try again." : null);
}

function useToggle(isOn: boolean | undefined, count: unknown, on: () => Promise<Outcome>, off: () => Promise<Outcome>): Toggle {
  const [pending, setPending] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const toggle = async (): Promise<void> => {
    setPending((number) => number + 1);
    setProblem(problemOf(await (isOn ? off() : on())));
    setPending((number) => number - 1);
  };
  return { isOn, count: typeof count === "number" ? count : undefined, isPending: pending > 0, problem, toggle };
}

/** The viewer's like of a post, comment or entity. The change is shown at once and taken back if it is refused. */
export function useLike(target: ReactionStateFragment): Toggle {
  const [, like] = useMutation(LikeDocument);
  const [, unlike] = useMutation(UnlikeDocument);
  const variables = { targetId: target.id };
  const reaction: string | null | undefined = target.viewerReaction;
  const isOn = reaction === undefined || reaction === UNKNOWN ? undefined : reaction === "LIKE";
  return useToggle(isOn, target.likeCount, () => like(variables), () => unlike(variables));
}

/** A kind of reaction that users can give an object. */
export interface ReactionChoice {
  /** The name of the kind, such as `like` or an emoji. */
  kind: string;
  /** Undefined if the counts could not be read. Do not show 0 then. */
  count: number | undefined;
  /** Undefined if the viewer's reactions could not be read. */
  isChosen: boolean | undefined;
  /** Gives the kind, or takes it back if it is chosen. */
  choose: () => Promise<void>;
}

/**
 * The kinds of reactions that the viewer can give a post, comment or entity, and why the last change failed. The change
 * is shown when it is acknowledged.
 */
export function useReactions(target: ReactionsFragment): { choices: ReactionChoice[]; problem: string | null } {
  const [, react] = useMutation(ReactDocument);
  const [, unreact] = useMutation(UnreactDocument);
  const [problem, setProblem] = useState<string | null>(null);
  const choices = target.reactionKinds.map(({ kind }): ReactionChoice => {
    const isChosen = target.viewerReactions?.includes(kind);
    const variables = { targetId: target.id, kind };
    const choose = async (): Promise<void> => setProblem(problemOf(await (isChosen ? unreact(variables) : react(variables))));
    const counted = target.reactionCounts?.find((one) => one.kind === kind)?.count ?? 0;
    return { kind, count: target.reactionCounts ? Number(counted) : undefined, isChosen, choose };
  });
  return { choices, problem };
}

/** Whether the viewer has saved a post, comment or entity. Always unknown if nobody is signed in. */
export function useSave(target: ReactionStateFragment): Toggle {
  const [, save] = useMutation(SaveDocument);
  const [, unsave] = useMutation(UnsaveDocument);
  const variables = { targetId: target.id };
  return useToggle(target.viewerSaved ?? undefined, target.saveCount, () => save(variables), () => unsave(variables));
}

/** Whether the viewer reposts a post. Always unknown if nobody is signed in. */
export function useRepost(post: PostCardFragment): Toggle {
  const [, repost] = useMutation(RepostDocument);
  const [, unrepost] = useMutation(UnrepostDocument);
  const variables = { postId: post.id };
  return useToggle(post.viewerHasReposted ?? undefined, post.repostCount, () => repost(variables), () => unrepost(variables));
}

/**
 * Keeps the counts of up to 100 posts, comments and entities, and the moderation status of the viewer's own ones, current while the component is shown.
 * `ids` may be empty.
 */
export function useLiveCounts(ids: string[]): void {
  const shown = ids.slice(0, 100);
  useSubscription({ query: ReactableChangedDocument, variables: { ids: shown }, pause: shown.length === 0 });
}

type Liked = Extract<NonNullable<LikersQuery["node"]>, { likers?: unknown }>;

/** Reads the users who like a post, comment or entity page by page, newest like first. */
export function useLikers(targetId: string, first = 20): Pages<UserSummaryFragment> {
  return usePages(LikersDocument, { targetId, first }, ({ node }) => (node as Liked | null)?.likers);
}
