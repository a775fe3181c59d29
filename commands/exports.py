"""exportUser: lets a user download all data that is kept about the user, at most once a week by default."""

from commands import targets
from context import Context, deleted
from domain import exports
from domain.errors import Refused, Unavailable, UserErrorCode
from domain.exports import ExportLink
from domain.times import formatted
from models.base import at
from models.deletions import DeletionState
from models.exports import LIFE_MS, ExportRow
from state import State
from store.people import exports as store


async def request(context: Context, user_id: str | None) -> ExportRow:
    """Requests an export of the viewer's account or, for a service with the scope `users:write`, of the user with the
    id `user_id`. While the URL of the last export is valid, returns this export, so a repetition changes nothing.

    Raises Unauthenticated, Forbidden, BadInput, Unavailable; Refused with EXPORT_LIMIT_REACHED, or with
    TARGET_NOT_FOUND if no user of the issuer of the caller's token has this id.
    """
    viewer_id = context.require_viewer().user_id
    viewer = await context.content.kept_users.load(viewer_id)
    if viewer and viewer.deletion == DeletionState.DONE:
        raise deleted(viewer)
    exported = viewer_id if user_id is None else (await targets.issued_user(context, user_id, "userId")).user_id
    state, now_ms = context.state, context.state.now_ms()
    interval_ms = state.settings.people.export_interval_ms
    requested_ms = await store.request(state.postgres, exported, now_ms, interval_ms)
    if requested_ms is None:
        raise Unavailable
    row = shown(state, exported, requested_ms)
    if row.url is None:
        again = formatted(at(requested_ms + interval_ms))
        raise Refused.because(UserErrorCode.EXPORT_LIMIT_REACHED, f"This account can be exported again from {again}.")
    context.forget()
    return row


def shown(state: State, user_id: int, requested_ms: int) -> ExportRow:
    """Returns the export that a user requested at the time `requested_ms`, in milliseconds since the Unix epoch, with
    its URL if that is valid now.
    """
    is_valid = state.now_ms() < requested_ms + LIFE_MS
    url = exports.url_of(state.cursors, ExportLink(user_id, requested_ms)) if is_valid else None
    return ExportRow(user_id, requested_ms, url)
