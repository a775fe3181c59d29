"""Events about appeals against restrictions other than rejections of posts and comments."""

from typing import NamedTuple

from models.counters import EntityRef


class StatementAppealed(NamedTuple):
    """An event: a user appealed against the decision in a statement of reasons for the user."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """What the statement is about."""
    statement_id: int
    about: int
    """The business that the case is about: for a comment, that of its subject; otherwise that of `ref`."""
    owner_id: int | None
    """The author or owner of what the statement is about; None if it is not known."""
    text: str


class StatementAppealDecided(NamedTuple):
    """An event: a moderator decided an appeal."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """What the statement is about."""
    user_id: int
    """The user whom the statement is for."""
    statement_id: int
    granted: bool
    reason: str
