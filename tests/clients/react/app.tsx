// The types of the installed package, as an application uses them.
import { Comments, Feed, FollowButton, LikeButton, PlauditProvider, type Problem, useComments } from "@plaudit/react";
import { useLike } from "@plaudit/react/hooks";

export function App() {
  const like = useLike("video:v1");
  const comments = useComments("video:v1", { sort: "NEWEST" });
  const problem: Problem | null = like.problem;
  const count: number | undefined = comments.count;
  return (
    <PlauditProvider api="https://api.example/graphql" token={(expired) => (expired ? null : "token")}>
      <p>{problem?.code} {count}</p>
      <LikeButton target="video:v1" />
      <FollowButton user="bob" />
      <Comments subject="video:v1" sort="OLDEST" live />
      <Feed feed={{ kind: "topic", name: "tea" }} />
      {/* @ts-expect-error a target is needed */}
      <LikeButton />
    </PlauditProvider>
  );
}
