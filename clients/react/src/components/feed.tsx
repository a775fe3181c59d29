import { type FeedName, useFeed, useLiveCounts } from "../hooks/index.js";
import { useText } from "../text.js";
import { PageList } from "./parts.js";
import { Post } from "./post.js";

export interface FeedProps {
  /** Which posts: those of home, of the square, of a topic, of a user, or what a search finds. */
  feed: FeedName;
  /** The number of posts on a page. */
  first?: number;
  /** Whether counts arrive while the list is shown. This opens a WebSocket. */
  live?: boolean;
}

/** A list of posts, page by page. */
export function Feed({ feed, first, live = false }: FeedProps) {
  const { say } = useText();
  const pages = useFeed(feed, first);
  useLiveCounts(live ? (pages.items ?? []).map(({ id }) => id) : []);
  return (
    <section className="plaudit" aria-label={say("posts")}>
      <PageList pages={pages} label={say("posts")} empty={say("no-posts")}>{(post) => <Post post={post} />}</PageList>
    </section>
  );
}
