"""Every GraphQL example of the documentation is valid for the schema."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from graphql import parse, validate

from schema import schema

ROOT = Path(__file__).parents[2]


def examples() -> Iterator[tuple[str, str]]:
    """Yields each page with each of its GraphQL blocks."""
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for text in re.findall(r"^```graphql\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
            yield str(page.relative_to(ROOT)), text


@pytest.mark.parametrize(("page", "text"), [*examples()])
def test_an_example_is_valid(page: str, text: str) -> None:
    assert validate(schema.graphql_core, parse(text)) == [], page
