"""Reads, locks and writes the rows of comments in the transaction in which a worker stores a batch of changes. Also
issues floor numbers: the numbers that comments get when they are first approved.

A comment has a row in `comment_contents`, and one in the index by subject, the table `comments`. A transaction that
changes a comment locks the contents of the comment and of its root comment. All locks, also those of the index, are
taken in order of ids, as the writers of scores do (store/content/hot_comments.py). So there is no deadlock. On Citus,
they are taken in order of shards, then of ids.
"""

from collections.abc import Iterable, Sequence

import orjson
from sqlalchemy import text

from models.attachments import plain
from models.comments import COMMENT_CONTENTS_TABLE, CommentRow, CommentState
from models.counters import EntityRef
from store.content.comments import BY_ID, COLUMNS, from_columns
from store.postgres.client import Reader, Transaction
from store.postgres.columns import columns, upsert
from store.postgres.distributed import on_citus, one_shard
from store.write_log.journal import ClientTrace

_ROOTS = text("""
    SELECT DISTINCT root_id FROM comment_contents
    WHERE comment_id = ANY(CAST(:ids AS bigint[])) AND root_id IS NOT NULL
""")
# On Citus, `lock` reads the roots before: a statement that locks rows may not read other shards.
_LOCK = on_citus(
    text(f"""
        SELECT {COLUMNS} FROM comment_contents WHERE comment_id = ANY(CAST(:ids AS bigint[]) || ARRAY(
            SELECT root_id FROM comment_contents WHERE comment_id = ANY(CAST(:ids AS bigint[])) AND root_id IS NOT NULL
        )) ORDER BY comment_id FOR UPDATE
    """),  # noqa: S608 - constants
    one_shard(
        f"""
        SELECT {COLUMNS} FROM comment_contents WHERE comment_id = ANY(CAST(:ids AS bigint[]))
        ORDER BY comment_id FOR UPDATE
        """,  # noqa: S608 - constants
        table="comment_contents",
        column="comment_id",
        parameter="ids",
    ),
)
_ISSUE = text("""
    INSERT INTO comment_subjects AS s (business_id, entity_id, floors)
    SELECT * FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:counts AS integer[]))
    ON CONFLICT (business_id, entity_id) DO UPDATE SET floors = s.floors + excluded.floors
    RETURNING business_id, entity_id, floors
""")
# Citus refuses EXISTS and LIMIT here, and accepts DISTINCT ON by the distribution column. From Postgres 16 on, this
# reads one reply of each root.
_ANSWERED = text(f"""
    SELECT w.root_id
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:subjects AS bigint[]), CAST(:roots AS bigint[]))
         AS w(business_id, subject_id, root_id)
    CROSS JOIN LATERAL (
        SELECT DISTINCT ON (subject_id) root_id FROM comments c
        WHERE c.subject_business = w.business_id AND c.subject_id = w.subject_id AND c.root_id = w.root_id
          AND c.state = {CommentState.VISIBLE:d} AND c.comment_id <> ALL(CAST(:but AS bigint[]))
    ) AS reply
""")  # noqa: S608 - a constant
_DELETION = "deleted_by", "deleted_as"  # which only `write_deletions` sets
_COLUMNS = [column.name for column in COMMENT_CONTENTS_TABLE.columns if column.name not in _DELETION]
_KEPT = "subject_business subject_id subject_owner root_id parent_id replied_to author_id moment ip device client"
_WRITE = text(upsert(COMMENT_CONTENTS_TABLE, _COLUMNS, kept=_KEPT.split()))
_PLACE = text("""
    INSERT INTO comments AS c (subject_business, subject_id, comment_id, root_id, author_id, moment, state, score)
    SELECT business_id, subject_id, comment_id, root_id, author_id, moment, state, moment
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:subjects AS bigint[]), CAST(:ids AS bigint[]),
                CAST(:roots AS bigint[]), CAST(:authors AS bigint[]), CAST(:moments AS bigint[]),
                CAST(:states AS smallint[]))
         AS w(business_id, subject_id, comment_id, root_id, author_id, moment, state)
    ON CONFLICT (subject_business, subject_id, comment_id) DO UPDATE SET state = excluded.state
    WHERE c.state <> excluded.state
""")
_DELETED = text("""
    UPDATE comment_contents c SET deleted_by = d.user_id, deleted_as = d.role
    FROM unnest(CAST(:ids AS bigint[]), CAST(:users AS bigint[]), CAST(:roles AS text[]))
         AS d(comment_id, user_id, role)
    WHERE c.comment_id = d.comment_id
""")
_UNKNOWN_CLIENT = ClientTrace()


async def read(source: Reader, ids: Sequence[int]) -> dict[int, CommentRow]:
    """Reads the rows of comments by id, and locks nothing. Ids without a row are left out."""
    return {row.comment_id: from_columns(row) for row in await source.read(BY_ID, ids=list(ids))}


async def lock(transaction: Transaction, ids: Iterable[int]) -> dict[int, CommentRow]:
    """Locks the rows of these comments and of their root comments until the transaction ends. Returns the existing rows
    by comment id.
    """
    wanted = set(ids)
    if transaction.is_distributed:
        wanted |= {root_id for (root_id,) in await transaction.execute(_ROOTS, ids=sorted(wanted))}
    rows = await transaction.execute(_LOCK, ids=sorted(wanted))
    if transaction.is_distributed:  # leaves out replies that were stored after their roots were read
        rows = [row for row in rows if row.root_id is None or row.root_id in wanted]
    return {row.comment_id: from_columns(row) for row in rows}


async def issue_floors(transaction: Transaction, counts: dict[EntityRef, int]) -> dict[EntityRef, int]:
    """Issues consecutive floor numbers, which comments get when they are first approved. `counts` says how many to
    issue for each subject or root comment. Returns the first issued number of each.
    """
    ordered = sorted(counts.items())
    values = [(*ref, count) for ref, count in ordered]
    rows = await transaction.execute(_ISSUE, **columns(values, "businesses", "entities", "counts"))
    last = {EntityRef(business_id, entity_id): floors for business_id, entity_id, floors in rows}
    return {ref: last[ref] - count + 1 for ref, count in ordered}


async def answered(transaction: Transaction, roots: Iterable[CommentRow], but: Iterable[int]) -> set[int]:
    """Returns the ids of those of the given root comments that have a visible reply. Replies whose ids are in `but` do
    not count. The caller must have locked the root comments.
    """
    values = [(*row.subject, row.comment_id) for row in roots]
    rows = await transaction.execute(_ANSWERED, **columns(values, "businesses", "subjects", "roots"), but=list(but))
    return {root_id for (root_id,) in rows}


async def write(transaction: Transaction, rows: Sequence[tuple[CommentRow, ClientTrace | None]]) -> None:
    """Writes comments to `comment_contents`, and to `comments`, their index by subject. `rows` are pairs of a comment
    and the client that sent it (None: unknown), in order of comment ids. The client's IP address, device and name are
    stored only for new comments.
    """
    contents = [
        {
            **vars(row),
            "images": orjson.dumps(plain(row.images)).decode(),
            "mentioned": None if row.mentioned is None else orjson.dumps(row.mentioned).decode(),
            "status": int(row.status),
            **(trace or _UNKNOWN_CLIENT)._asdict(),
        }
        for row, trace in rows
    ]
    await transaction.execute(_WRITE, **{name: [one[name] for one in contents] for name in _COLUMNS})
    index = [
        (*row.subject, row.comment_id, row.root_id or 0, row.author_id, row.moment, int(row.state)) for row, _ in rows
    ]
    names_of_index = "businesses", "subjects", "ids", "roots", "authors", "moments", "states"
    await transaction.execute(_PLACE, **columns(index, *names_of_index))


async def write_deletions(transaction: Transaction, deletions: Sequence[tuple[int, int, str | None]]) -> None:
    """Stores which user deleted each comment, and in which role. A deletion is (comment id, user id, role); the role is
    `author`, `owner` or `moderator`. The caller must have locked the comments.
    """
    await transaction.execute(_DELETED, **columns(deletions, "ids", "users", "roles"))
