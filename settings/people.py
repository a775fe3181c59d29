"""Settings of handles, and of what one user may have (docs/reference/limits.md)."""

from typing import Annotated

from pydantic import Field

from settings.lists import Names
from settings.numbers import LARGEST, Count
from settings.part import Part


class PeopleSettings(Part):
    """The limits of one user, and the rules of handles."""

    follow_limit: Annotated[int, Field(ge=1, le=10_000)] = 5000
    """The most users that one user may follow or have asked to follow."""
    boundary_limit: Annotated[int, Field(ge=1, le=10_000)] = 5000
    """The most users that one user may block, the most that one user may mute, and the most threads that one user may
    mute.
    """
    collection_limit: Annotated[int, Field(ge=1, le=1000)] = 200
    """The most collections that one user may have."""
    others_list_depth: Count = 1000
    """The most followers, followed users or friends of another user that a user can page through."""
    reserved_handles: Names = (
        *("abuse", "admin", "administrator", "contact", "everyone", "help", "info", "legal", "mod", "moderation"),
        *("moderator", "official", "plaudit", "postmaster", "press", "root", "security", "staff", "support", "system"),
        *("team", "webmaster"),
    )
    """The words that users cannot choose as their handle or display name, alone or one after the other. Names that look
    like them are refused, too. `registerUsers` and `upsertUsers` can assign them.
    """
    export_days: Annotated[float, Field(ge=0, le=3650)] = 7
    """Days between two requests of a user to download all data of the account."""
    handle_hold_days: Annotated[float, Field(ge=0, le=LARGEST)] = 30
    """Days for which a handle stays reserved for its former owner after a change."""

    @property
    def export_interval_ms(self) -> int:
        """Returns the milliseconds that must pass between two exports of an account."""
        return int(self.export_days * 86_400_000)

    @property
    def handle_hold(self) -> float:
        """Returns the seconds for which a changed handle is reserved for its former owner."""
        return self.handle_hold_days * 86_400
