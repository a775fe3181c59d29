import type { ProfileQuery } from "@plaudit/client";

export type User = NonNullable<ProfileQuery["user"]>;

/** What a tab of a profile shows. `user` is undefined until the profile is read. */
export interface PartOfProfile {
  handle: string;
  user: User | undefined;
}

/** Whether the viewer may not see what a user with a private account does. */
export function isClosed(user: User | undefined): boolean {
  return user !== undefined && user.isPrivate && !["FOLLOWING", "FRIENDS", "SELF"].includes(user.viewerRelation ?? "");
}
