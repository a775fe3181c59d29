"""The interfaces of the schema: Node, Reactable, Commentable."""

from datetime import datetime
from inspect import Parameter
from typing import Annotated

import strawberry

import resolvers.comment_lists as resolve_lists
import resolvers.comments as resolve_comments
import resolvers.likes as resolve_likes
from resolvers.comment_lists import CommentSort
from resolvers.pages import check_first
from schema import forward
from schema.connections import Connection, Edge
from schema.enums import describe_enum
from schema.fields import PAGE, First, batched, counted, listed
from schema.scalars import Count, Reaction

describe_enum(
    CommentSort,
    "The order of a list of root comments.",
    HOT="Sorts by votes, replies and age: comments with many likes and replies for their age come first.",
    NEWEST="Sorts by time of writing, newest first.",
    OLDEST="Sorts by time of writing, oldest first.",
)


@strawberry.interface(description="An object with a globally unique id.")
class Node:
    global_id: strawberry.ID = strawberry.field(
        name="id",
        description="The globally unique, opaque id of this object. Use it in `node` and in mutations, and as a key "
        "in client caches.",
    )


@strawberry.interface(description="An object that users can like or dislike: a post, a comment or an entity.")
class Reactable(Node):
    like_count: Count | None = counted(
        "likes",
        "The number of users who like this object. Null if temporarily unavailable, and on deleted comments.",
        resolve_likes.reacted,
    )
    dislike_count: Count | None = counted(
        "dislikes",
        "The number of users who dislike this object. Null if temporarily unavailable, and on deleted comments.",
        resolve_likes.reacted,
    )
    viewer_reaction: Reaction | None = batched(
        lambda loaders: loaders.reactions,
        key=resolve_likes.reacted,
        value=lambda reaction: Reaction(reaction) if reaction else None,
        description="The viewer's own reaction to this object. Null if the viewer has not reacted, if no user is "
        "signed in, and on deleted comments. Also null if `extensions.degraded` lists this field; with the reason "
        "`NOT_LOOKED_UP`, read the object by `node` to get it.",
        personal=True,
    )

    liked_by_followed: list[forward.User] | None = batched(
        lambda loaders: loaders.liked_by_followed,
        key=lambda row, first: (ref := resolve_likes.reacted(row)) and (ref, check_first(first)),
        description="Users who like this object and are followed by the viewer, newest like first. Only the most "
        "recent likes are searched (by default 200), so a followed user who liked the object earlier is missing. Null "
        "if no user is signed in, if temporarily unavailable, and on deleted comments.",
        personal=True,
        first=(First, 3),
    )

    likers: forward.UserConnection | None = listed(
        resolve_likes.likers,
        description="The users who like this object, newest like first. Null if temporarily unavailable, and on "
        "deleted comments.",
        **PAGE,
    )


@strawberry.type(description="An object in the list of a user's likes.")
class ReactableEdge(Edge[Reactable]):
    created_at: datetime = strawberry.field(description="The time when the user liked this object.")


@strawberry.type(description="A page of objects that a user likes.")
class ReactableConnection(Connection[Reactable, ReactableEdge]):
    pass


@strawberry.interface(description="An object that users can comment on, view and share: a post or an entity.")
class Commentable(Node):
    view_count: Count | None = counted(
        "views",
        "The number of views of this object. Views by one user or device within the same hour count once. "
        "Null if temporarily unavailable.",
    )
    share_count: Count | None = counted(
        "shares", "The number of shares of this object. Null if temporarily unavailable."
    )
    action_count: Count | None = batched(
        lambda loaders: loaders.action_counts,
        key=lambda row, action: (row.ref, action),
        description="The value of a counter that the operator has defined for this kind of content, such as `plays`. "
        "Null if there is no such counter, or if temporarily unavailable.",
        action=(Annotated[str, strawberry.argument(description="The name of the counter.")], Parameter.empty),
    )
    comment_count: Count | None = counted(
        "comments",
        "The number of approved comments on this object, including replies. Null if temporarily unavailable.",
    )
    root_comment_count: Count | None = counted(
        "root_comments",
        "The number of approved comments on this object, without replies. Null if temporarily unavailable.",
    )
    comments_closed: bool = listed(resolve_comments.closed, description="Whether this object refuses new comments.")
    comments: forward.CommentConnection | None = listed(
        resolve_lists.of_subjects,
        description="The root comments on this object. The viewer also gets their own comments that are not approved "
        "(the newest 64). Deleted comments that have replies are placeholders. Cursors of the order `HOT` expire about "
        "20 minutes after their most recent use, or earlier; on `BAD_CURSOR` start again at page one. Null if "
        "temporarily unavailable.",
        sort=(
            Annotated[CommentSort, strawberry.argument(description="The order of the comments.")],
            CommentSort.HOT,
        ),
        **PAGE,
    )
