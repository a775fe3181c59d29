"""Refuses the writes of suspended users."""

from context import Context
from domain.errors import Refused, UserErrorCode
from models.users import SuspensionMode, UserRow


async def check_viewer(context: Context) -> None:
    """Raises Refused with SUSPENDED if a suspension forbids the viewer to write, and Unavailable if the profile of the
    viewer cannot be read.
    """
    check(context, await context.content.kept_users.load(context.require_viewer().user_id))


def check(context: Context, viewer: UserRow | Exception | None) -> None:
    """Raises Refused with SUSPENDED if a suspension forbids the viewer to write. Users with a SHADOW suspension may
    write, because they must not notice it. `viewer` is the viewer's profile. If it is an exception, because the profile
    cannot be read, raises this exception.
    """
    if isinstance(viewer, Exception):
        raise viewer
    suspension = viewer.suspension(context.state.now_ms()) if viewer and viewer.suspended is not None else None
    if suspension and suspension.mode is not SuspensionMode.SHADOW:
        until = f" until {suspension.until:%Y-%m-%dT%H:%M:%SZ}" if suspension.until else ""
        raise Refused.because(UserErrorCode.SUSPENDED, f"Your account is suspended{until}.")
