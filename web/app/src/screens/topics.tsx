import { FollowedTopicsDocument, SetTopicsInHomeDocument } from "@plaudit/client";
import { usePages, useRead, useWrite } from "@plaudit/client/react";
import { Link } from "react-router";
import { FollowTopic } from "../follow.tsx";
import { Heading } from "../heading.tsx";
import { say } from "../language.tsx";
import { useSession } from "../session.tsx";
import { Setting } from "../setting.tsx";
import { Nothing, PageList } from "../ui.tsx";
import { PostList } from "./feeds.tsx";

const ALL = { first: 50 };

/** The topics that the signed-in person follows, and their posts. */
export function Topics() {
  const { person } = useSession();
  return (
    <>
      <Heading title={say("topics")} />
      {person && (
        <>
          <InHome />
          <Followed />
          <h2>{say("posts")}</h2>
          <PostList feed={{ kind: "followedTopics" }} label={say("posts-of-topics")} empty={<Nothing icon="square" text={say("topics-empty")}><Link className="button primary" to="/search">{say("find-topics")}</Link></Nothing>} />
        </>
      )}
    </>
  );
}

function InHome() {
  const [{ data }] = useRead({ query: FollowedTopicsDocument, variables: ALL });
  const [, set] = useWrite(SetTopicsInHomeDocument);
  return <Setting label={say("topics-in-home")} isOn={data?.viewer?.topicsInHome} set={(enabled) => set({ enabled })} />;
}

function Followed() {
  const topics = usePages(FollowedTopicsDocument, ALL, ({ viewer }) => viewer?.followedTopics);
  return (
    <PageList pages={topics} label={say("followed-topics")} empty={<Nothing icon="search" text={say("follows-no-topics")} />}>
      {(topic) => (
        <div className="card note">
          <span className="text"><Link to={`/topics/${topic.name}`}><bdi>#{topic.name}</bdi></Link></span>
          <FollowTopic topic={topic} />
        </div>
      )}
    </PageList>
  );
}
