"""The interfaces of the schema: Node, Reactable, Commentable."""

from datetime import datetime

import strawberry

import resolvers.comment_lists as resolve_lists
import resolvers.comments as resolve_comments
import resolvers.likes as resolve_likes
from resolvers.comment_lists import CommentSort
from resolvers.pages import check_first
from schema import forward
from schema.connections import Connection, Edge
from schema.fields import PAGE, batched, counted, listed
from schema.scalars import Count, Reaction

strawberry.enum(CommentSort, description="What comments are ordered by.")


@strawberry.interface(description="Anything with a globally unique id.")
class Node:
    global_id: strawberry.ID = strawberry.field(name="id", description="Opaque; for `node`, caches, and mutations.")


@strawberry.interface(
    description="Something people like and dislike. Of a deleted comment, all fields about reactions are null."
)
class Reactable(Node):
    like_count: Count | None = counted("likes", "How many users like it.", resolve_likes.reacted)
    dislike_count: Count | None = counted("dislikes", "How many users dislike it.", resolve_likes.reacted)
    viewer_reaction: Reaction | None = batched(
        lambda loaders: loaders.reactions,
        key=resolve_likes.reacted,
        value=lambda reaction: Reaction(reaction) if reaction else None,
        description="The viewer's own reaction; null for none, or when nobody is signed in.",
        personal=True,
    )

    liked_by_followed: list[forward.User] | None = batched(
        lambda loaders: loaders.liked_by_followed,
        key=lambda row, first: (ref := resolve_likes.reacted(row)) and (ref, check_first(first)),
        description="Among its newest likers those whom the viewer follows; null when nobody is signed in.",
        personal=True,
        first=(int, 3),
    )

    likers: forward.UserConnection | None = listed(
        resolve_likes.likers, description="Who likes it, newest first.", **PAGE
    )


@strawberry.type(description="Something in a list of what a user likes.")
class ReactableEdge(Edge[Reactable]):
    created_at: datetime = strawberry.field(
        description="The time of the like or follow that added this item to the list."
    )


@strawberry.type(description="A page of things people react to.")
class ReactableConnection(Connection[Reactable, ReactableEdge]):
    pass


@strawberry.interface(description="Something people view, share, and talk about.")
class Commentable(Node):
    view_count: Count | None = counted("views", "Views, each viewer or device once an hour.")
    share_count: Count | None = counted("shares", "Shares.")
    comment_count: Count | None = counted("comments", "How many comments everybody may see, replies included.")
    root_comment_count: Count | None = counted("root_comments", "The same without replies.")
    comments_closed: bool = listed(resolve_comments.closed, description="Whether new comments are refused.")
    comments: forward.CommentConnection | None = listed(
        resolve_lists.of_subjects,
        description="Its root comments; the viewer's own also where nobody else sees them.",
        sort=(CommentSort, CommentSort.HOT),
        **PAGE,
    )
