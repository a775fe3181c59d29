"""Traces of submissions: one for each recent post or comment. A trace has a digest of the content, by which risk rules
recognise repetitions (domain/moderation/spam.py), and the network and device from which the content came, by which
other rules count submissions (domain/moderation/velocity.py).
"""

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Literal, NamedTuple

from sqlalchemy import TextClause, text

from domain.moderation.verdicts import SubmissionHistory, SubmissionTrace
from models.base import at, ms
from models.counters import EntityRef
from store.groups import grouped
from store.postgres.client import Transaction
from store.postgres.columns import columns

# Every author is a user. Citus needs a distributed table, not an array, on the left of LATERAL with LIMIT.
_RECENT = text("""
    SELECT t.author_id, t.entity_id, t.at_ms, t.content, t.links FROM users u
    CROSS JOIN LATERAL (
        SELECT * FROM traces WHERE author_id = u.user_id AND at_ms > :since ORDER BY at_ms DESC LIMIT :count
    ) AS t
    WHERE u.user_id = ANY(CAST(:authors AS bigint[]))
""")
_WRITE = text("""
    INSERT INTO traces AS t (author_id, business_id, entity_id, at_ms, content, links, network, device)
    SELECT author_id, business_id, entity_id, at_ms, content, CAST(links AS bigint[]), network, device
    FROM unnest(CAST(:authors AS bigint[]), CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]),
                CAST(:times AS bigint[]), CAST(:contents AS bigint[]), CAST(:links AS text[]),
                CAST(:networks AS text[]), CAST(:devices AS text[]))
         AS w(author_id, business_id, entity_id, at_ms, content, links, network, device)
    ON CONFLICT (author_id, business_id, entity_id) DO UPDATE SET
        at_ms = excluded.at_ms, content = excluded.content, links = excluded.links,
        network = excluded.network, device = excluded.device
""")
_FORGET = text("DELETE FROM traces WHERE author_id = ANY(CAST(:authors AS bigint[])) AND at_ms <= :since")
Source = Literal["network", "device"]
"""The two kinds of sources of submissions. Rules count the submissions from each network and from each device."""
_FROM: Mapping[Source, TextClause] = {
    "network": text("""
        SELECT network, array_agg(at_ms) FROM traces
        WHERE network = ANY(CAST(:sources AS text[])) AND at_ms > :since AND at_ms <= :until
          AND entity_id <> ALL(CAST(:but AS bigint[]))
        GROUP BY network
    """),
    "device": text("""
        SELECT device, array_agg(at_ms) FROM traces
        WHERE device = ANY(CAST(:sources AS text[])) AND at_ms > :since AND at_ms <= :until
          AND entity_id <> ALL(CAST(:but AS bigint[]))
        GROUP BY device
    """),
}


class Submitted(NamedTuple):
    """A submitted post or comment: its author, its address, its trace, and the network and device from which it came
    (None: unknown).
    """

    author_id: int
    ref: EntityRef
    trace: SubmissionTrace
    network: str | None = None
    device: str | None = None


async def histories(
    transaction: Transaction, authors: Sequence[int], since_ms: int, count: int
) -> dict[int, SubmissionHistory]:
    """Returns, by author, the traces of the author's newest submissions: at most `count` for each author, in any order,
    and only those after `since_ms`, in milliseconds since the Unix epoch. Leaves out authors without submissions.
    """
    rows = await transaction.execute(_RECENT, authors=sorted(authors), since=since_ms, count=count)
    found = (
        (author_id, SubmissionTrace(entity_id, at(at_ms), content, tuple(links)))
        for author_id, entity_id, at_ms, content, links in rows
    )
    return {author_id: tuple(some) for author_id, some in grouped(found).items()}


async def times_by(
    transaction: Transaction, source: Source, values: Iterable[str], since_ms: int, until_ms: int, but: Iterable[int]
) -> dict[str, list[int]]:
    """Returns the times, in milliseconds since the Unix epoch, of the stored submissions from these networks or
    devices, by network or device: those after `since_ms` and up to and including `until_ms`, in any order. Leaves out
    the posts and comments with the ids `but`.
    """
    parameters = {"sources": sorted(values), "since": since_ms, "until": until_ms, "but": sorted(but)}
    return dict(await transaction.execute(_FROM[source], **parameters))


async def write(transaction: Transaction, submitted: Sequence[Submitted], since_ms: int) -> None:
    """Stores the traces of these posts and comments; if one was submitted several times, only its last trace. Removes
    the traces of these authors that are not later than `since_ms`, in milliseconds since the Unix epoch.
    """
    last = {(one.author_id, *one.ref): one for one in submitted}
    await transaction.execute(_FORGET, authors=sorted({one.author_id for one in submitted}), since=since_ms)
    values = [
        (
            *(*key, ms(one.trace.at), one.trace.content, f"{{{','.join(map(str, one.trace.links))}}}"),
            *(one.network, one.device),
        )
        for key, one in sorted(last.items(), key=itemgetter(0))
    ]
    names = "authors", "businesses", "entities", "times", "contents", "links", "networks", "devices"
    await transaction.execute(_WRITE, **columns(values, *names))
