"""Statements of reasons: a person's list, what a batch adds and ends, and the appeals against restrictions."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import text

from domain.moderation.appeals import AppealStatus
from domain.moderation.statements import FoundBy, Restriction
from models.counters import EntityRef
from models.statements import StatementAppeal, StatementRow
from store.cache.lists import Item
from store.groups import grouped
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns

_NEW = """
    user_id, statement_id, moment, restriction, business_id, entity_id, ground, facts, found_by, automated, actor_id,
    until_ms
"""
_COLUMNS = f"{_NEW}, ended_ms, appeal_version, appeal_text, appeal_status"
_ADD = text(f"""
    INSERT INTO statements ({_NEW})
    SELECT * FROM unnest(CAST(:users AS bigint[]), CAST(:ids AS bigint[]), CAST(:moments AS bigint[]),
                         CAST(:restrictions AS smallint[]), CAST(:businesses AS smallint[]),
                         CAST(:entities AS bigint[]), CAST(:grounds AS text[]), CAST(:facts AS text[]),
                         CAST(:found_by AS smallint[]), CAST(:automated AS boolean[]), CAST(:actors AS bigint[]),
                         CAST(:untils AS bigint[]))
    ON CONFLICT DO NOTHING RETURNING user_id, statement_id
""")  # noqa: S608 - constants
_END = text("""
    UPDATE statements s SET ended_ms = w.moment >> 10
    FROM unnest(CAST(:users AS bigint[]), CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]),
                CAST(:restrictions AS smallint[]), CAST(:moments AS bigint[]))
         AS w(user_id, business_id, entity_id, restriction, moment)
    WHERE (s.user_id, s.business_id, s.entity_id, s.restriction)
              = (w.user_id, w.business_id, w.entity_id, w.restriction)
      AND s.ended_ms IS NULL AND s.moment < w.moment
""")
_APPEAL_CONTENT = text(f"""
    UPDATE statements s SET appeal_version = w.version, appeal_text = w.text, appeal_status = 0
    FROM unnest(CAST(:users AS bigint[]), CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]),
                CAST(:versions AS bigint[]), CAST(:texts AS text[]))
         AS w(user_id, business_id, entity_id, version, text)
    WHERE (s.user_id, s.business_id, s.entity_id) = (w.user_id, w.business_id, w.entity_id)
      AND s.restriction = {Restriction.REJECTED:d} AND s.moment < w.version >> 10
      AND (s.ended_ms IS NULL OR s.ended_ms >= w.version >> 20)
""")  # noqa: S608 - constants
_CLOSE_CONTENT = text("""
    UPDATE statements s SET appeal_status = w.status
    FROM unnest(CAST(:users AS bigint[]), CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]),
                CAST(:versions AS bigint[]), CAST(:statuses AS smallint[]))
         AS w(user_id, business_id, entity_id, version, status)
    WHERE (s.user_id, s.business_id, s.entity_id, s.appeal_version)
              = (w.user_id, w.business_id, w.entity_id, w.version)
""")
_APPEAL = text("""
    UPDATE statements SET appeal_version = :version, appeal_text = :text, appeal_status = 0
    WHERE user_id = :user AND statement_id = :id AND appeal_version IS NULL
""")
_CLOSE = text("""
    UPDATE statements SET appeal_status = :status,
                          ended_ms = CASE WHEN :lifted THEN coalesce(ended_ms, :now) ELSE ended_ms END
    WHERE user_id = :user AND statement_id = :id AND appeal_status = 0
""")
_PAGE = text(f"""
    SELECT {_COLUMNS} FROM statements
    WHERE user_id = :user AND (moment, statement_id) < (:moment, :member)
    ORDER BY moment DESC, statement_id DESC LIMIT :count
""")  # noqa: S608 - constants
_BY_ID = text(f"""
    SELECT {_COLUMNS} FROM statements WHERE user_id = :user AND statement_id = ANY(CAST(:ids AS bigint[]))
""")  # noqa: S608 - constants
_STANDING = text(f"""
    SELECT {_COLUMNS} FROM statements
    WHERE user_id = :user AND business_id = :business AND entity_id = :entity AND restriction = :restriction
      AND ended_ms IS NULL
    ORDER BY moment DESC, statement_id DESC LIMIT 1
""")  # noqa: S608 - constants
_APPEALED = text(f"""
    SELECT {_COLUMNS} FROM statements
    WHERE business_id = ANY(CAST(:businesses AS smallint[])) AND entity_id = ANY(CAST(:entities AS bigint[]))
      AND appeal_status = 0
    ORDER BY appeal_version, user_id, statement_id
""")  # noqa: S608 - constants
_OLDEST_APPEAL = text("SELECT min(appeal_version) FROM statements WHERE appeal_status = 0")
_KNOWN = text("""
    SELECT statement_id FROM statements
    WHERE user_id = ANY(CAST(:users AS bigint[])) AND statement_id = ANY(CAST(:ids AS bigint[]))
""")
_LAST = (1 << 63) - 1


class Ended(NamedTuple):
    """Says that the restriction of an object ended at a moment. Statements about later restrictions stay."""

    user_id: int
    ref: EntityRef
    restriction: Restriction
    moment: int


class ContentAppeal(NamedTuple):
    """An appeal of an author against the rejection of a post or comment. `version` is that of the appeal."""

    user_id: int
    ref: EntityRef
    version: int


async def add(transaction: Transaction, rows: Iterable[StatementRow]) -> list[StatementRow]:
    """Stores statements of reasons. Returns those that were not stored before."""
    by_key = {(row.user_id, row.statement_id): row for row in rows}
    values = [
        (*row[:3], int(row.restriction), *row.ref, row.ground, row.facts, int(row.found_by), *row[8:11])
        for _, row in sorted(by_key.items())
    ]
    names = "users", "ids", "moments", "restrictions", "businesses", "entities", "grounds", "facts", "found_by"
    added = await transaction.execute(_ADD, **columns(values, *names, "automated", "actors", "untils"))
    return [by_key[key] for key in sorted((user_id, statement_id) for user_id, statement_id in added)]


async def end(transaction: Transaction, ended: Iterable[Ended]) -> None:
    """Stores in the statements about these restrictions that they have ended."""
    values = [(one.user_id, *one.ref, int(one.restriction), one.moment) for one in sorted(set(ended))]
    names = "users", "businesses", "entities", "restrictions", "moments"
    await transaction.execute(_END, **columns(values, *names))


async def appeal_content(transaction: Transaction, appeals: Iterable[tuple[ContentAppeal, str]]) -> None:
    """Stores in the statements about rejected posts and comments that the authors appeal, with these texts. A statement
    gets the appeal if it was in force at the time of the appeal: a later decision may have ended it already.
    """
    values = [(one.user_id, *one.ref, one.version, text_) for one, text_ in sorted(appeals)]
    names = "users", "businesses", "entities", "versions", "texts"
    await transaction.execute(_APPEAL_CONTENT, **columns(values, *names))


async def close_content(transaction: Transaction, closed: Iterable[tuple[ContentAppeal, AppealStatus]]) -> None:
    """Stores in the statements about rejected posts and comments how these appeals were decided."""
    values = [(one.user_id, *one.ref, one.version, int(status)) for one, status in sorted(closed)]
    names = "users", "businesses", "entities", "versions", "statuses"
    await transaction.execute(_CLOSE_CONTENT, **columns(values, *names))


async def appeal(transaction: Transaction, row: StatementRow, version: int, text_: str) -> None:
    """Stores the appeal of a person against a restriction, unless there was one before. `version` is that of the
    appeal.
    """
    await transaction.execute(_APPEAL, user=row.user_id, id=row.statement_id, version=version, text=text_)


async def close(transaction: Transaction, row: StatementRow, status: AppealStatus, now_ms: int) -> None:
    """Closes the open appeal against a restriction. If the appeal is granted, the restriction has ended at `now_ms`, in
    milliseconds since the Unix epoch.
    """
    lifted = status is AppealStatus.GRANTED
    place = {"user": row.user_id, "id": row.statement_id}
    await transaction.execute(_CLOSE, status=int(status), lifted=lifted, now=now_ms, **place)


async def find(transaction: Transaction, user_id: int, statement_id: int) -> StatementRow | None:
    """Returns a statement of a user as a transaction sees it; None if there is none."""
    rows = await transaction.execute(_BY_ID, user=user_id, ids=[statement_id])
    return next(map(_row, rows), None)


async def appealed(transaction: Transaction, refs: Iterable[EntityRef]) -> list[StatementRow]:
    """Returns the statements about these objects with an open appeal, oldest appeal first, as a transaction sees
    them.
    """
    wanted = {*refs}
    rows = await transaction.execute(_APPEALED, **columns(sorted(wanted), "businesses", "entities"))
    return [row for row in map(_row, rows) if row.ref in wanted]


async def known_among(postgres: Postgres, users: Iterable[int], ids: Iterable[int]) -> set[int]:
    """Returns those of the numbers `ids` that statements for these users have."""
    rows = await postgres.read(_KNOWN, users=sorted(users), ids=sorted(ids))
    return {statement_id for (statement_id,) in rows}


async def page(postgres: Postgres, user_id: int, after: Item | None, count: int) -> list[StatementRow]:
    """Returns up to `count` statements for a user, newest first, beginning after the item `after`; None: with the
    newest.
    """
    moment, member = after or (_LAST, _LAST)
    return list(map(_row, await postgres.read(_PAGE, user=user_id, moment=moment, member=member, count=count)))


async def by_id(postgres: Postgres, user_id: int, ids: Sequence[int]) -> dict[int, StatementRow]:
    """Returns those statements of a user that have these numbers, by number."""
    rows = map(_row, await postgres.read(_BY_ID, user=user_id, ids=list(ids)))
    return {row.statement_id: row for row in rows}


async def standing(postgres: Postgres, user_id: int, ref: EntityRef, restriction: Restriction) -> StatementRow | None:
    """Returns the newest statement for a user about this restriction of an object, if the restriction is in force; None
    otherwise.
    """
    about = {"business": ref.business_id, "entity": ref.entity_id, "restriction": int(restriction)}
    return next(map(_row, await postgres.read(_STANDING, user=user_id, **about)), None)


async def appealed_among(postgres: Postgres, refs: Sequence[EntityRef]) -> dict[EntityRef, list[StatementRow]]:
    """Returns, by object, the statements about these objects with an open appeal, oldest appeal first."""
    wanted = {*refs}
    rows = map(_row, await postgres.read(_APPEALED, **columns(sorted(wanted), "businesses", "entities")))
    return grouped((row.ref, row) for row in rows if row.ref in wanted)


async def oldest_appeal(postgres: Postgres) -> int | None:
    """Returns the version of the oldest open appeal against a restriction with a statement; None if none is open."""
    version: int | None = (await postgres.read(_OLDEST_APPEAL))[0][0]
    return version


def item_of(row: StatementRow) -> Item:
    """Returns the position of a statement in the list of its user, to pass to `page` as `after`."""
    return Item(row.moment, row.statement_id)


def _row(row: Sequence[Any]) -> StatementRow:
    user, id_, moment, restriction, business, entity, ground, facts, found_by, *rest = row
    automated, actor, until_ms, ended_ms, version, text_, status = rest
    appeal_ = None if version is None else StatementAppeal(version, text_ or "", AppealStatus(status))
    ref = EntityRef(business, entity)
    what = Restriction(restriction), ref, ground, facts, FoundBy(found_by), automated, actor, until_ms
    return StatementRow(user, id_, moment, *what, ended_ms, appeal_)
