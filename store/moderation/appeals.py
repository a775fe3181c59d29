"""Appeals of authors against the rejection of a post or comment."""

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import text

from domain.moderation.appeals import AppealStatus
from models.appeals import AppealRow
from models.counters import EntityRef
from models.moderation_log import ModerationAction
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns

_COLUMNS = "business_id, entity_id, author_id, version, content_version, text, moderator_id, status"
_WANTED = "unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS wanted(business_id, entity_id)"
_BY_REF = f"""
    SELECT {_COLUMNS} FROM {_WANTED} JOIN appeals USING (business_id, entity_id)
"""  # noqa: S608 - constants
_READ = text(_BY_REF)
_OPEN = text(f"{_BY_REF} WHERE status = 0")
_ADD = text(f"""
    INSERT INTO appeals AS a ({_COLUMNS})
    SELECT *, 0 FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:authors AS bigint[]),
                            CAST(:versions AS bigint[]), CAST(:contents AS bigint[]), CAST(:texts AS text[]),
                            CAST(:moderators AS bigint[]))
    ON CONFLICT (business_id, entity_id) DO UPDATE SET
        version = excluded.version, content_version = excluded.content_version, text = excluded.text,
        moderator_id = excluded.moderator_id, status = 0
    WHERE a.content_version < excluded.content_version
       OR a.content_version = excluded.content_version AND a.version < excluded.version
          AND a.status = {AppealStatus.MOOT:d}
""")  # noqa: S608 - constants
_CLOSE = text("""
    UPDATE appeals a SET status = w.status
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:statuses AS smallint[]))
         AS w(business_id, entity_id, status)
    WHERE (a.business_id, a.entity_id) = (w.business_id, w.entity_id)
""")
_REJECTED_BY = text(f"""
    SELECT DISTINCT ON (business_id, entity_id) business_id, entity_id, actor_id
    FROM moderation_log
    WHERE business_id = ANY(CAST(:businesses AS smallint[])) AND entity_id = ANY(CAST(:entities AS bigint[]))
      AND action = {ModerationAction.REJECTED:d} AND after IS NOT NULL
    ORDER BY business_id, entity_id, moment DESC, log_id DESC
""")  # noqa: S608 - constants
_OLDEST = text("SELECT min(version) FROM appeals WHERE status = 0")


async def open_in(transaction: Transaction, refs: Iterable[EntityRef]) -> list[AppealRow]:
    """Returns the open appeals about these posts and comments, whose rows this transaction must have locked.

    Transactions change an appeal only while they hold the lock of its post or comment. So appeals need no other lock.
    """
    rows = await transaction.execute(_OPEN, **columns(sorted(refs), "businesses", "entities"))
    return list(map(_row, rows))


async def add(transaction: Transaction, appeals: Iterable[AppealRow]) -> None:
    """Stores these appeals as open. Their posts and comments must be locked. Skips an appeal if there already is an
    open or decided appeal against the rejection of the same content version.
    """
    values = [(*one.ref, *one[1:-1]) for one in sorted(appeals)]
    names = "businesses", "entities", "authors", "versions", "contents", "texts", "moderators"
    await transaction.execute(_ADD, **columns(values, *names))


async def close(transaction: Transaction, statuses: Mapping[EntityRef, AppealStatus]) -> None:
    """Closes the appeals about these posts and comments, which must be locked, with the given statuses."""
    values = [(*ref, int(status)) for ref, status in sorted(statuses.items())]
    await transaction.execute(_CLOSE, **columns(values, "businesses", "entities", "statuses"))


async def rejected_by(transaction: Transaction, refs: Iterable[EntityRef]) -> dict[EntityRef, int]:
    """Returns, by post or comment, the id of the moderator who rejected it last. Leaves out posts and comments whose
    last rejection came from the moderation rules or the external reviewer.
    """
    rows = await transaction.execute(_REJECTED_BY, **columns(sorted(refs), "businesses", "entities"))
    return {EntityRef(business, entity): actor for business, entity, actor in rows if actor is not None}


async def open_among(postgres: Postgres, refs: Sequence[EntityRef]) -> dict[EntityRef, AppealRow]:
    """Returns the open appeals about these posts and comments, by post or comment."""
    rows = await postgres.read(_OPEN, **columns(refs, "businesses", "entities"))
    return {row.ref: row for row in map(_row, rows)}


async def last(postgres: Postgres, ref: EntityRef) -> AppealRow | None:
    """Returns the last appeal about a post or comment; None if its author has never appealed."""
    rows = await postgres.read(_READ, **columns([ref], "businesses", "entities"))
    return next(map(_row, rows), None)


async def oldest(postgres: Postgres) -> int | None:
    """Returns the version of the oldest open appeal about a rejected post or comment; None if none is open."""
    version: int | None = (await postgres.read(_OLDEST))[0][0]
    return version


def _row(row: Sequence[int]) -> AppealRow:
    business, entity, author, version, content_version, text_, moderator, status = row
    ref = EntityRef(business, entity)
    return AppealRow(ref, author, version, content_version, str(text_), moderator, AppealStatus(status))
