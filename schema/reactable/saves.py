"""The fields of Reactable about saves."""

import strawberry

from models.saves import NOT_SAVED, SAVE
from schema.access import Rule, access
from schema.fields import REACTIONS_REF, batched, counted
from schema.scalars import Count


@strawberry.type
class Fields:
    save_count: Count | None = counted(
        "saves",
        "The number of users who have saved this object. Null on a deleted comment, or if the value is temporarily "
        "unavailable (then listed in `extensions.degraded`).",
        REACTIONS_REF,
    )
    viewer_saved: bool | None = batched(
        lambda context: context.own.states(SAVE),
        key=REACTIONS_REF,
        value=lambda state: None if state is None else state != NOT_SAVED,
        description="Whether the viewer (the signed-in user) has saved this object. Null if no user is signed in, and "
        "on a deleted comment. If `extensions.degraded` lists this field, null means that the value is unknown, as for "
        "`viewerReaction`. Null with the error `FORBIDDEN` if the token is restricted to other kinds of content.",
        metadata=access(Rule.TARGET, personal=True),
    )
