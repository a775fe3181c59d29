"""What everything with an id has in common."""

import strawberry


@strawberry.interface(description="Anything with a globally unique id.")
class Node:
    global_id: strawberry.ID = strawberry.field(name="id", description="Opaque; for `node`, caches, and mutations.")
