"""The generic types of paged lists, as Relay defines them: a connection is one page, an edge is one item of it."""

from typing import Generic, TypeVar

import strawberry

NodeT = TypeVar("NodeT")
EdgeT = TypeVar("EdgeT")


@strawberry.type(
    description="The position of a page in its list, and whether the list has more items on either side. Lists with "
    "the arguments `last` and `before` can be read in both directions, all others forward only."
)
class PageInfo:
    has_next_page: bool = strawberry.field(
        description="Whether the list has more items after this page. Always true for a page that was requested with "
        "`before`."
    )
    has_previous_page: bool = strawberry.field(
        description="Whether the list has more items before this page. Always true for a page that was requested with "
        "`after`."
    )
    start_cursor: str | None = strawberry.field(
        description="The cursor of the first item of this page. Pass it as `before` to read the page before, if the "
        "list has this argument. Null if the page is empty."
    )
    end_cursor: str | None = strawberry.field(
        description="The cursor of the last item of this page. Pass it as `after` to read the next page. Null if the "
        "page is empty."
    )


@strawberry.type
class Edge(Generic[NodeT]):
    cursor: str = strawberry.field(
        description="The position of this item in its list. Pass it to the same list as `after` to read the items "
        "that follow."
    )
    node: NodeT = strawberry.field(description="The item of the list.")


@strawberry.type
class Connection(Generic[NodeT, EdgeT]):
    edges: list[EdgeT] = strawberry.field(
        description="The items of this page in the order of the list, each with its cursor."
    )
    nodes: list[NodeT] = strawberry.field(
        description="The items of this page in the order of the list, without cursors."
    )
    page_info: PageInfo = strawberry.field(
        description="The position of this page in the list, with the cursor for the next page."
    )
