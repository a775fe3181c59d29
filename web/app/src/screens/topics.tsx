import { FollowedTopicsDocument, SetTopicsInHomeDocument } from "@plaudit/client";
import { usePages, useRead, useWrite } from "@plaudit/client/react";
import { Link } from "react-router";
import { FollowTopic } from "../follow.tsx";
import { Heading } from "../heading.tsx";
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
