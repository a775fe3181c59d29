import type { UserSummaryFragment } from "@plaudit/client";
import { useFollow } from "../hooks/index.js";
import { useText } from "../text.js";
import { useToggleProps } from "./like-button.js";
import { Failure } from "./parts.js";

/** A button that follows or unfollows a user. There is none for the viewer themselves. */
export function FollowButton({ user, className = "" }: { user: string | UserSummaryFragment; className?: string }) {
  const follow = useFollow(user);
  const { say } = useText();
  const props = useToggleProps(follow);
  if (follow.isSelf || !follow.user) return null;
  const state = !follow.isOn ? "follow" : follow.isRequested ? "requested" : "following";
  return (
    <span className={`plaudit plaudit-inline ${className}`}>
      <button {...props} className="plaudit-button plaudit-follow" aria-label={say("follow-whom", { name: follow.user.displayName })}>
        {say(state)}
      </button>
      <Failure of={follow.problem} />
    </span>
  );
}
