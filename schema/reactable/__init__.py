"""The interface Reactable (what users can like: posts, comments and entities), and the types of paged lists of such
objects.

The modules of this package define the fields of Reactable, each in a class `Fields`. They do not import this module.
"""

from datetime import datetime

import strawberry

from schema.connections import Connection, Edge
from schema.interfaces import Node
from schema.parts import parts


@strawberry.interface(
    description="An object that users can like and dislike: a post, a comment or an entity (an object of another "
    "system, such as a video)."
)
class Reactable(Node, *parts(__name__, "Fields")):  # type: ignore[misc]
    pass


@strawberry.type(description="An object in a list of what a user has done, such as the list of the user's likes.")
class ReactableEdge(Edge[Reactable]):
    created_at: datetime = strawberry.field(
        description="The time when the user did it: in the list of likes, the time of the like."
    )


@strawberry.type(description="A page of a list of what a user has done.")
class ReactableConnection(Connection[Reactable, ReactableEdge]):
    pass
