"""muteWords and unmuteWords: each checks its input and appends one change to the write log, which acknowledges the
change of all words together.
"""

from collections.abc import Callable, Collection, Sequence

import orjson

from commands.own_sets import OwnChange
from commands.write import Write
from context import Context
from domain import muted_words, texts, times
from domain.errors import BadInput, Refused, Unavailable, UserErrorCode
from domain.muted_words import LONGEST_WORD, MOST_BYTES, MOST_WORDS, MutedWord
from models.content_follows import text_of
from models.muted_words import MUTED_WORDS, WORDS_REF
from models.own_sets import NO_TEXT, Transition
from models.users import ViewerRow
from store.write_log.operations import Status

MOST_AT_ONCE = 100
"""The most words that one request mutes or unmutes."""
_ATTEMPTS = 4
"""How often the change is tried. An attempt fails if another device changes the words between reading and writing."""
Words = Sequence[MutedWord]


async def mute(context: Context, words: Words, idempotency_key: str | None) -> ViewerRow:
    """Makes the viewer mute words, all of them together and exactly once. A word with the same folded text as an
    earlier one replaces it. Returns the viewer.

    Raises Unauthenticated, RateLimited, Unavailable; BadInput if there are not 1 to 100 words, and if a word ends in
    the past; Refused with INVALID, TEXT_TOO_LONG, TEXT_INVALID, MUTE_LIMIT_REACHED if the viewer would mute too many
    words, or words that are too long together, or IDEMPOTENCY_MISMATCH.
    """
    _check_count(len(words), "words")
    async with Write(context, "muteWords", idempotency_key, list(map(list, words))) as write:
        new = {word.key: word for word in map(_checked, range(len(words)), words)}
        for word in words:
            if word.until_ms:
                times.check_future(word.until_ms, context.state.now_ms())

        def after(old: Words) -> Words:
            all_words = [*new.values(), *(word for word in old if word.key not in new)]
            if len(all_words) > MOST_WORDS:
                message = f"You can mute at most {MOST_WORDS} words."
                raise Refused.because(UserErrorCode.MUTE_LIMIT_REACHED, message, "words")
            if len(muted_words.dumps(all_words).encode()) > MOST_BYTES:
                message = f"All muted words together have at most {MOST_BYTES} bytes. Mute fewer or shorter words."
                raise Refused.because(UserErrorCode.MUTE_LIMIT_REACHED, message, "words")
            return all_words

        await _change(context, write, after)
    return _viewer(context)


async def unmute(
    context: Context, ids: Collection[str], given: Collection[str], idempotency_key: str | None
) -> ViewerRow:
    """Ends the viewer's mutes of words, which are given by their ids or their texts, exactly once. Returns the viewer.
    Leaves out words that the viewer does not mute.

    Raises Unauthenticated, RateLimited, Unavailable; BadInput if there are not 1 to 100 ids and texts; Refused with
    IDEMPOTENCY_MISMATCH.
    """
    _check_count(len(ids) + len(given), "ids and texts")
    async with Write(context, "unmuteWords", idempotency_key, list(ids), list(given)) as write:
        gone = {*ids, *(MutedWord(text, 0).word_id for text in given if len(text) <= LONGEST_WORD)}
        await _change(context, write, lambda old: [word for word in old if word.word_id not in gone])
    return _viewer(context)


async def _change(context: Context, write: Write, after: Callable[[Words], Words]) -> None:
    """Changes the viewer's words to those that `after` returns. `after` takes the words that mute now: words that have
    expired are removed.
    """
    await write.ready()
    for _ in range(_ATTEMPTS):
        stored = (await context.own.boundaries.get()).words
        now_ms = context.state.now_ms()
        words = muted_words.dumps(after([word for word in muted_words.loads(stored) if word.is_muted(now_ms)]))
        business_id, entity_id = WORDS_REF
        entry = {"actor": write.actor_id, "business": business_id, "entity": entity_id, "words": words}
        data, text, expected = orjson.dumps(entry), text_of(words), text_of(stored) or NO_TEXT
        change = OwnChange(Transition(MUTED_WORDS, WORDS_REF, 1, data, text=text, expected=expected))
        outcome = await write.append(change)
        context.forget()
        if outcome.status is not Status.CHANGED:
            return
    raise Unavailable("Your muted words are being changed.")


def _checked(place: int, word: MutedWord) -> MutedWord:
    """Returns a word as it is stored. Raises Refused if it cannot be muted."""
    field = "words", str(place)
    text = texts.line(word.text, LONGEST_WORD, *field, "text", empty=False)
    word = word._replace(text=text)
    if not word.key:
        raise Refused.because(UserErrorCode.INVALID, "This text has no visible character.", *field, "text")
    if not word.targets:
        raise Refused.because(UserErrorCode.INVALID, "A muted word has at least one target.", *field, "targets")
    return word


def _check_count(count: int, what: str) -> None:
    if not 1 <= count <= MOST_AT_ONCE:
        raise BadInput(f"A request has 1 to {MOST_AT_ONCE} {what}.")


def _viewer(context: Context) -> ViewerRow:
    return ViewerRow(context.require_viewer().user_id)
