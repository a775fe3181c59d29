"""Publishes, changes and deletes the posts that announce entities, as the rows of announcements say.

Appends the changes to the journals of the owners, so these posts get into timelines, and leave them, as all posts do. A
change is appended twice if a worker dies before it stores that the change is done. The second one changes nothing.
"""

from collections.abc import Callable
from typing import Any

import orjson

from domain.digests import digest
from models.entities import EntityRow
from models.patches import ANNOUNCE, POST
from models.posts import PostRow
from state import State
from store.content import announcements, posts
from store.content.announcements import Due
from store.write_log.operations import Operation, Status

_AT_ONCE = 50
"""The most announcements in one step, so that the posts of users do not wait behind a bulk registration."""
_REMEMBERED_MS = 10_000
"""Milliseconds in which the same change is not appended again."""


async def announce(state: State, is_leader: Callable[[], bool]) -> int:
    """Processes up to 50 announcements that are due. Returns their number. Does nothing and returns 0 unless
    `is_leader` returns true, and while Redis is down.
    """
    if not is_leader() or state.redis.is_unavailable:
        return 0
    due = await announcements.due(state.postgres, state.now_ms(), _AT_ONCE)
    if not due:
        return 0
    entities = await state.entities.by_id([one.entity for one in due])
    before = await posts.by_id(state.postgres, [one.post_id for one in due])
    done = [one for one in due if await _appended(state, one, entities.get(one.entity), before.get(one.post_id))]
    if done:
        async with state.postgres.transaction() as transaction:
            await announcements.done(transaction, done)
    return len(done)


async def _appended(state: State, due: Due, entity: EntityRow | None, before: PostRow | None) -> bool:
    """Appends the change that an announcement needs to the owner's journal. `before` is the post; None if it is not
    published yet. Returns whether that is done; false if the journal is full.
    """
    change: dict[str, Any] = dict.fromkeys(("text", "images", "topics", "custom"))
    change["left"] = before.topic_names if before else ()
    if due.withdrawn:
        op = "delete"
        change |= {"text": "", "topics": ()}  # the title of an erased entity must not stay
    elif entity and entity.title:
        op = ANNOUNCE
        change |= {"text": entity.title, "topics": entity.topic_names, "about": [*due.entity]}
        change["labels"] = entity.all_labels
    else:
        return True  # the last title stays
    entry = orjson.dumps({"actor": due.author_id, "post": due.post_id, "op": op, **change})
    name = digest("announcement", f"{due.post_id} {due.wanted} {due.changes}")
    outcome = await state.patches.append(due.author_id, POST, Operation(name, "", _REMEMBERED_MS), entry)
    return outcome.status in (Status.DONE, Status.REPLAY)
