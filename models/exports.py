"""Exports of accounts: when each user last requested a download of all data that is kept about the user."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from sqlalchemy import BigInteger

from models.base import at, column, key, table

LIFE_MS = 86_400_000
"""Milliseconds for which the URL of an export is valid."""

EXPORTS_TABLE = table(
    "exports",
    key("user_id", BigInteger),
    # When the export was requested, in milliseconds since the Unix epoch.
    column("requested_ms", BigInteger),
    shard="user_id",
)
"""The last export that each user requested. The exported data is not stored: it is read when it is downloaded."""


class ExportState(Enum):
    """Tells whether an export can be downloaded."""

    READY = "ready"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class ExportRow:
    """The last export that a user requested. `url` is the path from which it is downloaded; None once it has
    expired.
    """

    user_id: int
    requested_ms: int
    url: str | None

    @property
    def state(self) -> ExportState:
        """Returns whether the export can be downloaded."""
        return ExportState.READY if self.url else ExportState.EXPIRED

    @property
    def requested_at(self) -> datetime:
        """Returns the time at which the export was requested."""
        return at(self.requested_ms)

    @property
    def expires_at(self) -> datetime:
        """Returns the time at which the URL becomes invalid."""
        return at(self.requested_ms + LIFE_MS)
