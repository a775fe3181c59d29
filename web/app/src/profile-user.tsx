import type { ProfileQuery } from "@plaudit/client";
import type { IconName } from "./icons.tsx";
import { say } from "./language.tsx";
import { Nothing } from "./ui.tsx";

export type User = NonNullable<ProfileQuery["user"]>;

/** What a tab of a profile shows. `user` is undefined until the profile is read. */
export interface PartOfProfile {
  handle: string;
  user: User | undefined;
}

/** Whether the viewer may not see what a user with a private account does. */
function isClosed(user: User | undefined): boolean {
  return user !== undefined && user.isPrivate && !["FOLLOWING", "FRIENDS", "SELF"].includes(user.viewerRelation ?? "");
}

/** Says that a part of a profile has no items, or that the account is private. */
export function Empty({ user, icon, text }: { user: User | undefined; icon: IconName; text: string }) {
  return isClosed(user) ? <Nothing icon="lock" text={say("account-private")} /> : <Nothing icon={icon} text={text} />;
}
