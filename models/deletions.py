"""Deletions of accounts: which accounts are being deleted, how far each deletion is, and who must not be deleted."""

from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum

from sqlalchemy import BigInteger, Index, Text, text

from models.base import column, key, nullable, table

DELETE_USER = "delete_user"
"""The kind of the journal entries that request, cancel or begin the deletion of an account."""


class DeletionMode(IntEnum):
    """What a deletion does with the posts and comments of the user. The numbers are stored: never reuse one."""

    ANONYMIZE = 1
    """Posts and comments stay, and show "Deleted user" as their author."""
    ERASE = 2
    """Posts and comments are removed. A comment with replies keeps its place, without text and author."""


class DeletionState(IntEnum):
    """How far the deletion of an account is. The numbers are stored: never reuse one."""

    PENDING = 1
    """The account is hidden. The deletion can still be cancelled."""
    RUNNING = 2
    """Workers remove the data of the account."""
    DONE = 3
    """Nothing is left of the account, except its number and, with ANONYMIZE, its posts and comments."""


DELETIONS_TABLE = table(
    "deletions",
    key("user_id", BigInteger),
    # When workers may begin, in milliseconds since the Unix epoch.
    column("due_ms", BigInteger),
    # When workers began; null before.
    nullable("started_ms", BigInteger),
    # When nothing was left; null before.
    nullable("finished_ms", BigInteger),
    # How many changes and rows of the account were removed so far.
    column("removed", BigInteger, server_default=text("0")),
    Index("deletions_due_idx", "due_ms", postgresql_where=text("finished_ms IS NULL")),
    shard="user_id",
)
"""One row for each account that is being deleted or was deleted. The row is removed when the deletion is cancelled. The
row of `users` says how the account is deleted, and in which state the deletion is.
"""

LEGAL_HOLDS_TABLE = table(
    "legal_holds",
    key("user_id", BigInteger),
    column("reason", Text),
    column("since_ms", BigInteger),
    shard="user_id",
)
"""The users whose data must be kept, such as for a court. Workers do not begin or continue the deletion of a user in
this table, and do not remove the user's old rows.
"""


def without_hold(user: str) -> str:
    """Returns the SQL condition for rows whose user is not under a legal hold. `user` is the column with the user."""
    return f"{user} <> ALL (ARRAY(SELECT user_id FROM legal_holds))"  # noqa: S608 - constants


DELETED_IDENTITIES_TABLE = table(
    "deleted_identities",
    # The digest of the issuer and the subject (store/people/deletions.py).
    key("digest", Text),
    column("deleted_ms", BigInteger),
    shard="digest",
)
"""The identities of deleted users, as digests. A token that was issued before the deletion ended creates no new user.
Workers remove a row after 30 days.
"""


@dataclass(frozen=True, slots=True)
class DeletionRow:
    """The deletion of an account as its user may see it. `due_at` is the time at which workers begin."""

    state: DeletionState
    mode: DeletionMode
    due_at: datetime
