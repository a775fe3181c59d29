"""Profile texts that wait for the external reviewer. A row is added with each new text and removed with its verdict."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from sqlalchemy import text

from models.profiles import ProfileField
from store.postgres.client import Postgres, Transaction

_ASK = text("""
    INSERT INTO profile_reviews AS r (user_id, field, partition, version)
    SELECT :user, field, :partition, :version FROM unnest(CAST(:fields AS smallint[])) AS w(field)
    ON CONFLICT (user_id, field) DO UPDATE SET version = greatest(excluded.version, r.version + 1)
""")
_DUE = text("""
    SELECT user_id, field, partition, version FROM profile_reviews
    WHERE partition = ANY(CAST(:partitions AS smallint[])) AND version <= :now ORDER BY version LIMIT :count
""")
_DONE = text("DELETE FROM profile_reviews WHERE user_id = :user AND field = :field AND version = :version")
_WITHDRAW = text("DELETE FROM profile_reviews WHERE user_id = :user AND field = ANY(CAST(:fields AS smallint[]))")
_LATER = text("""
    UPDATE profile_reviews SET version = :later WHERE user_id = :user AND field = :field AND version = :version
""")


class ProfileReview(NamedTuple):
    """A profile text that waits for the external reviewer. `partition` is the user's. `version` is the time from which
    the reviewer may be asked, as the lowest version of that time (domain/versions.py). A new text of the same field
    gets a greater version.
    """

    user_id: int
    field: ProfileField
    partition: int
    version: int


async def ask(
    transaction: Transaction, user_id: int, fields: Iterable[ProfileField], partition: int, version: int
) -> None:
    """Queues new profile texts of a user for the external reviewer, in the transaction that writes the texts. A new
    text replaces an earlier text of the same field in the queue. `partition` is the user's partition. `version` is the
    current time, written as in `ProfileReview`.
    """
    if numbers := sorted(map(int, fields)):
        await transaction.execute(_ASK, user=user_id, fields=numbers, partition=partition, version=version)


async def withdraw(transaction: Transaction, user_id: int, fields: Iterable[ProfileField]) -> None:
    """Removes profile texts of a user from the queue, in the transaction that replaces them with texts that need no
    review.
    """
    if numbers := sorted(map(int, fields)):
        await transaction.execute(_WITHDRAW, user=user_id, fields=numbers)


async def due(postgres: Postgres, partitions: Collection[int], now: int, count: int) -> list[ProfileReview]:
    """Returns up to `count` queued reviews that are due, of users of these partitions, longest due first. A review is
    due if its version is not greater than `now`: the current time, written as in `ProfileReview`. The reviews do not
    contain the texts.
    """
    rows = await postgres.read(_DUE, partitions=list(partitions), now=now, count=count)
    return [ProfileReview(row.user_id, ProfileField(row.field), row.partition, row.version) for row in rows]


async def done(transaction: Transaction, review: ProfileReview) -> bool:
    """Removes a profile text from the queue. Returns False if the text has changed meanwhile; the new text then stays
    in the queue.
    """
    user, field, _, version = review
    return await transaction.changed(_DONE, user=user, field=int(field), version=version) == 1


async def put_off(postgres: Postgres, review: ProfileReview, later: int) -> None:
    """Postpones the review of a profile text until the time `later`, written as in `ProfileReview`. Does nothing if the
    text has changed.
    """
    user, field, _, version = review
    await postgres.write(_LATER, user=user, field=int(field), version=version, later=later)
