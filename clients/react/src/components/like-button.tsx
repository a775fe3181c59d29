import { type CountedToggle, type Target, type Toggle, useLike, useSession } from "../hooks/index.js";
import { useText } from "../text.js";
import { Count, Failure } from "./parts.js";

/** Returns the properties of a button with two states: its state for screen readers, and how it is used without a user. */
export function useToggleProps({ isOn, toggle }: Pick<Toggle, "isOn" | "toggle">) {
  const { isSignedIn, onSignInNeeded } = useSession();
  const { say } = useText();
  const isAnonymous = isSignedIn === false;
  const title = isAnonymous ? say("sign-in-first") : isOn === undefined ? say("state-unknown") : undefined;
  return {
    type: "button",
    "aria-pressed": isAnonymous ? false : (isOn ?? "mixed"),
    disabled: isAnonymous && !onSignInNeeded,
    title,
    onClick: isAnonymous ? onSignInNeeded : toggle,
  } as const;
}

/** A heart with the number of likes. `target` is an id, `business:key` of an entity, or what an operation has read. */
export function LikeButton({ target, className = "" }: { target: Target; className?: string }) {
  return <Like {...useLike(target)} className={className} />;
}

function Like({ className, ...like }: CountedToggle & { className: string }) {
  const { say } = useText();
  return (
    <span className={`plaudit plaudit-inline ${className}`}>
      <button {...useToggleProps(like)} className="plaudit-act" aria-label={say("like")}>
        <svg className="plaudit-icon" viewBox="0 0 24 24" aria-hidden="true">
          <path d="M12 20.5 4.2 12.8a5 5 0 0 1 7.1-7.1l.7.7.7-.7a5 5 0 0 1 7.1 7.1z" />
        </svg>
        <Count value={like.count} of="likes" />
      </button>
      <Failure of={like.problem} />
    </span>
  );
}
