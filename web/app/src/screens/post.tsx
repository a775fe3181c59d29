import { type CommentSort, PostDocument } from "@plaudit/client";
import { useComments, useLiveCounts, useRead } from "@plaudit/client/react";
import { useState } from "react";
import { useParams } from "react-router";
import { CommentSection } from "../comments.tsx";
import { Heading } from "../heading.tsx";
import { say } from "../language.tsx";
import { PostCard } from "../posts.tsx";
import { Missing, Notice, Skeleton } from "../ui.tsx";

export function Post() {
  const { id = "" } = useParams();
  const [{ data, error, fetching }, read] = useRead({ query: PostDocument, variables: { id } });
  const [sort, setSort] = useState<CommentSort>("HOT");
  const comments = useComments(id, sort); // at once, not after the post
  const post = data?.node?.__typename === "Post" ? data.node : null;
  useLiveCounts(post ? [id] : []);
  return (
    <>
      <Heading hidden title={post?.author ? say("post-of", { name: post.author.displayName }) : say("post")} />
      {!post && error && <Notice action={() => read({ requestPolicy: "network-only" })}>{say("post-not-loaded")}</Notice>}
      {!post && !error && (fetching ? <Skeleton /> : <Missing>{say("post-missing")}</Missing>)}
      {post && <PostCard post={post} />}
      {post && <CommentSection comments={comments} count={post.rootCommentCount} sort={sort} onSort={setSort} canComment={post.viewerCanComment !== false && !post.commentsClosed} />}
    </>
  );
}
