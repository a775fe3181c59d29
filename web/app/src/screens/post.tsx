import { type CommentSort, PostDocument } from "@plaudit/client";
import { useComments, useLiveCounts, useRead } from "@plaudit/client/react";
import { useState } from "react";
import { useParams } from "react-router";
import { CommentSection } from "../comments.tsx";
import { Heading } from "../heading.tsx";
import { PostCard } from "../posts.tsx";
import { Missing, Notice } from "../ui.tsx";

export function Post() {
  const { id = "" } = useParams();
  const [{ data, error, fetching }, read] = useRead({ query: PostDocument, variables: { id } });
  const [sort, setSort] = useState<CommentSort>("HOT");
  const comments = useComments(id, sort); // at once, not after the post
  const post = data?.node?.__typename === "Post" ? data.node : null;
  useLiveCounts(post ? [id] : []);
  return (
    <>
      <Heading hidden title={post?.author ? `Post of ${post.author.displayName}` : "Post"} />
      {!post && error && <Notice action={() => read({ requestPolicy: "network-only" })}>This post could not be loaded.</Notice>}
      {!post && !error && (fetching ? <p className="empty">Loading…</p> : <Missing>This post does not exist, or you may not see it.</Missing>)}
      {post && <PostCard post={post} />}
      {post && <CommentSection comments={comments} count={post.rootCommentCount} sort={sort} onSort={setSort} canComment={post.viewerCanComment !== false && !post.commentsClosed} />}
    </>
  );
}
