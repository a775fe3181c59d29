import type { ProfileQuery } from "@plaudit/client";

export type User = NonNullable<ProfileQuery["user"]>;

/** Whether the viewer may not see what a user with a private account does. */
export function isClosed({ isPrivate, viewerRelation }: User): boolean {
  return isPrivate && !["FOLLOWING", "FRIENDS", "SELF"].includes(viewerRelation ?? "");
}
