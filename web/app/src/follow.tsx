import { FollowDocument, FollowTopicDocument, type TopicSummaryFragment, UnfollowDocument, UnfollowTopicDocument, type UserSummaryFragment } from "@plaudit/client";
import { useWrite } from "@plaudit/client/react";
import { useState } from "react";
import { say } from "./language.tsx";
import { messageOf, type Outcome } from "./outcome.ts";
import { useSession } from "./session.tsx";
import { toast } from "./toasts.tsx";

/** The relations of a person to a user whom the person follows or has asked to follow. */
export const FOLLOWS = ["FOLLOWING", "FRIENDS", "REQUESTED"];

/** A button that follows or unfollows. It can be used while it is unknown whether the person follows. */
function Follow({ name, isOn, follow, unfollow }: { name: string; isOn: boolean | null | undefined; follow: () => Promise<Outcome>; unfollow: () => Promise<Outcome> }) {
  const { person } = useSession();
  const [problem, setProblem] = useState<string | null>(null);
  if (!person) return null;
  const change = async () => {
    const refusal = messageOf(await (isOn ? unfollow : follow)());
    setProblem(refusal);
    if (isOn && !refusal) toast(say("unfollowed", { name }), follow);
  };
  return (
    <p className="actions">
      <button type="button" aria-label={say("follow-whom", { name })} aria-pressed={isOn ?? "mixed"} onClick={change}>{say("follow")}</button>
      {problem && <span role="alert" className="problem">{problem}</span>}
    </p>
  );
}

export function FollowTopic({ topic: { id: topicId, name, viewerFollows: isOn } }: { topic: TopicSummaryFragment }) {
  const [, follow] = useWrite(FollowTopicDocument);
  const [, unfollow] = useWrite(UnfollowTopicDocument);
  return <Follow name={`#${name}`} isOn={isOn} follow={() => follow({ topicId })} unfollow={() => unfollow({ topicId })} />;
}

export function FollowUser({ user: { id: userId, handle, viewerRelation } }: { user: UserSummaryFragment }) {
  const [, follow] = useWrite(FollowDocument);
  const [, unfollow] = useWrite(UnfollowDocument);
  const isOn = viewerRelation ? FOLLOWS.includes(viewerRelation) : null;
  if (viewerRelation === "SELF") return null;
  return <Follow name={`@${handle}`} isOn={isOn} follow={() => follow({ userId })} unfollow={() => unfollow({ userId })} />;
}
