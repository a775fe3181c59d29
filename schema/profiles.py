"""The mutations that change a profile and register users."""

from typing import Annotated, Any

import strawberry
from strawberry import UNSET

from commands import users as commands
from commands.users import ProfileChange, UserData
from domain.errors import BadInput
from schema.access import Rule, access
from schema.fields import Info, given
from schema.payloads import UserError, payload, user_errors
from schema.users import User


@strawberry.input(
    description="The input of `updateProfile`. A field that you omit keeps its value. Null in `handle`, `displayName`, "
    "`bio` or `isPrivate` fails with `BAD_INPUT`."
)
class UpdateProfileInput:
    handle: str | None = strawberry.field(
        default=UNSET,
        description="The new handle (the unique name of the user): 2 to 30 of the characters `a-z`, `0-9` and `_`. "
        "`.` and `-` between two of these characters only if the operator of this deployment allows them. Upper case "
        "is converted to lower case. For 30 days by default, no other user can take the old handle, and the user can "
        "take it back.",
    )
    display_name: str | None = strawberry.field(
        default=UNSET,
        description="The new display name, 1 to 64 characters. A reserved name, which readers could mistake for staff, "
        "fails with `TEXT_NOT_ALLOWED`.",
    )
    avatar_url: str | None = strawberry.field(
        default=UNSET,
        description="The https URL of the new profile picture, at most 2000 characters. The host must be one that the "
        "operator of this deployment allows. Null removes the picture.",
    )
    bio: str | None = strawberry.field(
        default=UNSET,
        description="The new bio (the text in which the user describes themselves), at most 500 characters. An empty "
        "string removes the bio.",
    )
    is_private: bool | None = strawberry.field(
        default=UNSET,
        description="Whether the account is private: only followers see the user's posts, likes and lists of users, "
        "and `follow` asks for permission. Followers stay when an account becomes private. Requests stay open when an "
        "account becomes public.",
    )

    def change(self) -> ProfileChange:
        """Returns the change in the form that the command updateProfile takes. Raises BadInput for null in `handle`,
        `displayName`, `bio` or `isPrivate`.
        """
        if None in (self.handle, self.display_name, self.bio, self.is_private):
            raise BadInput("handle, displayName, bio and isPrivate cannot be null. Omit a field to keep its value.")
        return ProfileChange(
            handle=given(self.handle),
            display_name=given(self.display_name),
            bio=given(self.bio),
            sets_avatar=self.avatar_url is not UNSET,
            avatar_url=given(self.avatar_url),
            is_private=given(self.is_private),
        )


@strawberry.input(description="A user to register. A user who exists already is not changed.")
class UserInput:
    external_id: str = strawberry.field(
        description="The id of the user at the identity provider that issued the caller's token: the claim `sub` of "
        "the user's own tokens. 1 to 255 characters."
    )
    handle: str | None = strawberry.field(
        default=UNSET,
        description="The preferred handle (the unique name of the user): 2 to 64 of the characters `a-z`, `0-9`, `_`, "
        "`.` and `-`. Each `.` and `-` must stand between two of the other characters. Upper case is converted to "
        "lower case. If another user has it, digits are appended. If you omit it, a handle is made from the display "
        "name or at random.",
    )
    display_name: str | None = strawberry.field(
        default=UNSET,
        description="The name of the user to show to others, at most 64 characters. If you omit it, it is the handle.",
    )
    avatar_url: str | None = strawberry.field(
        default=UNSET,
        description="The https URL of the profile picture, at most 2000 characters. The host must be one that the "
        "operator of this deployment allows. Omit it if there is none.",
    )

    def data(self) -> UserData:
        """Returns the user in the form that the command registerUsers takes."""
        return UserData(self.external_id, given(self.handle), given(self.display_name), given(self.avatar_url))


@strawberry.type(description="The result of `updateProfile`.")
class UpdateProfilePayload:
    subject: User | None = strawberry.field(
        name="user", description="The viewer (the signed-in user) after the change. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type(description="The result of `registerUsers`.")
class RegisterUsersPayload:
    subject: list[User] | None = strawberry.field(
        name="users",
        description="The users in the order of the input: new users, and users who existed already. Null if "
        "`userErrors` is not empty.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Changes the profile of the viewer (the signed-in user). Fields that you omit keep their values. "
        "Fails with `UNAUTHENTICATED` if no user is signed in. User errors: `HANDLE_TAKEN`, `SUSPENDED`, "
        "`TEXT_NOT_ALLOWED`, `TEXT_TOO_LONG`, `TEXT_INVALID`, `IMAGE_NOT_ALLOWED`, and `INVALID` for a malformed "
        "handle or an empty display name.",
        metadata=access(Rule.ACCOUNT, writes="profiles"),
    )
    async def update_profile(self: Any, info: Info, input: UpdateProfileInput) -> UpdateProfilePayload | None:
        return await payload(commands.update_profile(info.context, input.change()))

    @strawberry.mutation(
        description="Registers 1 to 100 users of the identity provider that issued the caller's token: either all or "
        "none. Users who exist already are not changed. Requires a token with the scope `users:write`. User errors: "
        "`TEXT_TOO_LONG`, `TEXT_INVALID`, `IMAGE_NOT_ALLOWED`, and `INVALID` for a malformed handle.",
        metadata=access(Rule.ACCOUNT, writes="users"),
    )
    async def register_users(
        self: Any,
        info: Info,
        users: Annotated[
            list[UserInput],
            strawberry.argument(
                description="The users to register: 1 to 100. Any other number fails with `BAD_INPUT`."
            ),
        ],
    ) -> RegisterUsersPayload | None:
        return await payload(commands.register(info.context, [one.data() for one in users]))
