"""The mutation with which a service creates users, or changes them, to match the service's own user database."""

from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any

import strawberry
from strawberry import UNSET

from commands import user_upserts as commands
from commands.user_upserts import UserUpsert
from schema.access import Rule, access
from schema.fields import Info, set_or_cleared
from schema.payloads import Payload, UserError
from schema.profiles import UpdateProfileInput
from schema.scalars import JSON
from schema.users import User


@strawberry.input(
    description="A user to create or to change. In a user who exists, a field that you omit keeps its value. Null in "
    "`handle`, `displayName`, `bio` or `isPrivate` fails with `BAD_INPUT`."
)
class UserUpsertInput:
    external_id: str = strawberry.field(
        description="The id of the user at the identity provider that issued the caller's token: the claim `sub` of "
        "the user's own tokens. 1 to 255 characters."
    )
    handle: str | None = strawberry.field(
        default=UNSET,
        description="The handle (the unique name of the user): 2 to 64 of the characters `a-z`, `0-9`, `_`, `.` and "
        "`-`. Each `.` and `-` must stand between two of the other characters. Upper case is converted to lower case. "
        "If you omit it, a new user gets a handle made from the display name or at random.",
    )
    display_name: str | None = strawberry.field(
        default=UNSET,
        description="The name of the user to show to others, 1 to 64 characters. If you omit it, the name of a new "
        "user is the handle.",
    )
    avatar_url: str | None = strawberry.field(
        default=UNSET,
        description="The https URL of the profile picture, at most 2000 characters. The host must be one that the "
        "operator of this deployment allows. Null removes the picture.",
    )
    bio: str | None = strawberry.field(
        default=UNSET,
        description="The text that describes the user, at most 500 characters. An empty string removes it.",
    )
    is_private: bool | None = strawberry.field(
        default=UNSET,
        description="Whether the account is private: only followers see the user's posts, likes and lists of users. "
        "If you omit it, the account of a new user is public.",
    )
    custom: JSON | None = strawberry.field(
        default=UNSET, description="Custom data of the user, which all callers can read. Null removes it."
    )
    language: str | None = strawberry.field(
        default=UNSET,
        description="The language in which the user reads notifications, as a tag of BCP 47 such as `en` or `zh-Hans`. "
        "It replaces the user's own choice. Null removes it.",
    )

    age_band: str | None = strawberry.field(
        default=UNSET,
        description="The age band of the user, one of those that the operator of this deployment has configured. It "
        "applies if the token of a request states no age band. Null removes it. Only the user can read it.",
    )
    created_at: datetime | None = strawberry.field(
        default=UNSET,
        description="When the user joined, in the past and not before the year 2000. It becomes `User.createdAt` of a "
        "new user, so that moderation does not treat long-standing members as new accounts. If you omit it or pass "
        "null, a new user joins now. For a user who exists it has no effect.",
    )

    def data(self) -> UserUpsert:
        """Returns the user in the form that the command upsertUsers takes. Raises BadInput for null in a field that
        cannot be null.
        """
        profile = UpdateProfileInput(
            handle=self.handle,
            display_name=self.display_name,
            avatar_url=self.avatar_url,
            bio=self.bio,
            is_private=self.is_private,
        )
        change = replace(
            profile.change(),
            custom=set_or_cleared(self.custom),
            age_band=set_or_cleared(self.age_band),
            language=set_or_cleared(self.language),
        )
        return UserUpsert(self.external_id, change, self.created_at or None)


@strawberry.type(description="The result of `upsertUsers`.")
class UpsertUsersPayload:
    subject: list[User | None] | None = strawberry.field(
        name="users",
        description="The users after the change, in the order of the input. An item is null if `userErrors` has an "
        "error for it, or if the user is temporarily unavailable (see `extensions.degraded`).",
    )
    user_errors: list[UserError] = strawberry.field(
        description='The reasons why items were refused. `field` begins with the position of the item: `["users", "3", '
        '"handle"]`. A refused item changes nothing; all other items are written.'
    )


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Creates and changes 1 to 100 users of the identity provider that issued the caller's token, so "
        "that profiles follow the system of the caller. An item that is refused does not stop the others. Repeating "
        "the request changes nothing. Requires a token with the scope `users:write`. User errors: `HANDLE_TAKEN`, "
        "`TEXT_TOO_LONG`, `TEXT_INVALID`, `IMAGE_NOT_ALLOWED`, and `INVALID` for a malformed external id or handle, an "
        "empty display name, a `createdAt` in the future or before 2000, an unknown age band, or a user who "
        "is listed twice.",
        metadata=access(Rule.ACCOUNT, writes="users"),
    )
    async def upsert_users(
        self: Any,
        info: Info,
        users: Annotated[
            list[UserUpsertInput],
            strawberry.argument(
                description="The users to create or change: 1 to 100. Any other number fails with `BAD_INPUT`."
            ),
        ],
    ) -> UpsertUsersPayload | None:
        rows, errors = await commands.upsert(info.context, [one.data() for one in users])
        return Payload(rows, tuple(errors))  # type: ignore[return-value]
