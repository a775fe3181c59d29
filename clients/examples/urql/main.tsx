import { createPlauditClient, NotificationReceivedDocument, type NotificationReceivedSubscription, type PostCardFragment } from "@plaudit/client";
import { PlauditProvider, useFeed, useLike } from "@plaudit/client/react";
import { createRoot } from "react-dom/client";
import { useSubscription } from "urql";
import { signIn } from "../session.ts";
import { FeedView, NotificationsView, PostView } from "../view.tsx";

// Keys, retries, missing data, ids instead of texts, and the WebSocket are in the client of the kit.
const token = await signIn();
const client = createPlauditClient({ url: new URL("/graphql", location.href).href, token: () => token, persisted: "only" });

function Post({ post }: { post: PostCardFragment }) {
  const { isOn, problem, toggle } = useLike(post);
  return <PostView post={post} isOn={isOn} problem={problem} onToggle={toggle} />;
}

function Home() {
  const { items, hasMore, isLoading, loadMore, refresh } = useFeed({ kind: "home" });
  return (
    <FeedView posts={items} isLoading={isLoading} onMore={hasMore ? loadMore : undefined} onRetry={refresh}>
      {(post) => <Post post={post} />}
    </FeedView>
  );
}

interface Seen {
  messages: string[];
  unread: number | null | undefined;
}

function Notifications() {
  const [{ data }] = useSubscription(
    { query: NotificationReceivedDocument },
    (seen: Seen | undefined, { notificationReceived: { edge, viewer } }: NotificationReceivedSubscription): Seen => ({
      messages: [...(seen?.messages ?? []), edge.node.message],
      unread: viewer.unreadNotificationCount,
    }),
  );
  return <NotificationsView messages={data?.messages ?? []} unread={data?.unread} />;
}

createRoot(document.getElementById("app")!).render(
  <PlauditProvider value={client}>
    <Notifications />
    <Home />
  </PlauditProvider>,
);
