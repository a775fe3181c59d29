"""The fields of Viewer that list blocked and muted users."""

from datetime import datetime
from typing import Any

import strawberry

import resolvers.boundaries as resolve
from schema.access import Rule, access
from schema.connections import Connection, Edge
from schema.fields import PAGE, listed
from schema.users import User, UserConnection


@strawberry.type(description="A user that the viewer (the signed-in user) mutes.")
class MuteEdge(Edge[User]):
    @strawberry.field(description="The time when the mute ends. Null if it has no end.")
    def until(self: Any) -> datetime | None:
        return resolve.end_of(self)


@strawberry.type(description="A page of the users that the viewer (the signed-in user) mutes.")
class MuteConnection(Connection[User, MuteEdge]):
    pass


@strawberry.type
class Fields:
    blocks: UserConnection | None = listed(
        resolve.blocks,
        description="The users that the viewer (the signed-in user) blocks, newest block first. Null if the value is "
        "temporarily unavailable.",
        metadata=access(Rule.ACCOUNT),
        **PAGE,
    )
    mutes: MuteConnection | None = listed(
        resolve.mutes,
        description="The users that the viewer (the signed-in user) mutes now, the latest end first. Mutes without an "
        "end come before all others. Users who block the viewer are left out. Null if the value is temporarily "
        "unavailable.",
        metadata=access(Rule.ACCOUNT),
        **PAGE,
    )
