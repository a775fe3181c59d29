"""Connections, as Relay defines them."""

from datetime import datetime

import strawberry

from schema.comments import Comment
from schema.likes import Reactable
from schema.nodes import Node
from schema.notifications import Notification
from schema.posts import Post
from schema.users import User


@strawberry.type(description="Where a page lies in its list. Lists are paged forward.")
class PageInfo:
    has_next_page: bool = strawberry.field(description="Whether something follows this page.")
    has_previous_page: bool = strawberry.field(description="Whether this page was asked for with a cursor.")
    start_cursor: str | None = strawberry.field(description="Where it begins; null when it is empty.")
    end_cursor: str | None = strawberry.field(description="Where it ends: `after` of the next page. Null when empty.")


@strawberry.type(description="A user in a list.")
class UserEdge:
    cursor: str = strawberry.field(
        description="The position of this item in the list. Pass it as `after` to read the items that follow."
    )
    node: User = strawberry.field(description="The item.")
    created_at: datetime = strawberry.field(
        description="The time of the like or follow that added this item to the list."
    )


@strawberry.type(description="A page of users.")
class UserConnection:
    edges: list[UserEdge] = strawberry.field(description="The items of this page, with their cursors.")
    nodes: list[User] = strawberry.field(description="The items of this page, without cursors.")
    page_info: PageInfo = strawberry.field(description="The position of this page in the list.")


@strawberry.type(description="Something in a list of what a user likes.")
class ReactableEdge:
    cursor: str = strawberry.field(
        description="The position of this item in the list. Pass it as `after` to read the items that follow."
    )
    node: Reactable = strawberry.field(description="The item.")
    created_at: datetime = strawberry.field(
        description="The time of the like or follow that added this item to the list."
    )


@strawberry.type(description="A page of things people react to.")
class ReactableConnection:
    edges: list[ReactableEdge] = strawberry.field(description="The items of this page, with their cursors.")
    nodes: list[Reactable] = strawberry.field(description="The items of this page, without cursors.")
    page_info: PageInfo = strawberry.field(description="The position of this page in the list.")


@strawberry.type(description="A post in a list.")
class PostEdge:
    cursor: str = strawberry.field(
        description="The position of this item in the list. Pass it as `after` to read the items that follow."
    )
    node: Post = strawberry.field(description="The item.")
    reason: str | None = strawberry.field(description="Why it is here, in words; null in lists that are not ranked.")


@strawberry.type(description="A page of posts.")
class PostConnection:
    edges: list[PostEdge] = strawberry.field(description="The items of this page, with their cursors.")
    nodes: list[Post] = strawberry.field(description="The items of this page, without cursors.")
    page_info: PageInfo = strawberry.field(description="The position of this page in the list.")


@strawberry.type(description="A notification in the list.")
class NotificationEdge:
    cursor: str = strawberry.field(
        description="The position of this item in the list. Pass it as `after` to read the items that follow."
    )
    node: Notification = strawberry.field(description="The item.")


@strawberry.type(description="A page of notifications.")
class NotificationConnection:
    edges: list[NotificationEdge] = strawberry.field(description="The items of this page, with their cursors.")
    nodes: list[Notification] = strawberry.field(description="The items of this page, without cursors.")
    page_info: PageInfo = strawberry.field(description="The position of this page in the list.")


@strawberry.type(description="A comment in a list.")
class CommentEdge:
    cursor: str = strawberry.field(
        description="The position of this item in the list. Pass it as `after` to read the items that follow."
    )
    node: Comment = strawberry.field(description="The item.")


@strawberry.type(description="A page of comments.")
class CommentConnection:
    edges: list[CommentEdge] = strawberry.field(description="The items of this page, with their cursors.")
    nodes: list[Comment] = strawberry.field(description="The items of this page, without cursors.")
    page_info: PageInfo = strawberry.field(description="The position of this page in the list.")


@strawberry.type(description="Something that waits for a moderator.")
class ModerationEdge:
    cursor: str = strawberry.field(
        description="The position of this item in the list. Pass it as `after` to read the items that follow."
    )
    node: Node = strawberry.field(description="The item.")
    reason: str | None = strawberry.field(description="Why it was not approved at once.")


@strawberry.type(description="A page of what waits for a moderator.")
class ModerationConnection:
    edges: list[ModerationEdge] = strawberry.field(description="The items of this page, with their cursors.")
    nodes: list[Node] = strawberry.field(description="The items of this page, without cursors.")
    page_info: PageInfo = strawberry.field(description="The position of this page in the list.")
