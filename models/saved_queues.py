"""Saved queues: filters of the moderation queue that a moderator keeps under a name."""

from collections.abc import Sequence
from typing import NamedTuple

import orjson
from sqlalchemy import BigInteger, Text

from models.base import column, key, table

MOST_QUEUES = 20
"""The most saved queues of one user."""

SAVED_QUEUES_TABLE = table(
    "saved_queues",
    key("user_id", BigInteger),
    # All saved queues of the user, as JSON (`dumps`).
    column("queues", Text),
    shard="user_id",
)
"""One row for each user who has ever saved a queue."""


class SavedQueue(NamedTuple):
    """The filters of a moderation queue under a name. The values are names of enum values of the schema, such as `OPEN`
    and `MOST_REPORTED`; None for a filter that is not set.
    """

    name: str
    status: str
    kind: str | None
    source: str | None
    assignment: str | None
    sort: str


def dumps(queues: Sequence[SavedQueue]) -> str:
    """Returns saved queues as the text that is stored."""
    return orjson.dumps([one._asdict() for one in queues]).decode()


def loads(stored: str) -> list[SavedQueue]:
    """Returns the saved queues of a stored text, in the order of their names."""
    return sorted(SavedQueue(**one) for one in orjson.loads(stored))
