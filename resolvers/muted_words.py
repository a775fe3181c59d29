"""The words that the viewer mutes."""

from collections.abc import Sequence
from datetime import datetime

from context import Context
from domain import muted_words, times
from domain.errors import Unavailable
from domain.muted_words import MutedWord, MutedWordTarget
from models.base import at
from models.users import ViewerRow


async def of_viewer(context: Context, viewers: Sequence[ViewerRow]) -> list[list[MutedWord] | Unavailable]:
    """Resolves Viewer.mutedWords: the words that the viewer mutes now, last muted first; Unavailable if they cannot be
    read. There is one viewer per request.
    """
    try:
        words = (await context.own.boundaries.get()).words
    except Unavailable as error:
        return [error] * len(viewers)
    now_ms = context.state.now_ms()
    return [[word for word in muted_words.loads(words) if word.is_muted(now_ms)]] * len(viewers)


def word(
    text: str,
    targets: Sequence[MutedWordTarget],
    until: datetime | None,
    *,
    whole_word: bool,
    except_followed: bool,
) -> MutedWord:
    """Returns the muted word of an input."""
    until_ms = times.end_ms(until) if until else 0
    return MutedWord(text, sum({*targets}), whole_word, except_followed, until_ms)


def until(word: MutedWord) -> datetime | None:
    """Resolves MutedWord.until: the time when the word stops muting; None if it has no end."""
    return at(word.until_ms) if word.until_ms else None
