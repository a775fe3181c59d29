"""What everything with an id has in common."""

from typing import Any

import strawberry


@strawberry.interface(description="Anything with a globally unique id.")
class Node:
    @strawberry.field(description="Opaque; for `node`, caches, and mutations.")
    def id(self: Any) -> strawberry.ID:
        return strawberry.ID(str(self.global_id))
