"""`plaudit moderation-log`: exports the moderation log."""

from datetime import datetime

import orjson

from models.moderation_log import LogRow
from settings import USERS, Settings
from state import State, opened
from store.moderation import log


async def export(settings: Settings, since: datetime | None) -> None:
    """Prints all lines of the moderation log since a time as JSON lines, oldest first."""
    moment = int(since.timestamp() * 1000) << 10 if since else 0
    async with opened(settings, "moderation-log", makes_ids=False) as state:
        async for row in log.export(state.postgres, moment):
            print(orjson.dumps(_plain(state, row)).decode())


def _business(state: State, business_id: int) -> str | None:
    """Returns the name of a business: `user` for users, None for a business that is not configured any more."""
    if business_id == USERS:
        return "user"
    business = state.businesses_by_id.get(business_id)
    return business.name if business else None


def _plain(state: State, row: LogRow) -> dict[str, object]:
    """Returns a line as a dictionary for JSON. Ids are strings, because many JSON parsers would round them."""
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
    }
