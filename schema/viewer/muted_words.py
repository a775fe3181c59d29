"""The type MutedWord, and the field of Viewer that lists muted words."""

from datetime import datetime
from typing import Any

import strawberry

import resolvers.muted_words as resolve
from domain.muted_words import MutedWord as MutedWordRow
from domain.muted_words import MutedWordTarget
from schema.access import Rule, access
from schema.enums import describe_enum
from schema.fields import listed, row_type

describe_enum(
    MutedWordTarget,
    "What a muted word is compared with.",
    TEXT="The text of the post or comment, the descriptions of its images, videos and audio files, the display name "
    "and the handle of its author, and the text and the descriptions of a quoted post.",
    TOPICS="The topics of a post. `cute cats` also matches the topics `cute_cats` and `cutecats`.",
)


@strawberry.type(description="A word, phrase or topic that the viewer (the signed-in user) mutes.")
class MutedWord:
    is_type_of = row_type(MutedWordRow)

    word_id: strawberry.ID = strawberry.field(
        name="id", description="The id of the word for `unmuteWords`. A word with the same text has the same id."
    )
    text: str = strawberry.field(description="The word, phrase or topic.")
    target_list: list[MutedWordTarget] = strawberry.field(name="targets", description="What the word is compared with.")
    whole_word: bool = strawberry.field(
        description="Whether the word matches only whole words, in scripts with spaces between words."
    )
    except_followed: bool = strawberry.field(
        description="If true, the word hides no posts and comments of users whom the viewer follows."
    )

    @strawberry.field(description="The time when the word stops muting. Null if it has no end.")
    def until(self: Any) -> datetime | None:
        return resolve.until(self)


@strawberry.type
class Fields:
    muted_words: list[MutedWord] | None = listed(
        resolve.of_viewer,
        description="The words, phrases and topics that the viewer (the signed-in user) mutes now, the last muted one "
        "first, at most 500. Null if the value is temporarily unavailable.",
        metadata=access(Rule.ACCOUNT),
    )
