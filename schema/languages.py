"""The mutation `setLanguage`."""

from typing import Any

import strawberry
from strawberry import UNSET

import resolvers.notifications as resolve
from schema.access import Rule, access
from schema.fields import Info, given
from schema.payloads import UserError, payload, user_errors
from schema.viewer import Viewer


@strawberry.input(description="The input of `setLanguage`.")
class SetLanguageInput:
    language: str | None = strawberry.field(
        default=UNSET,
        description="The language as a tag of BCP 47, such as `en`, `zh-Hans` or `pt-BR`, at most 35 characters. It "
        "need not be one for which there are texts. Null, or no value, removes the choice.",
    )


@strawberry.type(description="The result of `setLanguage`.")
class SetLanguagePayload:
    subject: Viewer | None = strawberry.field(
        name="viewer",
        description="The viewer (the signed-in user) after the change. Null if `userErrors` is not empty.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Sets the language in which the viewer (the signed-in user) reads `Notification.message` and the "
        "texts of outgoing events. Setting the same language again succeeds and changes nothing. Fails with "
        "`UNAUTHENTICATED` if no user is signed in. User errors: `INVALID` for a text that is not a language tag.",
        metadata=access(Rule.ACCOUNT, writes="profiles"),
    )
    async def set_language(self: Any, info: Info, input: SetLanguageInput) -> SetLanguagePayload | None:
        return await payload(resolve.set_language(info.context, given(input.language)))
