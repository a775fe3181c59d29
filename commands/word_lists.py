"""The word list of moderation: reads it and puts changed lists into force. `plaudit words` and the administration API
call these functions.
"""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from commands import admin
from context import Context
from domain import texts
from domain.errors import BadInput, Refused, UserErrorCode
from domain.moderation import word_list
from domain.moderation.word_list import WordList
from models.moderation import WordListChange
from state import State
from store.moderation import word_lists
from store.postgres.client import Postgres

LONGEST = 1_000_000
"""The most characters of a list. A process needs about a second to read a list of this length."""
_LONGEST_REASON = 500


@dataclass(frozen=True, slots=True, eq=False)
class Revision:
    """A revision of the word list. `change` is None for the list in the configured file, which has no revision."""

    text: str
    change: WordListChange | None


def parsed(text: str, name: str, labels: Collection[str] | None) -> WordList:
    """Returns the word list that a text contains. `name` names the text in messages. `labels` are the names of the
    configured labels; None allows all names. Raises ValueError if the text is too long or a line is invalid.
    """
    if len(text) > LONGEST:
        raise ValueError(f"{name}: this list has {len(text):,} characters; the limit is {LONGEST:,}")
    return word_list.parse(text, name, labels)


async def revision(state: State, number: int | None) -> Revision | None:
    """Returns a revision of the word list; without a number, the list that is in force. Returns None for an unknown
    revision. Raises OSError or ValueError if the configured file cannot be read.
    """
    newest = await word_lists.page(state.postgres, None if number is None else number + 1, 1)
    if newest and number in (None, newest[0].revision):
        text = await word_lists.words_at(state.postgres, newest[0].revision)
        return None if text is None else Revision(text, newest[0])
    return None if number is not None else Revision(await asyncio.to_thread(_configured, state), None)


def _configured(state: State) -> str:
    return word_list.read_text(state.settings.moderation.words_file)


async def put(postgres: Postgres, text: str, by: str, reason: str | None) -> int:
    """Puts the text of a valid word list into force. Returns the number of its revision."""
    return await word_lists.add(postgres, text, by, reason)


# The administration API


async def replace(context: Context, text: str, reason: str | None) -> Revision:
    """Puts a word list into force. Returns its revision.

    Raises Unauthenticated, Forbidden; Refused with INVALID if the text is too long or has invalid lines, with
    TEXT_TOO_LONG or TEXT_INVALID for the reason.
    """
    by = admin.author(context)
    why = None if reason is None else texts.line(reason, _LONGEST_REASON, "reason")
    await _check(context.state, text)
    return await _changed(context, "word list replaced", await put(context.state.postgres, text, by, why))


async def remove_words(context: Context, words: Sequence[str], reason: str | None) -> Revision:
    """Removes words from the word list: all of them or, after an error, none. Returns the new revision.

    Raises Unauthenticated, Forbidden; BadInput for no or too many words; Refused with TARGET_NOT_FOUND if the list does
    not have a word, with TEXT_TOO_LONG or TEXT_INVALID for the reason.
    """
    by, state = admin.author(context), context.state
    if not 1 <= len(words) <= admin.MOST_NAMED:
        raise BadInput(f"Pass 1 to {admin.MOST_NAMED} words.")
    why = None if reason is None else texts.line(reason, _LONGEST_REASON, "reason")
    configured = await asyncio.to_thread(_configured, state)

    def after(newest: str | None) -> str:
        text, missing = word_list.without(configured if newest is None else newest, words)
        if missing:
            message = "The word list does not have this word."
            raise Refused.because(UserErrorCode.TARGET_NOT_FOUND, message, "words", str(words.index(missing[0])))
        return text

    return await _changed(context, "words removed", await word_lists.change(state.postgres, after, by, why))


async def _check(state: State, text: str) -> None:
    labels = {label.name for label in state.settings.labels.label}
    if not texts.is_storable(text.replace("\r", "")):
        raise Refused.because(UserErrorCode.INVALID, "The list has a control character.", "text")
    try:
        await asyncio.to_thread(parsed, text, "text", labels)
    except ValueError as error:
        raise Refused.because(UserErrorCode.INVALID, str(error)[:_LONGEST_REASON], "text") from None


async def _changed(context: Context, change: str, number: int) -> Revision:
    """Logs a change of the word list, and returns the revision that the change has made."""
    admin.log_change(context, change, [str(number)])
    found = await revision(context.state, number)
    assert found is not None  # revisions are never removed
    return found
