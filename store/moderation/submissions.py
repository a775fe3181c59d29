"""Submission traces: digests of the recent posts and comments of authors, with which risk rules recognise repetitions
(domain/moderation/spam.py).
"""

from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from sqlalchemy import text

from domain.moderation.verdicts import SubmissionHistory, SubmissionTrace
from models.base import at
from models.counters import EntityRef
from store.groups import grouped
from store.postgres.client import Transaction
from store.postgres.columns import columns

_RECENT = text("""
    SELECT t.author_id, t.entity_id, t.at_ms, t.content, t.links
    FROM unnest(CAST(:authors AS bigint[])) AS wanted(author_id)
    CROSS JOIN LATERAL (
        SELECT * FROM traces WHERE author_id = wanted.author_id AND at_ms > :since ORDER BY at_ms DESC LIMIT :count
    ) AS t
""")
_WRITE = text("""
    INSERT INTO traces AS t (author_id, business_id, entity_id, at_ms, content, links)
    SELECT author_id, business_id, entity_id, at_ms, content, CAST(links AS bigint[])
    FROM unnest(CAST(:authors AS bigint[]), CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]),
                CAST(:times AS bigint[]), CAST(:contents AS bigint[]), CAST(:links AS text[]))
         AS w(author_id, business_id, entity_id, at_ms, content, links)
    ON CONFLICT (author_id, business_id, entity_id) DO UPDATE SET
        at_ms = excluded.at_ms, content = excluded.content, links = excluded.links
""")
_FORGET = text("DELETE FROM traces WHERE author_id = ANY(CAST(:authors AS bigint[])) AND at_ms <= :since")


class Submitted(NamedTuple):
    """A submitted post or comment: its author, and the digests to store for comparison with later submissions."""

    author_id: int
    ref: EntityRef
    trace: SubmissionTrace


async def histories(
    transaction: Transaction, authors: Sequence[int], since_ms: int, count: int
) -> dict[int, SubmissionHistory]:
    """Reads the digests of each author's newest submissions since `since_ms`, at most `count` each."""
    rows = await transaction.execute(_RECENT, authors=sorted(authors), since=since_ms, count=count)
    found = (
        (author_id, SubmissionTrace(entity_id, at(at_ms), content, tuple(links)))
        for author_id, entity_id, at_ms, content, links in rows
    )
    return {author_id: tuple(some) for author_id, some in grouped(found).items()}


async def write(transaction: Transaction, submitted: Sequence[Submitted], since_ms: int) -> None:
    """Stores the digests of these posts and comments; the last one wins if one was submitted several times. Removes the
    digests of these authors that are from `since_ms` or earlier.
    """
    last = {(one.author_id, *one.ref): one.trace for one in submitted}
    await transaction.execute(_FORGET, authors=sorted({one.author_id for one in submitted}), since=since_ms)
    values = [
        (*key, round(trace.at.timestamp() * 1000), trace.content, f"{{{','.join(map(str, trace.links))}}}")
        for key, trace in sorted(last.items(), key=itemgetter(0))
    ]
    names = "authors", "businesses", "entities", "times", "contents", "links"
    await transaction.execute(_WRITE, **columns(values, *names))
