import { type Feed, type FeedName, useFeed, useLiveCounts, useNewInHome } from "@plaudit/client/react";
import { HomePostAddedDocument, type HomePostAddedSubscription, TopicFeedDocument } from "@plaudit/client";
import { type ReactNode, useState } from "react";
import { Link, useParams } from "react-router";
import { useQuery, useSubscription } from "urql";
import { FollowTopic } from "../follow.tsx";
import { Heading } from "../heading.tsx";
import { say } from "../language.tsx";
import { PostCard } from "../posts.tsx";
import { Publish } from "../publish.tsx";
import { useSession } from "../session.tsx";
import { Count, NewItems, Nothing, PageList } from "../ui.tsx";

export function PostList({ feed, ...texts }: { feed: FeedName; label: string; empty: ReactNode }) {
  return <Posts pages={useFeed(feed)} {...texts} />;
}

export function Posts({ pages, label, empty }: { pages: Feed; label: string; empty: ReactNode }) {
  const posts = pages.items?.filter((post) => post !== null) ?? [];
  const undecided = posts.filter(({ auditStatus }) => auditStatus !== "APPROVED"); // of the viewer
  useLiveCounts([...new Set([...undecided, ...posts.slice(-40)].map(({ id }) => id))]);
  const edges = new Map(pages.edges?.map((edge) => [edge.node?.id, edge]));
  return <PageList pages={pages} label={label} empty={empty}>{(post) => <PostCard post={post} edge={edges.get(post.id)} />}</PageList>;
}

export function Home() {
  const { person } = useSession();
  if (!person) return <Square />;
  return (
    <>
      <div className="title"><Heading title={say("home")} /><Link to="/topics">{say("your-topics")}</Link></div>
      <Publish />
      <HomePosts />
    </>
  );
}

/**
 * The home timeline. New posts wait behind a button, so that the list does not move while somebody reads. One's own posts
 * are in the list before they are announced. Posts that are announced count at once; the others, such as those that came
 * while there was no connection, when the API is asked for their number.
 */
function HomePosts() {
  const pages = useFeed({ kind: "home" });
  const [waiting, setWaiting] = useState<Set<string>>(new Set());
  useSubscription({ query: HomePostAddedDocument }, (_, { homePostAdded }: HomePostAddedSubscription) => {
    setWaiting((ids) => new Set(ids).add(homePostAdded.node.id));
    return { homePostAdded };
  });
  const { count } = useNewInHome(pages.startCursor);
  const listed = new Set(pages.items?.map((post) => post?.id));
  const show = () => {
    setWaiting(new Set());
    pages.refresh();
    scrollTo(0, 0);
    document.querySelector("h1")?.focus({ preventScroll: true }); // the button, which had the focus, goes
  };
  return (
    <>
      <NewItems count={Math.max(count, [...waiting].filter((id) => !listed.has(id)).length)} of="posts" onShow={show} />
      <Posts pages={pages} label={say("home")} empty={<HomeEmpty />} />
    </>
  );
}

function HomeEmpty() {
  return (
    <Nothing icon="home" text={say("home-empty")}>
      <Link className="button primary" to="/search">{say("find-people")}</Link>
      <Link className="button" to="/square">{say("see-square")}</Link>
    </Nothing>
  );
}

type Sort = "LATEST" | "HOT";

function Sorts({ sort, onChange }: { sort: Sort; onChange: (sort: Sort) => void }) {
  return (
    <div className="tabs" role="group" aria-label={say("order")}>
      <button type="button" aria-pressed={sort === "LATEST"} onClick={() => onChange("LATEST")}>{say("newest")}</button>
      <button type="button" aria-pressed={sort === "HOT"} onClick={() => onChange("HOT")}>{say("hot")}</button>
    </div>
  );
}

export function Square() {
  const [sort, setSort] = useState<Sort>("LATEST");
  return (
    <>
      <Heading title={say("square")} />
      <Sorts sort={sort} onChange={setSort} />
      <PostList feed={{ kind: "square", sort }} label={say("all-posts")} empty={<Nothing icon="pen" text={say("no-posts-yet")} />} />
    </>
  );
}

export function Topic() {
  const { name = "" } = useParams();
  const [sort, setSort] = useState<Sort>("LATEST");
  const [{ data }] = useQuery({ query: TopicFeedDocument, variables: { name, sort, first: 20, after: null } });
  return (
    <>
      <div className="title"><Heading title={`#${name}`} />{data?.topic && <FollowTopic topic={data.topic} />}</div>
      {data?.topic && (
        <p className="handle">
          <Count value={data.topic.postCount} of="posts" named /> · <Count value={data.topic.followerCount} of="followers" named />
        </p>
      )}
      <Sorts sort={sort} onChange={setSort} />
      <PostList feed={{ kind: "topic", name, sort }} label={say("posts-about", { topic: name })} empty={<Nothing icon="pen" text={say("topic-empty")}><Link className="button" to="/square">{say("see-square")}</Link></Nothing>} />
    </>
  );
}
