"""Connections, as Relay defines them."""

from datetime import datetime

import strawberry

from schema.likes import Reactable
from schema.users import User


@strawberry.type(description="Where a page lies in its list. Lists are paged forward.")
class PageInfo:
    has_next_page: bool
    has_previous_page: bool
    start_cursor: str | None
    end_cursor: str | None


@strawberry.type(description="A user in a list.")
class UserEdge:
    cursor: str
    node: User
    created_at: datetime = strawberry.field(description="When they followed or liked.")


@strawberry.type(description="A page of users.")
class UserConnection:
    edges: list[UserEdge]
    nodes: list[User]
    page_info: PageInfo


@strawberry.type(description="Something in a list of what a user likes.")
class ReactableEdge:
    cursor: str
    node: Reactable
    created_at: datetime = strawberry.field(description="When the user liked it.")


@strawberry.type(description="A page of things people react to.")
class ReactableConnection:
    edges: list[ReactableEdge]
    nodes: list[Reactable]
    page_info: PageInfo
