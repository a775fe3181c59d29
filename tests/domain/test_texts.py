"""Excerpts of texts."""

import pytest

from domain.texts import excerpt

FAMILY = "👨‍👩‍👧‍👦"
"""One visible character of seven code points."""


@pytest.mark.parametrize(
    ("text", "beginning"),
    [
        ("", ""),
        ("x" * 140, "x" * 140),
        ("x" * 141, "x" * 139 + "…"),
        ("x" * 100 + " " * 60 + "y", "x" * 100 + "…"),
        (FAMILY * 20, FAMILY * 20),
        (FAMILY * 21, FAMILY * 19 + "…"),
        ("x" * 137 + FAMILY, "x" * 137 + "…"),
        ("e" + "\u0301" * 200, "e" + "\u0301" * 138 + "…"),
    ],
)
def test_an_excerpt_has_at_most_140_characters_and_ends_before_a_visible_character_that_does_not_fit(
    text: str, beginning: str
) -> None:
    assert excerpt(text) == beginning
    assert len(beginning) <= 140
