"""`plaudit moderation-log`: exports the moderation log, and the changes of the word list."""

import sys
from collections import deque
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import orjson

from cli.progress import progress
from models.moderation import WordListChange
from models.moderation_log import LogRow
from settings import USERS, Settings
from state import State, opened
from store.moderation import log, word_lists


async def export(settings: Settings, since: datetime | None) -> None:
    """Prints the moderation log and the changes of the word list as JSON lines, oldest first, from the time `since` on
    (None: from the beginning). Shows the number of printed lines on standard error, unless the lines appear on a
    terminal.
    """
    since = since or datetime(1970, 1, 1, tzinfo=UTC)
    async with opened(settings, "moderation-log", makes_ids=False) as state:
        with progress("lines", hidden=sys.stdout.isatty()) as show:
            printed = 0
            async for line in _lines(state, since):
                print(orjson.dumps(line).decode())
                show(printed := printed + 1, None)


async def _lines(state: State, since: datetime) -> AsyncIterator[dict[str, object]]:
    changes = deque(one for one in await word_lists.changes(state.postgres) if one.changed_at >= since)
    async for row in log.export(state.postgres, int(since.timestamp() * 1000) << 10):
        while changes and changes[0].changed_at < row.created_at:
            yield _changed_words(changes.popleft())
        yield _plain(state, row)
    for change in changes:
        yield _changed_words(change)


def _changed_words(change: WordListChange) -> dict[str, object]:
    """Returns a change of the word list as a line of the output. The field `operator` names the operator, who is not a
    user of Plaudit.
    """
    return {
        "id": f"words:{change.revision}",
        "createdAt": change.changed_at.isoformat(),
        "action": "WORDS_CHANGED",
        "role": "OPERATOR",
        "actor": None,
        "operator": change.changed_by,
        "business": None,
        "target": None,
        "user": None,
        "before": {"revision": change.revision - 1},
        "after": {"revision": change.revision},
        "reason": change.reason,
        "ground": None,
    }


def _business(state: State, business_id: int) -> str | None:
    """Returns the name of a business: `user` for users, None for a business that is not configured any more."""
    if business_id == USERS:
        return "user"
    business = state.businesses_by_id.get(business_id)
    return business.name if business else None


def _plain(state: State, row: LogRow) -> dict[str, object]:
    """Returns a row of the moderation log as a line of the output. Ids are texts, because many JSON parsers would round
    them as numbers.
    """
    return {
        "id": str(row.log_id),
        "createdAt": row.created_at.isoformat(),
        "action": row.action.name,
        "role": row.role.name,
        "actor": None if row.actor_id is None else f"User:{row.actor_id}",
        "business": _business(state, row.ref.business_id),
        "target": str(row.ref.entity_id),
        "user": None if row.user_id is None else f"User:{row.user_id}",
        "before": row.before and orjson.loads(row.before),
        "after": row.after and orjson.loads(row.after),
        "reason": row.reason,
        "ground": row.ground,
    }
