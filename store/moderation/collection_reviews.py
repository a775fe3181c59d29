"""Public collections that wait for the external reviewer. A row is added when a collection becomes public or gets
another name while it is public, and removed with the verdict.
"""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from sqlalchemy import text

from domain.moderation.reports import CaseSource
from domain.moderation.verdicts import AuditStatus, ModerationVerdict
from models.collections import CollectionRow
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns

_ASK = text("""
    INSERT INTO collection_reviews AS r (user_id, collection_id, partition, version)
    SELECT * FROM unnest(CAST(:users AS bigint[]), CAST(:collections AS bigint[]), CAST(:partitions AS smallint[]),
                         CAST(:versions AS bigint[]))
    ON CONFLICT (user_id, collection_id) DO UPDATE SET version = greatest(excluded.version, r.version + 1),
                                                       reason = NULL, match = NULL
""")
_DUE = text("""
    SELECT r.user_id, r.collection_id, r.partition, r.version, c.name, c.is_public AND NOT c.deleted AS is_public,
           r.reason, r.match
    FROM collection_reviews r JOIN collections c
      ON (c.user_id, c.collection_id) = (r.user_id, r.collection_id)
    WHERE r.partition = ANY(CAST(:partitions AS smallint[])) AND r.version <= :now ORDER BY r.version LIMIT :count
""")
_ONE = "WHERE user_id = :user AND collection_id = :collection AND version = :version"
_DONE = text(f"DELETE FROM collection_reviews {_ONE}")  # noqa: S608 - a constant
_REJECTED = text(f"UPDATE collection_reviews SET reason = :reason, match = :match {_ONE}")  # noqa: S608 - a constant
_LATER = text(f"UPDATE collection_reviews SET version = :later {_ONE}")  # noqa: S608 - a constant


class CollectionReview(NamedTuple):
    """A collection that waits for the external reviewer, as it is stored. `partition` is its owner's. `version` is the
    time from which the reviewer may be asked, as the lowest version of that time (domain/versions.py).
    """

    row: CollectionRow
    partition: int
    version: int
    verdict: ModerationVerdict | None = None
    """The stored rejection, after which a worker makes the collection private; None if the reviewer has not rejected
    the name.
    """


async def ask(transaction: Transaction, wanted: Iterable[tuple[int, int, int, int]]) -> None:
    """Queues public collections for the external reviewer, in the transaction that writes them. Each is given as its
    owner, its number, the owner's partition, and the version of the change.
    """
    await transaction.execute(_ASK, **columns(sorted(wanted), "users", "collections", "partitions", "versions"))


async def due(postgres: Postgres, partitions: Collection[int], now: int, count: int) -> list[CollectionReview]:
    """Returns up to `count` queued reviews that are due, of owners in these partitions, longest due first. `now` is the
    current time, written as in `CollectionReview`.
    """
    rows = await postgres.read(_DUE, partitions=list(partitions), now=now, count=count)
    return [
        CollectionReview(
            CollectionRow(row.user_id, row.collection_id, row.name, row.is_public),
            row.partition,
            row.version,
            None if row.reason is None else rejection(row.reason, row.match),
        )
        for row in rows
    ]


async def done(transaction: Transaction, review: CollectionReview) -> bool:
    """Removes a collection from the queue. Returns False if it has changed meanwhile; it then stays in the queue."""
    return await transaction.changed(_DONE, **_parameters(review)) == 1


def rejection(reason: str, match: str | None) -> ModerationVerdict:
    """Returns the verdict of the external reviewer that rejects a name."""
    return ModerationVerdict(AuditStatus.REJECTED, reason, CaseSource.REVIEWER, match)


async def rejected(postgres: Postgres, review: CollectionReview, verdict: ModerationVerdict) -> bool:
    """Stores that the reviewer has rejected the name. Returns False if the collection has changed meanwhile."""
    values = {"reason": verdict.reason, "match": verdict.match}
    return await postgres.write(_REJECTED, **values, **_parameters(review)) == 1


async def put_off(postgres: Postgres, review: CollectionReview, later: int) -> None:
    """Postpones the review of a collection until the time `later`, written as in `CollectionReview`. Does nothing if
    the collection has changed.
    """
    await postgres.write(_LATER, later=later, **_parameters(review))


def _parameters(review: CollectionReview) -> dict[str, int]:
    return {"user": review.row.owner_id, "collection": review.row.collection_id, "version": review.version}
