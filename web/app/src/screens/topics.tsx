import { FollowedTopicsDocument, FollowTopicDocument, SetTopicsInHomeDocument, type TopicSummaryFragment, UnfollowTopicDocument } from "@plaudit/client";
import { usePages, useRead, useWrite } from "@plaudit/client/react";
import { useState } from "react";
import { Link } from "react-router";
import { Heading } from "../heading.tsx";
import { messageOf } from "../outcome.ts";
import { useSession } from "../session.tsx";
import { Setting } from "../setting.tsx";
import { PageList } from "../ui.tsx";
import { PostList } from "./feeds.tsx";

const ALL = { first: 50 };

/** The topics that the signed-in person follows, and their posts. */
export function Topics() {
  const { person } = useSession();
  return (
    <>
      <Heading title="Topics" />
      {person && (
        <>
          <InHome />
          <Followed />
          <h2>Posts</h2>
          <PostList feed={{ kind: "followedTopics" }} label="Posts of your topics" empty="Follow a topic to see its posts here." />
        </>
      )}
    </>
  );
}

function InHome() {
  const [{ data }] = useRead({ query: FollowedTopicsDocument, variables: ALL });
  const [, set] = useWrite(SetTopicsInHomeDocument);
  return <Setting label="Show some of their posts in Home" isOn={data?.viewer?.topicsInHome} set={(enabled) => set({ enabled })} />;
}

function Followed() {
  const topics = usePages(FollowedTopicsDocument, ALL, ({ viewer }) => viewer?.followedTopics);
  return (
    <PageList pages={topics} label="Followed topics" empty="You follow no topics.">
      {(topic) => (
        <div className="card note">
          <span className="text"><Link to={`/topics/${topic.name}`}>#{topic.name}</Link></span>
          <FollowTopic topic={topic} />
        </div>
      )}
    </PageList>
  );
}

/** A button that follows or unfollows a topic. It can be used while it is unknown whether the person follows the topic. */
export function FollowTopic({ topic }: { topic: TopicSummaryFragment }) {
  const { person } = useSession();
  const [, follow] = useWrite(FollowTopicDocument);
  const [, unfollow] = useWrite(UnfollowTopicDocument);
  const [problem, setProblem] = useState<string | null>(null);
  if (!person) return null;
  const change = async () => setProblem(messageOf(await (topic.viewerFollows ? unfollow : follow)({ topicId: topic.id })));
  return (
    <p className="actions">
      <button type="button" aria-label={`Follow #${topic.name}`} aria-pressed={topic.viewerFollows ?? "mixed"} onClick={change}>Follow</button>
      {problem && <span role="alert" className="problem">{problem}</span>}
    </p>
  );
}
