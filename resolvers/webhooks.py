"""The webhooks in the administration API, and the events that they have not got."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from commands import webhooks
from commands.webhooks import Webhook, time_of
from context import Context
from store.outgoing import cursors
from store.outgoing.cursors import Cursor

_MOST_COUNTED = 1000


@dataclass(frozen=True, slots=True, eq=False)
class Delivery:
    """The events of a partition that a webhook has not got, and whether attempts fail."""

    partition: int
    pending_count: int
    oldest_pending_at: datetime | None
    failing_since: datetime | None
    failure: str | None


@dataclass(frozen=True, slots=True, eq=False)
class LostEvents:
    """Events of a partition that were removed before they were sent: those after one time, up to another."""

    partition: int
    after: datetime
    through: datetime


async def every(context: Context) -> list[Webhook]:
    """Resolves Admin.webhooks: all webhooks, by name. Leaves out Redis streams."""
    return [one for one in await webhooks.every(context.state) if one.is_webhook]


async def deliveries(context: Context, rows: Sequence[Webhook]) -> list[list[Delivery]]:
    """Resolves Webhook.deliveries: the partitions in which events wait or attempts fail, of each webhook."""
    return [
        [_delivery(one) for one in await cursors.pending(context.state.postgres, row.name, _MOST_COUNTED)]
        for row in rows
    ]


def _delivery(one: cursors.Pending) -> Delivery:
    oldest = None if one.oldest is None else time_of(one.oldest)
    return Delivery(one.p, one.events, oldest, one.failing_since, one.failure)


def lost(row: Webhook) -> list[LostEvents]:
    """Resolves Webhook.lost."""
    return [_lost(cursor) for cursor in row.lost]


def _lost(cursor: Cursor) -> LostEvents:
    return LostEvents(cursor.p, time_of(cursor.lost_after or 0), time_of(cursor.lost_through or 0))
