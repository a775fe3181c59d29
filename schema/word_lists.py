"""The word list of moderation in the administration API: the fields of `Query.admin`, and the mutations."""

from datetime import datetime
from typing import Annotated, Any

import strawberry
from strawberry import UNSET

import resolvers.word_lists as resolve
from commands import word_lists as commands
from schema.access import Rule, access
from schema.connections import Connection, Edge
from schema.fields import After, First, Info, given
from schema.payloads import UserError, payload, user_errors


@strawberry.type(description="A change of the word list of moderation.")
class WordListChange:
    revision: int = strawberry.field(description="The number of the revision that the change has made.")
    changed_at: datetime = strawberry.field(description="The time of the change.")
    changed_by: str = strawberry.field(
        description="Who made the change: the name that the operator gave, or the `sub` of the token."
    )
    reason: str | None = strawberry.field(description="The reason of the change. Null without one.")


@strawberry.type(description="A change of the word list in a list of changes.")
class WordListChangeEdge(Edge[WordListChange]):
    pass


@strawberry.type(description="A page of a list of changes of the word list.")
class WordListChangeConnection(Connection[WordListChange, WordListChangeEdge]):
    pass


@strawberry.type(description="A revision of the word list of moderation.")
class WordList:
    text: str = strawberry.field(
        description="The list: one word or phrase in each line, after `reject:`, `review:` (the default) or "
        "`label NAME:`. Comments begin with `#`."
    )
    change: WordListChange | None = strawberry.field(
        description="The change that made this revision. Null for the list of the file that the operator has "
        "configured, which is in force until the first change."
    )


@strawberry.type
class WordListFields:
    @strawberry.field(
        description="A revision of the word list of moderation. Null for an unknown revision, or if the value is "
        "temporarily unavailable."
    )
    async def word_list(
        self: Any,
        info: Info,
        revision: Annotated[
            int | None,
            strawberry.argument(description="The number of the revision. The list that is in force if you omit it."),
        ] = UNSET,
    ) -> WordList | None:
        return await resolve.revision(info.context, given(revision))  # type: ignore[return-value]

    @strawberry.field(
        description="The changes of the word list, newest first. Null if the value is temporarily unavailable."
    )
    async def word_list_changes(
        self: Any, info: Info, first: First = 20, after: After = UNSET
    ) -> WordListChangeConnection | None:
        return await resolve.changes(info.context, first, given(after))  # type: ignore[return-value]


@strawberry.input(description="The input of `importWordList`.")
class ImportWordListInput:
    text: str = strawberry.field(
        description="The whole list, in the form of `WordList.text`: at most 1,000,000 "
        "characters, and not more than a request may have."
    )
    reason: str | None = strawberry.field(
        default=UNSET, description="The reason of the change, for the log of changes: at most 500 characters."
    )


@strawberry.input(description="The input of `removeWords`.")
class RemoveWordsInput:
    words: list[str] = strawberry.field(
        description="The words or phrases: 1 to 100. Each line of the list with one of them is removed. They are "
        "compared as in texts: `CASINO` removes `casino`."
    )
    reason: str | None = strawberry.field(
        default=UNSET, description="The reason of the change, for the log of changes: at most 500 characters."
    )


@strawberry.type(description="The result of `importWordList` and `removeWords`.")
class WordListPayload:
    subject: WordList | None = strawberry.field(
        name="wordList", description="The list that is in force now. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


_RULES = " Requires a token with the scope `admin`, without restriction to businesses."


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Puts a word list into force, in place of the list before: workers and APIs use it for all texts "
        "that they check from now on. User errors: `INVALID` if the list is too long or has an invalid line, "
        "`TEXT_TOO_LONG` and `TEXT_INVALID` for the reason." + _RULES,
        metadata=access(Rule.ACCOUNT, writes="admin"),
    )
    async def import_word_list(self: Any, info: Info, input: ImportWordListInput) -> WordListPayload | None:
        return await payload(commands.replace(info.context, input.text, given(input.reason)))

    @strawberry.mutation(
        description="Removes words from the word list: all or none. User errors: `TARGET_NOT_FOUND` if the list does "
        "not have a word, `TEXT_TOO_LONG` and `TEXT_INVALID` for the reason." + _RULES,
        metadata=access(Rule.ACCOUNT, writes="admin"),
    )
    async def remove_words(self: Any, info: Info, input: RemoveWordsInput) -> WordListPayload | None:
        return await payload(commands.remove_words(info.context, input.words, given(input.reason)))
