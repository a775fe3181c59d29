"""Pages of lists, as Relay defines them: one generic connection and one generic edge."""

from typing import Generic, TypeVar

import strawberry

NodeT = TypeVar("NodeT")
EdgeT = TypeVar("EdgeT")


@strawberry.type(description="Where a page lies in its list. Lists are paged forward.")
class PageInfo:
    has_next_page: bool = strawberry.field(description="Whether something follows this page.")
    has_previous_page: bool = strawberry.field(description="Whether this page was asked for with a cursor.")
    start_cursor: str | None = strawberry.field(description="Where it begins; null when it is empty.")
    end_cursor: str | None = strawberry.field(description="Where it ends: `after` of the next page. Null when empty.")


@strawberry.type
class Edge(Generic[NodeT]):
    cursor: str = strawberry.field(
        description="The position of this item in the list. Pass it as `after` to read the items that follow."
    )
    node: NodeT = strawberry.field(description="The item.")


@strawberry.type
class Connection(Generic[NodeT, EdgeT]):
    edges: list[EdgeT] = strawberry.field(description="The items of this page, with their cursors.")
    nodes: list[NodeT] = strawberry.field(description="The items of this page, without cursors.")
    page_info: PageInfo = strawberry.field(description="The position of this page in the list.")
