"""setNotificationPreferences and setQuietHours: store in Postgres which kinds of notifications the viewer wants, and
when the viewer wants no push messages.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from commands import suspended
from context import Context
from domain.errors import BadInput, Refused, UserErrorCode
from domain.quiet_hours import QuietHours, minute_of, zone_of
from models.notifications import OWN_KINDS, NotificationKind, NotificationPreference
from store.notifications import preferences


async def change(context: Context, wanted: Sequence[NotificationPreference]) -> None:
    """Stores which kinds of notifications the viewer wants. Kinds that are not in `wanted` stay as they are.

    Raises Unauthenticated, AccountDeleted, Unavailable; BadInput if a kind is given twice; Refused with INVALID for the
    attempt to switch MODERATION off, and for MODERATION or REPORT only from followed users.
    """
    viewer_id = context.require_viewer().user_id
    await suspended.check_exists(context)
    by_kind = {one.kind: one for one in wanted}
    if len(by_kind) < len(wanted):
        raise BadInput("Give each kind at most once.")
    if any(one.kind is NotificationKind.MODERATION and not one.enabled for one in wanted):
        raise Refused.because(UserErrorCode.INVALID, "These notifications cannot be switched off.", "preferences")
    if any(one.kind in OWN_KINDS and one.only_followed for one in wanted):
        raise Refused.because(UserErrorCode.INVALID, "No user causes these notifications.", "preferences")
    await preferences.change(context.state.postgres, viewer_id, wanted)
    context.forget()


@dataclass(frozen=True, slots=True)
class QuietHoursData:
    """The quiet hours in the input of setQuietHours, before the values are checked."""

    begin: str
    end: str
    zone: str

    def checked(self) -> QuietHours:
        """Returns the quiet hours. Raises Refused for a value that is not a time or a time zone, and for two times that
        are the same.
        """
        begin, end = minute_of(self.begin), minute_of(self.end)
        if begin is None or end is None:
            field = "from" if begin is None else "to"
            raise _invalid("This is not a time from 00:00 to 23:59, such as 22:00.", field)
        if begin == end:
            raise _invalid("Quiet hours cannot begin and end at the same time.", "to")
        if zone_of(self.zone) is None:
            raise _invalid("This is not a time zone of the IANA database, such as Asia/Shanghai.", "timeZone")
        return QuietHours(begin, end, self.zone)


def _invalid(message: str, field: str) -> Refused:
    return Refused.because(UserErrorCode.INVALID, message, "quietHours", field)


async def set_quiet_hours(context: Context, hours: QuietHoursData | None) -> None:
    """Stores the quiet hours of the viewer; None ends them.

    Raises Unauthenticated, AccountDeleted, Unavailable; Refused with INVALID for values that are not valid.
    """
    viewer_id = context.require_viewer().user_id
    await suspended.check_exists(context)
    checked = hours.checked() if hours else None
    await preferences.set_quiet_hours(context.state.postgres, viewer_id, checked)
    context.forget()
