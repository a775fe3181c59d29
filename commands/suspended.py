"""Refuses the writes of suspended and of deleted users."""

from context import Context, deleted
from domain.errors import Refused, UserErrorCode
from models.users import SuspensionMode, UserRow


async def check_viewer(context: Context) -> None:
    """Raises AccountDeleted if the viewer's account is deleted; Refused with SUSPENDED if a suspension forbids the
    viewer to write; Unavailable if the profile of the viewer cannot be read.
    """
    check(context, await context.content.kept_users.load(context.require_viewer().user_id))


async def check_exists(context: Context) -> None:
    """Raises AccountDeleted if the viewer's account is being deleted or was deleted, and Unavailable if the profile of
    the viewer cannot be read.
    """
    viewer = await context.content.kept_users.load(context.require_viewer().user_id)
    check(context, viewer, may_write=True)


def check(context: Context, viewer: UserRow | Exception | None, *, may_write: bool = False) -> None:
    """Raises AccountDeleted if the viewer's account is deleted; Refused with SUSPENDED if a suspension forbids the
    viewer to write, unless `may_write`. Users with a SHADOW suspension may write, because they must not notice it.
    `viewer` is the viewer's profile. If it is an exception, because the profile cannot be read, raises this exception.
    """
    if isinstance(viewer, Exception):
        raise viewer
    if viewer and viewer.deletion is not None:
        raise deleted(viewer)
    if viewer is None or viewer.suspended is None or may_write:
        return
    suspension = viewer.suspension(context.state.now_ms())
    if suspension and suspension.mode is not SuspensionMode.SHADOW:
        until = f" until {suspension.until:%Y-%m-%dT%H:%M:%SZ}" if suspension.until else ""
        raise Refused.because(UserErrorCode.SUSPENDED, f"Your account is suspended{until}.")
