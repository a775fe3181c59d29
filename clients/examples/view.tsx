import type { PostCardFragment } from "@plaudit/client/operations";
import type { ReactNode } from "react";

/** A post with a like button. A count that could not be read is a dash, never 0. */
export function PostView({ post, isOn, problem, onToggle }: {
  post: PostCardFragment;
  isOn: boolean | undefined;
  problem: string | null | undefined;
  onToggle: () => void;
}) {
  return (
    <article>
      <b>{post.author?.displayName ?? "Unknown user"}</b>
      <p>{post.text}</p>
      <button type="button" aria-pressed={isOn ?? "mixed"} onClick={onToggle}>Like {post.likeCount ?? "–"}</button>
      {problem && <span role="alert">{problem}</span>}
    </article>
  );
}

/** A list of posts. `posts` is undefined while the list is not known: that is not an empty list. */
export function FeedView({ posts, isLoading, onMore, onRetry, children }: {
  posts: PostCardFragment[] | undefined;
  isLoading: boolean;
  onMore: (() => void) | undefined;
  onRetry: () => void;
  children: (post: PostCardFragment) => ReactNode;
}) {
  if (!posts && isLoading) return <p>Loading…</p>;
  if (!posts) return <p role="alert">The posts cannot be read now. <button type="button" onClick={onRetry}>Try again</button></p>;
  return (
    <>
      {posts.length === 0 && <p>There are no posts yet.</p>}
      <ol>{posts.map((post) => <li key={post.id}>{children(post)}</li>)}</ol>
      {onMore && <button type="button" onClick={onMore}>Show more</button>}
    </>
  );
}

/** What has happened while the page is open, newest last. */
export function NotificationsView({ messages, unread }: { messages: string[]; unread: number | null | undefined }) {
  return (
    <section aria-label="Notifications">
      <p>{unread ?? "–"} unread</p>
      <ul aria-live="polite">{messages.map((message, number) => <li key={number}>{message}</li>)}</ul>
    </section>
  );
}
