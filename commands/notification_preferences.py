"""setNotificationPreferences: stores in Postgres which kinds of notifications the viewer wants."""

from collections.abc import Sequence

from commands import suspended
from context import Context
from domain.errors import BadInput, Refused, UserErrorCode
from models.notifications import NotificationKind, NotificationPreference
from store.notifications import preferences


async def change(context: Context, wanted: Sequence[NotificationPreference]) -> None:
    """Stores which kinds of notifications the viewer wants. Kinds that are not in `wanted` stay as they are.

    Raises Unauthenticated, AccountDeleted, Unavailable; BadInput if a kind is given twice; Refused with INVALID for the
    attempt to switch MODERATION off.
    """
    viewer_id = context.require_viewer().user_id
    await suspended.check_exists(context)
    by_kind = {one.kind: one.enabled for one in wanted}
    if len(by_kind) < len(wanted):
        raise BadInput("Give each kind at most once.")
    if not by_kind.get(NotificationKind.MODERATION, True):
        raise Refused.because(UserErrorCode.INVALID, "These notifications cannot be switched off.", "preferences")
    on = [kind for kind, enabled in by_kind.items() if enabled]
    await preferences.change(context.state.postgres, viewer_id, on, by_kind.keys() - set(on))
    context.forget()
