"""The earlier versions of edited posts and comments: writes them in the transaction that stores the edit, reads pages
of them, and removes them.

Transactions write and remove earlier versions only while they hold the lock of the post or comment, except those that
remove the rows of an account or of an entity, or rows that are too old.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import orjson
from sqlalchemy import text

from models.attachments import from_plain, plain
from models.comments import CommentRow
from models.deletions import without_hold
from models.edits import MOST_EDITS, EditRow
from models.posts import PostRow
from store.groups import grouped
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns
from store.postgres.distributed import some_shards

_COLUMNS = "business_id, entity_id, version, author_id, replaced, text, images, shown"
_WRITE = text(f"""
    INSERT INTO edits ({_COLUMNS})
    SELECT business_id, entity_id, version, author_id, replaced, text, CAST(images AS jsonb), shown
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:versions AS bigint[]),
                CAST(:authors AS bigint[]), CAST(:replaced AS bigint[]), CAST(:texts AS text[]),
                CAST(:images AS text[]), CAST(:shown AS boolean[])) AS w({_COLUMNS})
    ON CONFLICT (business_id, entity_id, version) DO NOTHING
""")  # noqa: S608 - constants
_NUMBER = "row_number() OVER (PARTITION BY e.business_id, e.entity_id ORDER BY e.version DESC) AS place"
_WANTED = "unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS w(business_id, entity_id)"
_EXCESS = some_shards(
    f"""
    SELECT business_id, entity_id, version FROM (
        SELECT e.business_id, e.entity_id, e.version, {_NUMBER}
        FROM edits e JOIN {_WANTED} ON (e.business_id, e.entity_id) = (w.business_id, w.entity_id)
        WHERE {{in_shard}}
    ) AS numbered WHERE place > {MOST_EDITS}
    """,  # noqa: S608 - constants
    column="e.entity_id",
    parameter="entities",
)
_REMOVE = text("""
    DELETE FROM edits e
    USING unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:versions AS bigint[]))
          AS old(business_id, entity_id, version)
    WHERE (e.business_id, e.entity_id, e.version) = (old.business_id, old.entity_id, old.version)
""")
_REMOVE_ALL = text("""
    DELETE FROM edits WHERE business_id = :business AND entity_id = ANY(CAST(:ids AS bigint[]))
""")
_PAGE = some_shards(
    f"""
    SELECT entity_id, version, text, images::text AS images FROM (
        SELECT e.entity_id, e.version, e.text, e.images, {_NUMBER}
        FROM edits e
        JOIN unnest(CAST(:entities AS bigint[]), CAST(:whole AS boolean[]), CAST(:before AS bigint[]))
             AS w(entity_id, whole, before)
          ON e.business_id = :business AND e.entity_id = w.entity_id
        WHERE {{in_shard}} AND (w.whole OR e.shown) AND (w.before IS NULL OR e.version < w.before)
    ) AS numbered WHERE place <= :count ORDER BY entity_id, version DESC
    """,  # noqa: S608 - constants
    column="e.entity_id",
    parameter="entities",
)
OVERDUE = f"""
    edits WHERE NOT shown AND replaced < :before AND {without_hold("author_id")} AND NOT EXISTS (
        SELECT FROM cases c WHERE (c.business_id, c.entity_id) = (edits.business_id, edits.entity_id) AND c.sources <> 0
    )
"""
"""SQL that begins after FROM and selects the earlier versions that moderation had not approved and that are too old
to keep. Versions of content with an open case stay.
"""


class Wanted(NamedTuple):
    """What to read of one post or comment: its earlier versions below the version `before` (None: all). With `whole`,
    also those that moderation had not approved.
    """

    entity_id: int
    whole: bool
    before: int | None


async def keep(transaction: Transaction, replaced: Iterable[tuple[PostRow | CommentRow, int]]) -> None:
    """Stores earlier versions of posts and comments, whose rows must be locked. Each pair is the row before an edit,
    and the version of the edit. Removes all but the newest MOST_EDITS versions of each post or comment. Does nothing
    for versions that are stored already.
    """
    rows = [
        (*row.ref, row.content_version, row.author_id, by, row.text, orjson.dumps(plain(row.images)).decode(), shown)
        for row, by in replaced
        for shown in (row.is_public,)
    ]
    if not rows:
        return
    rows.sort(key=lambda row: row[:3])
    names = "businesses", "entities", "versions", "authors", "replaced", "texts", "images", "shown"
    await transaction.execute(_WRITE, **columns(rows, *names))
    refs = sorted({row[:2] for row in rows})
    if excess := await transaction.execute(_EXCESS, **columns(refs, "businesses", "entities")):
        await transaction.execute(_REMOVE, **columns(sorted(excess), "businesses", "entities", "versions"))


async def page(postgres: Postgres, business_id: int, wanted: Sequence[Wanted], count: int) -> dict[int, list[EditRow]]:
    """Returns up to `count` earlier versions of each of these posts or comments, newest first, by the id of the post or
    comment. One query reads all of them. Raises PostgresDown.
    """
    rows = await postgres.read(
        _PAGE, business=business_id, count=count, **columns(wanted, "entities", "whole", "before")
    )
    return grouped(
        (row.entity_id, EditRow(row.version, row.text, from_plain(orjson.loads(row.images)))) for row in rows
    )


async def remove_of(transaction: Transaction, business_id: int, ids: Sequence[int]) -> None:
    """Removes all earlier versions of these posts or comments, whose rows must be locked."""
    await transaction.execute(_REMOVE_ALL, business=business_id, ids=list(ids))
