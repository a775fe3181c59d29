"""Settings of handles, of texts for users, and of what one user may have (docs/reference/limits.md)."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from settings.lists import Names
from settings.numbers import LARGEST, Count
from settings.part import Part


class PeopleSettings(Part):
    """The limits of one user, the rules of handles, and the texts for users."""

    follow_limit: Annotated[int, Field(ge=1, le=10_000)] = 5000
    """The most users that one user may follow, open requests included."""
    boundary_limit: Annotated[int, Field(ge=1, le=10_000)] = 5000
    """For each of blocks, mutes, hidden posts and muted threads: the most of one user. Muted reposts and dismissed
    suggestions count as threads.
    """
    content_follow_limit: Annotated[int, Field(ge=1, le=1000)] = 200
    """The most followed topics and entities of one user."""
    topic_spacing: Annotated[int, Field(ge=1, le=100)] = 4
    """The least number of other posts between two posts of followed topics in home."""
    collection_limit: Annotated[int, Field(ge=1, le=1000)] = 200
    """The most collections of one user."""
    suggestion_hours: Annotated[float, Field(gt=0, le=720)] = 6
    """Hours after which suggested users are computed again on request."""
    others_list_depth: Count = 1000
    """The most followers, followed users or friends of another user that a user can page through."""
    reserved_handles: Names = (
        *("abuse", "admin", "administrator", "contact", "everyone", "help", "info", "legal", "mod", "moderation"),
        *("moderator", "official", "plaudit", "postmaster", "press", "root", "security", "staff", "support", "system"),
        *("deleted", "team", "webmaster"),
    )
    """Users cannot choose these words, or names that look like them, as handle or display name. `registerUsers` and
    `upsertUsers` can.
    """
    handle_separators: Annotated[str, Field(pattern=r"^\.?-?$")] = ""
    """The separators in new handles: `.`, `-`, or `.-` for both. `registerUsers` and `upsertUsers` can always assign
    both. Separators help impostors: `ann.lee` beside `ann_lee`.
    """
    language: Annotated[str, Field(max_length=35, pattern=r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$")] = "en"
    """The language of notifications and outgoing events, if neither the user nor the request names one."""
    message_folder: Path | None = None
    """The folder with your own texts of [notifications](../build/notifications.md#languages), a file for each language,
    such as `pt-BR.ftl`.
    """
    private_in_search: bool = True
    """Whether searches find private accounts that the viewer does not follow."""
    export_days: Annotated[float, Field(ge=0, le=3650)] = 7
    """Days between two downloads of an account."""
    handle_hold_days: Annotated[float, Field(ge=0, le=LARGEST)] = 30
    """Days for which a former handle stays reserved for its owner."""
    deletion_grace_days: Annotated[float, Field(ge=0, le=365)] = 30
    """Days after which the data of a deleted account is removed, if the request does not say. Until then the deletion
    can be cancelled.
    """

    @property
    def export_interval_ms(self) -> int:
        """Returns the milliseconds that must pass between two exports of an account."""
        return int(self.export_days * 86_400_000)

    @property
    def handle_hold(self) -> float:
        """Returns the seconds for which a changed handle is reserved for its former owner."""
        return self.handle_hold_days * 86_400
