"""Settings of trending topics (docs/build/topics.md)."""

from collections.abc import Mapping
from typing import Annotated

import regex
from pydantic import AfterValidator, Field

from settings.part import Part


def _script(name: str) -> str:
    try:
        regex.compile(rf"\p{{Script={name}}}")
    except regex.error as error:
        raise ValueError(f"{name} is not the name of a script in Unicode, such as Latin or Han") from error
    return name


Script = Annotated[str, Field(pattern=r"^[A-Za-z_]{1,40}$"), AfterValidator(_script)]
Language = Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")]


class TrendSettings(Part):
    """Trending topics."""

    least_authors: Annotated[int, Field(ge=1, le=1000)] = 3
    """The least number of authors of a trending topic."""
    languages: Mapping[Language, Annotated[tuple[Script, ...], Field(min_length=1)]] = Field(default_factory=dict)
    """The languages by which clients may filter trends, each with its Unicode scripts: `{"zh": ["Han"], "ja": ["Han",
    "Hiragana", "Katakana"]}`. A topic belongs to a language if all letters of its name are of these scripts.
    """
