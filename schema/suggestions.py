"""The type SuggestedUser, and the mutation `dismissSuggestion`."""

from typing import Any

import strawberry
from strawberry import UNSET

from commands import suggestions as commands
from commands.targets import unless_missing
from domain.ids import UserId
from models.suggestions import SuggestionReason
from schema.access import Rule, access
from schema.enums import describe_enum
from schema.fields import Info, given
from schema.payloads import IDEMPOTENCY_KEY, UserError, payload, user_errors
from schema.topics import Topic
from schema.users import User

describe_enum(
    SuggestionReason,
    "The reason why a user is suggested.",
    FOLLOWED_BY_FOLLOWED="Users whom the viewer follows also follow this user. `followedBy` has some of them.",
    SIMILAR_LIKES="The user likes posts that the viewer has liked.",
    POPULAR_IN_TOPIC="The user has written some of the hottest posts of `topic`, which the viewer follows.",
    NEW_MEMBER="The user has joined in the last 30 days and has published a post.",
)


@strawberry.type(description="A user whom the viewer (the signed-in user) may want to follow.")
class SuggestedUser:
    user: User = strawberry.field(description="The suggested user.")
    reason: SuggestionReason = strawberry.field(description="The strongest reason for this suggestion.")
    followed_by: list[User] = strawberry.field(
        description="Up to three users who follow the suggested user and whom the viewer follows. Empty unless "
        "`reason` is `FOLLOWED_BY_FOLLOWED`."
    )
    followed_by_count: int = strawberry.field(
        description="The number of users who follow the suggested user and whom the viewer follows, at the time when "
        "the suggestion was computed. Counts only the 200 users whom the viewer has followed last, and the newest 200 "
        "follows of each. 0 unless `reason` is `FOLLOWED_BY_FOLLOWED`."
    )
    topic: Topic | None = strawberry.field(
        description="The topic that the viewer follows. Null unless `reason` is `POPULAR_IN_TOPIC`."
    )
    score: float = strawberry.field(
        description="The strength of the suggestion. Suggestions with a higher score come first."
    )


@strawberry.input(description="The input of `dismissSuggestion`.")
class DismissSuggestionInput:
    user_id: strawberry.ID = strawberry.field(description="The id of the user who must not be suggested any more.")
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of `dismissSuggestion`.")
class DismissSuggestionPayload:
    subject: User | None = strawberry.field(
        name="user",
        description="The user. Null if `userErrors` is not empty, if the user is hidden from the viewer, or if no user "
        "has this id. In the last case nothing is changed.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Removes a user from the suggestions of the viewer (the signed-in user) for ever. The user cannot "
        "see this. The viewer can still follow the user. Dismissing a user again succeeds and changes nothing. Fails "
        "with `UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, `INVALID` for the viewer, "
        "`MUTE_LIMIT_REACHED`, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="boundaries"),
    )
    async def dismiss_suggestion(
        self: Any, info: Info, input: DismissSuggestionInput
    ) -> DismissSuggestionPayload | None:
        writing = commands.dismiss(info.context, input.user_id, given(input.idempotency_key))
        return await payload(unless_missing(input.user_id, UserId, writing))
