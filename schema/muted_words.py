"""The mutations that mute and unmute words."""

from datetime import datetime
from typing import Any

import strawberry
from strawberry import UNSET

import resolvers.muted_words as resolve
from commands import muted_words as commands
from domain.muted_words import MutedWordTarget
from schema.access import Rule, access
from schema.fields import Info, given
from schema.payloads import IDEMPOTENCY_KEY, UserError, payload, user_errors
from schema.viewer import Viewer


def _both() -> list[MutedWordTarget]:
    return list(MutedWordTarget)


@strawberry.input(description="A word, phrase or topic to mute.")
class MutedWordInput:
    text: str = strawberry.field(
        description="The word or phrase: 1 to 100 characters. `#cats` matches the topic, and the text `#cats`. Case, "
        "width and repeated spaces do not matter."
    )
    targets: list[MutedWordTarget] = strawberry.field(
        default_factory=_both, description="What the word is compared with, at least one of them."
    )
    whole_word: bool = strawberry.field(
        default=True,
        description="Whether the word matches only whole words. In scripts without spaces between words, such as "
        "Chinese, Japanese and Thai, a word always matches anywhere.",
    )
    except_followed: bool = strawberry.field(
        default=False, description="If true, the word hides no posts and comments of users whom the viewer follows."
    )
    until: datetime | None = strawberry.field(
        default=UNSET,
        description="The time when the word stops muting, in the future. Omit it for a mute without an end.",
    )


@strawberry.input(description="The input of `muteWords`.")
class MuteWordsInput:
    words: list[MutedWordInput] = strawberry.field(description="The words to mute: 1 to 100.")
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.input(description="The input of `unmuteWords`. It has 1 to 100 ids and texts in all.")
class UnmuteWordsInput:
    ids: list[strawberry.ID] = strawberry.field(default_factory=list, description="The ids of muted words.")
    texts: list[str] = strawberry.field(default_factory=list, description="The texts of muted words.")
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of `muteWords` and `unmuteWords`.")
class MuteWordsPayload:
    subject: Viewer | None = strawberry.field(
        name="viewer",
        description="The viewer (the signed-in user) after the change. Null if `userErrors` is not empty.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Makes the viewer (the signed-in user) mute words, phrases and topics, all of them together. The "
        "lists of several authors leave out posts and comments of other users that have one of the words in their "
        "text, in the descriptions of their images, in their topics, in the name or handle of their author, or in the "
        "text of a quoted post; a comment with public replies stays as a tombstone. The viewer gets no notifications "
        "about them. `node`, `post` and the profiles of the authors still show them. Other users cannot see this. A "
        "word replaces an earlier one with the same text. The viewer can mute 500 words. Fails with "
        "`UNAUTHENTICATED` if no user is signed in, and with `BAD_INPUT` if there are not 1 to 100 words or if an "
        "`until` is not in the future. User errors: `INVALID` for a text without a visible character and for a word "
        "without targets, `TEXT_TOO_LONG`, `TEXT_INVALID`, `MUTE_LIMIT_REACHED`, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="profiles"),
    )
    async def mute_words(self: Any, info: Info, input: MuteWordsInput) -> MuteWordsPayload | None:
        words = [
            resolve.word(
                one.text,
                one.targets,
                given(one.until),
                whole_word=one.whole_word,
                except_followed=one.except_followed,
            )
            for one in input.words
        ]
        return await payload(commands.mute(info.context, words, given(input.idempotency_key)))

    @strawberry.mutation(
        description="Ends mutes of words of the viewer (the signed-in user). Ignores words that the viewer does not "
        "mute. Fails with `UNAUTHENTICATED` if no user is signed in, and with `BAD_INPUT` if there are not 1 to 100 "
        "ids and texts. User errors: `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="profiles"),
    )
    async def unmute_words(self: Any, info: Info, input: UnmuteWordsInput) -> MuteWordsPayload | None:
        key = given(input.idempotency_key)
        return await payload(commands.unmute(info.context, input.ids, input.texts, key))
