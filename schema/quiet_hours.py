"""Quiet hours: their type, and the mutation `setQuietHours`."""

from typing import Any

import strawberry
from strawberry import UNSET

import resolvers.notifications as resolve
from commands.notification_preferences import QuietHoursData
from domain.quiet_hours import QuietHours as Hours
from domain.quiet_hours import text_of
from schema.access import Rule, access
from schema.fields import Info, row_type
from schema.payloads import UserError, payload, user_errors
from schema.viewer import Viewer


@strawberry.type(
    description="The hours of each day in which the viewer (the signed-in user) wants no push messages and no e-mail."
)
class QuietHours:
    is_type_of = row_type(Hours)

    @strawberry.field(name="from", description="The time at which the quiet hours begin, such as `22:00`.")
    def begin(self: Any) -> str:
        return text_of(self.begin)

    @strawberry.field(
        name="to", description="The time at which the quiet hours end: on the next day if it is before `from`."
    )
    def end(self: Any) -> str:
        return text_of(self.end)

    zone: str = strawberry.field(
        name="timeZone", description="The time zone of both times, a name of the IANA database such as `Asia/Shanghai`."
    )


@strawberry.input(description="Quiet hours.")
class QuietHoursInput:
    begin: str = strawberry.field(
        name="from", description="The time at which the quiet hours begin, from `00:00` to `23:59`."
    )
    end: str = strawberry.field(
        name="to", description="The time at which the quiet hours end: on the next day if it is before `from`."
    )
    zone: str = strawberry.field(
        name="timeZone", description="The time zone of both times, a name of the IANA database such as `Asia/Shanghai`."
    )


@strawberry.input(description="The input of `setQuietHours`.")
class SetQuietHoursInput:
    quiet_hours: QuietHoursInput | None = strawberry.field(
        default=UNSET, description="The quiet hours. Null, or no value, removes the quiet hours."
    )


@strawberry.type(description="The result of `setQuietHours`.")
class SetQuietHoursPayload:
    subject: Viewer | None = strawberry.field(
        name="viewer",
        description="The viewer (the signed-in user) after the change. Null if `userErrors` is not empty.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Sets the hours of each day in which the viewer (the signed-in user) wants no push messages and no "
        "e-mail. Notifications still come into `Viewer.notifications` and `notificationReceived`. The outgoing event "
        "`notification.created` says when the quiet hours end (`quietUntil`). Setting the same values again succeeds "
        "and changes nothing. Fails with `UNAUTHENTICATED` if no user is signed in. User errors: `INVALID` for a "
        "time or a time zone that does not exist, and for two times that are the same.",
        metadata=access(Rule.ACCOUNT, writes="notifications"),
    )
    async def set_quiet_hours(self: Any, info: Info, input: SetQuietHoursInput) -> SetQuietHoursPayload | None:
        hours = input.quiet_hours
        data = QuietHoursData(hours.begin, hours.end, hours.zone) if hours else None
        return await payload(resolve.set_quiet_hours(info.context, data))
