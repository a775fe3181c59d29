"""bookmark and unbookmark: each checks its input and appends one change to the write log."""

import orjson

from commands import targets
from commands.own_sets import OwnChange, append_counted
from commands.targets import ReactableRow
from commands.write import Write
from context import Context
from models.bookmarks import BOOKMARK
from models.own_sets import Transition


async def bookmark(
    context: Context, target_id: str, idempotency_key: str | None, *, stands: bool
) -> ReactableRow | None:
    """Bookmarks an object for the viewer, or removes the bookmark, exactly once. Returns the object, or None if it is
    deleted or hidden and the bookmark is removed.

    Raises Unauthenticated, BadInput, Forbidden, Unavailable; Refused with TARGET_NOT_FOUND, TARGET_DELETED, BLOCKED,
    SUSPENDED or IDEMPOTENCY_MISMATCH.
    """
    verb = BOOKMARK if stands else f"un{BOOKMARK}"
    async with Write(context, verb, idempotency_key, target_id, unless_suspended=stands) as write:
        if stands:
            row: ReactableRow | None = await targets.reactable(context, target_id, "targetId")
            await targets.check_owner(context, row, "targetId")
            ref = row.ref
        else:
            ref, row = await targets.kept(context, target_id, "targetId")
        entry = orjson.dumps({"actor": write.actor_id, "business": ref.business_id, "entity": ref.entity_id})
        await append_counted(context, write, OwnChange(Transition(BOOKMARK, ref, int(stands), entry, blind=True)))
    return row
