"""Grounds of moderation decisions: the laws and the clauses of your rules that moderators name, configured in the
businesses file.
"""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from settings.part import Part

Reason = Annotated[str, Field(min_length=1, max_length=500)]


class Ground(Part):
    """A law or a clause of your rules that a decision of moderation is based on."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
    """The name that moderators pass as `ground`: lower-case letters, digits and underscores, at most 32. Statements
    contain it: **never change it, and never use it again for another ground.**
    """
    kind: Literal["law", "rules"] = "rules"
    """`law` for illegal content, `rules` for what your rules do not allow."""
    title: Annotated[str, Field(min_length=1, max_length=200)]
    """The law or clause, as the person reads it: 1 to 200 characters."""
    url: Annotated[str | None, Field(pattern=r"^https?://[!-~]{1,2000}$")] = None
    """The page with the law or clause."""
    reasons: Annotated[tuple[Reason, ...], Field(max_length=9)] = ()
    """Reasons that the moderation console offers with this ground, at most nine, each 1 to 500 characters. A moderator
    can change them. The person reads the reason.
    """
    deceptive: bool = False
    """Whether this is the ground for deceptive commercial content in large quantities. Only with such a ground can
    moderators suspend a user without telling them (`SHADOW`).
    """
    default: bool = False
    """Whether this is the ground of decisions that name none, such as those of rules. Exactly one ground must have it.
    """


DEFAULT_GROUNDS: Sequence[Ground] = (
    Ground(name="spam", title="Spam and deceptive commercial content", deceptive=True),
    Ground(name="harassment", title="Harassment, insults and threats"),
    Ground(name="hate", title="Hatred against a group of people"),
    Ground(name="violence", title="Violence, and calls for it"),
    Ground(name="sexual", title="Sexual content"),
    Ground(name="self_harm", title="Suicide, self-harm and eating disorders"),
    Ground(name="misinformation", title="False information that can do harm"),
    Ground(name="impersonation", title="Impersonation"),
    Ground(name="illegal_goods", kind="law", title="Illegal goods and services"),
    Ground(name="copyright", kind="law", title="Copyright and trademarks"),
    Ground(name="illegal", kind="law", title="Other illegal content"),
    Ground(name="rules", title="Other rules of this community", default=True),
)
"""The grounds of a deployment that configures none."""


def read_grounds(file: Path) -> tuple[Ground, ...]:
    """Returns the grounds in the businesses file; DEFAULT_GROUNDS if it has none.

    Raises OSError if the file cannot be read; ValueError or TypeError if a ground is invalid, if two grounds have the
    same name, or if not exactly one is the default.
    """
    tables = tomllib.loads(file.read_text()).get("ground")
    if tables is None:
        return tuple(DEFAULT_GROUNDS)
    grounds = tuple(Ground.model_validate(table) for table in tables)
    if len({ground.name for ground in grounds}) < len(grounds):
        raise ValueError(f"{file}: two grounds share a name")
    if [ground.default for ground in grounds].count(True) != 1:
        raise ValueError(f"{file}: exactly one [[ground]] needs default = true")
    return grounds
