import { ApolloProvider, useMutation, useQuery, useSubscription } from "@apollo/client/react";
import { HomeDocument, LikeDocument, NotificationReceivedDocument, type PostCardFragment, UnlikeDocument } from "@plaudit/client/operations";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { signIn } from "../session.ts";
import { FeedView, NotificationsView, PostView } from "../view.tsx";
import { createClient } from "./client.ts";

function Post({ post }: { post: PostCardFragment }) {
  const isOn = post.viewerReaction === "LIKE";
  // A payload says that the change was acknowledged or refused, even if something else in the answer is an error.
  const [like, liking] = useMutation(LikeDocument, { errorPolicy: "all" });
  const [unlike, unliking] = useMutation(UnlikeDocument, { errorPolicy: "all" });
  const payload = isOn ? unliking.data?.unlike : liking.data?.like;
  const problem = payload ? payload.userErrors[0]?.message : (isOn ? unliking : liking).error?.message;
  const toggle = () =>
    (isOn ? unlike : like)({
      variables: { targetId: post.id, idempotencyKey: crypto.randomUUID() }, // a key for this change, which all attempts keep
      optimisticResponse: changed(post, !isOn),
    });
  return <PostView post={post} isOn={isOn} problem={problem} onToggle={toggle} />;
}

/** The answer that is expected to a like or unlike, to show at once. */
function changed({ __typename, id, likeCount, saveCount, viewerSaved }: PostCardFragment, isOn: boolean) {
  const count = typeof likeCount === "number" ? likeCount + (isOn ? 1 : -1) : likeCount;
  const target = { __typename, id, likeCount: count, saveCount, viewerSaved, viewerReaction: isOn ? ("LIKE" as const) : null };
  const payload = { __typename: "ReactPayload" as const, target, userErrors: [] };
  return { __typename: "Mutation" as const, like: payload, unlike: payload };
}

function Home() {
  const { data, loading, fetchMore, refetch } = useQuery(HomeDocument, { variables: { first: 20 }, fetchPolicy: "cache-and-network", errorPolicy: "all" });
  const home = data?.viewer?.home;
  const after = home?.pageInfo.hasNextPage ? home.pageInfo.endCursor : undefined;
  return (
    <FeedView
      posts={home?.edges.flatMap(({ node }) => node ?? [])}
      isLoading={loading}
      onMore={after ? () => fetchMore({ variables: { after } }) : undefined}
      onRetry={() => refetch()}
    >
      {(post) => <Post post={post} />}
    </FeedView>
  );
}

function Notifications() {
  const [messages, setMessages] = useState<string[]>([]);
  const { data } = useSubscription(NotificationReceivedDocument, {
    onData: ({ data: { data: event } }) => event && setMessages((known) => [...known, event.notificationReceived.edge.node.message]),
  });
  return <NotificationsView messages={messages} unread={data?.notificationReceived.viewer.unreadNotificationCount} />;
}

const client = createClient(new URL("/graphql", location.href).href, await signIn());
createRoot(document.getElementById("app")!).render(
  <ApolloProvider client={client}>
    <Notifications />
    <Home />
  </ApolloProvider>,
);
