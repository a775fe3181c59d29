"""Refuses the writes of suspended users."""

from collections.abc import Awaitable

from context import Context
from domain.errors import Refused, UserErrorCode
from models.users import UserRow

Asked = list[UserRow | Exception | None]
"""The viewer's profile, or why it could not be read."""


async def check_viewer(context: Context) -> None:
    """Raises Refused with SUSPENDED if a suspension forbids the viewer to write, and Unavailable if the profile of the
    viewer cannot be read.
    """
    check_asked(context, await ask(context))


def ask(context: Context) -> Awaitable[Asked]:
    """Starts to read the viewer's profile, in the round trip of other reads. `check_asked` takes the result."""
    return context.content.kept_users.ask([context.require_viewer().user_id], each=True)


def check_asked(context: Context, asked: Asked) -> None:
    """Raises the errors of `check_viewer`, for a profile that was read before."""
    (viewer,) = asked
    if isinstance(viewer, Exception):
        raise viewer
    if viewer:
        check(context, viewer)


def check(context: Context, viewer: UserRow) -> None:
    """Raises Refused with SUSPENDED if a suspension forbids the viewer to write."""
    now_ms = context.state.now_ms()
    if viewer.is_read_only(now_ms) and (suspension := viewer.suspension(now_ms)):
        until = f" until {suspension.until:%Y-%m-%dT%H:%M:%SZ}" if suspension.until else ""
        raise Refused.because(UserErrorCode.SUSPENDED, f"Your account is suspended{until}.")
