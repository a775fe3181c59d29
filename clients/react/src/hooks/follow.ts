import { FollowDocument, UnfollowDocument, UserCardDocument, type UserSummaryFragment } from "@plaudit/client";
import { useRead } from "@plaudit/client/react";
import { type Toggle, useAct, useToggle } from "./act.js";

const FOLLOWS = ["FOLLOWING", "FRIENDS", "REQUESTED"];

export interface Follow extends Toggle {
  /** Undefined while the user is not known. */
  user: UserSummaryFragment | undefined;
  /** Whether the user has not answered the request of the viewer yet. */
  isRequested: boolean;
  /** Whether the user is the viewer, who cannot follow themselves. */
  isSelf: boolean;
}

/** Whether the viewer follows a user, who is given by handle or as an operation has read them. */
export function useFollow(target: string | UserSummaryFragment): Follow {
  const isHandle = typeof target === "string";
  const handle = isHandle ? target : target.handle;
  const [{ data }] = useRead({ query: UserCardDocument, variables: { handle }, pause: !isHandle });
  const user = isHandle ? (data?.user ?? undefined) : target;
  const follow = useAct(FollowDocument);
  const unfollow = useAct(UnfollowDocument);
  const relation = user?.viewerRelation;
  const known = relation ? FOLLOWS.includes(relation) : undefined;
  const change = async (on: boolean) => (user ? (on ? follow : unfollow)({ userId: user.id }) : { problem: null });
  return { ...useToggle(known, change), user, isRequested: relation === "REQUESTED", isSelf: relation === "SELF" };
}
