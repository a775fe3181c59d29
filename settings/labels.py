"""Labels: the configured kinds of content that viewers may want to hide, such as adult content, and the age bands on
which the default of a label depends. Both are in the businesses file.
"""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from settings.part import Part

LAST_LABEL = 62
"""The highest id of a label. All labels of a post are bits of one signed 64-bit number."""
Band = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_+-]{0,31}$")]


class AgeRule(Part):
    """What viewers in one age band see of content with a label."""

    visibility: Literal["show", "warn", "hide"] = "warn"
    """`show` shows the content, `warn` makes apps cover it with a warning, `hide` hides it."""
    changeable: bool = True
    """Whether viewers in this age band may choose another visibility."""


class Label(Part):
    """A kind of content, such as adult content. Authors and moderators set labels on posts and comments, and services
    on entities.
    """

    id: Annotated[int, Field(ge=0, le=LAST_LABEL)]
    """0 to 62. **Never change it, and never use it again for another label.**"""
    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
    """The name in the API: lower-case letters, digits and underscores, at most 32."""
    title: Annotated[str, Field(min_length=1, max_length=100)]
    """The text that apps show, at most 100 characters."""
    set_by_authors: bool = True
    """Whether authors may set it. Otherwise only moderators and services may."""
    ages: dict[str, AgeRule] = Field(default_factory=dict)
    """The default visibility by age band, and whether viewers may change it. Without an entry: `warn`, which viewers
    may change.
    """


class LabelSettings(Part):
    """The labels and age bands of the businesses file: its tables `[[label]]` and its keys before all tables."""

    age_bands: Annotated[tuple[Band, ...], Field(min_length=1, max_length=16)] = ("child", "teen", "adult")
    """The age bands, the lowest first. Anonymous readers belong to the lowest."""
    unknown_age_band: str | None = None
    """The age band of signed-in users for whom neither the token nor a service states one. By default the lowest."""
    label: Annotated[tuple[Label, ...], Field(max_length=LAST_LABEL + 1)] = ()
    """The labels, each as a table."""

    @model_validator(mode="after")
    def _check(self) -> "LabelSettings":
        if _repeats(self.age_bands):
            raise ValueError("two age bands share a name")
        if self.unknown_age_band is not None and self.unknown_age_band not in self.age_bands:
            raise ValueError(f"unknown_age_band is {self.unknown_age_band}, which is not in age_bands")
        if _repeats([one.id for one in self.label]) or _repeats([one.name for one in self.label]):
            raise ValueError("two labels share an id or a name")
        for one in self.label:
            if strange := one.ages.keys() - set(self.age_bands):
                raise ValueError(f"the label {one.name} names {min(strange)}, which is not in age_bands")
        return self


def read_labels(file: Path) -> LabelSettings:
    """Returns the labels and age bands of the businesses file. Raises OSError if the file cannot be read; ValueError or
    TypeError if it is invalid.
    """
    tables = tomllib.loads(file.read_text())
    try:
        return LabelSettings.model_validate(
            {name: tables[name] for name in LabelSettings.model_fields if name in tables}
        )
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error


def _repeats(values: Sequence[object]) -> bool:
    return len(set(values)) < len(values)
