"""The lists of forbidden and suspicious words that operators set at run time. The newest list is in force. If there is
none, the file that the settings name is in force.
"""

import asyncio
from collections.abc import Callable

from sqlalchemy import text

from domain.moderation import word_list
from domain.moderation.pipeline import Pipeline
from domain.moderation.word_list import WordList
from models.moderation import WordListChange
from observability.logs import Log
from store.postgres.client import Postgres, Transaction

log = Log(__name__)

_NEWEST_BETWEEN = text("""
    SELECT revision, words FROM word_lists WHERE revision > :above AND revision < :below ORDER BY revision DESC LIMIT 1
""")
_AT = text("SELECT words FROM word_lists WHERE revision = :revision")
_CHANGES = text("SELECT revision, changed_by, reason, changed_at FROM word_lists ORDER BY revision")
_PAGE = text("""
    SELECT revision, changed_by, reason, changed_at FROM word_lists
    WHERE revision < :below ORDER BY revision DESC LIMIT :count
""")
_HOLD = text("LOCK TABLE word_lists IN SHARE ROW EXCLUSIVE MODE")
_ADD = text("""
    INSERT INTO word_lists (revision, words, changed_by, reason, changed_at)
    VALUES (:revision, :words, :changed_by, :reason, clock_timestamp())
""")
_LAST = (1 << 31) - 1


async def follow(source: Postgres | Transaction, pipeline: Pipeline) -> None:
    """Makes a moderation pipeline use the newest word list. Call this function each time before the process checks
    texts. Then a new list holds for all texts that any process checks after the list was added.

    If this version of Plaudit cannot read the newest list, logs an error and uses the list before it. Otherwise one bad
    row would keep workers from storing anything.
    """
    ask = source.read if isinstance(source, Postgres) else source.execute
    newest, below, words = 0, _LAST, None
    while words is None and (rows := await ask(_NEWEST_BETWEEN, above=pipeline.words_revision, below=below)):
        below = rows[0].revision
        newest = newest or below
        words = await asyncio.to_thread(_parsed, below, rows[0].words)
    pipeline.use_words(newest, words)


def _parsed(revision: int, words: str) -> WordList | None:
    try:
        return word_list.parse(words, f"word list {revision}")
    except ValueError as error:
        log.error("a word list cannot be read", error=str(error))  # noqa: TRY400 - Log has no `exception`
        return None


async def add(postgres: Postgres, words: str, changed_by: str, reason: str | None) -> int:
    """Stores `words`, the text of a valid word list, as the list that is in force from now on, with who changed it and
    why. Returns the number of its revision.
    """
    return await change(postgres, lambda _: words, changed_by, reason)


async def change(postgres: Postgres, after: Callable[[str | None], str], changed_by: str, reason: str | None) -> int:
    """Stores the text that `after` returns as the list that is in force from now on. `after` gets the text of the
    newest stored list, or None if no list is stored; it runs in a thread. No other change comes in between. Returns the
    number of the new revision. If `after` raises an exception, nothing is stored.
    """
    async with postgres.transaction() as transaction:
        await transaction.execute(_HOLD)
        newest = await transaction.execute(_NEWEST_BETWEEN, above=0, below=_LAST)
        revision, words = newest[0] if newest else (0, None)
        words = await asyncio.to_thread(after, words)
        await transaction.execute(_ADD, revision=revision + 1, words=words, changed_by=changed_by, reason=reason)
        return int(revision) + 1


async def words_at(postgres: Postgres, revision: int) -> str | None:
    """Returns the text of a revision of the word list, or None if there is no such revision."""
    rows = await postgres.read(_AT, revision=revision)
    return str(rows[0].words) if rows else None


async def page(postgres: Postgres, below: int | None, count: int) -> list[WordListChange]:
    """Returns up to `count` changes of the word list, newest first: those with revisions lower than `below`, or the
    newest ones if it is None.
    """
    rows = await postgres.read(_PAGE, below=_LAST if below is None else below, count=count)
    return [WordListChange(*row) for row in rows]


async def changes(postgres: Postgres) -> list[WordListChange]:
    """Returns all changes of the word list, oldest first: who made each, when and why."""
    return [WordListChange(*row) for row in await postgres.read(_CHANGES)]
