"""The users of the fault tests send every mutation of the schema, or a reason says why not."""

from pathlib import Path

from tests.failures.faults.entries import DRIVEN, ENTRIES, NOT_DRIVEN
from tests.support.schema_paths import SCHEMA


def test_every_mutation_is_driven_or_has_a_reason_why_not() -> None:
    assert SCHEMA.mutation_type

    assert not DRIVEN.keys() & NOT_DRIVEN.keys()
    assert {*SCHEMA.mutation_type.fields} == DRIVEN.keys() | NOT_DRIVEN.keys()


def test_every_mutation_is_named_in_the_table_of_the_page_about_faults() -> None:
    page = (Path(__file__).parents[3] / "docs" / "internals" / "faults.md").read_text()

    assert [mutation for mutation in {**DRIVEN, **NOT_DRIVEN} if f"`{mutation}`" not in page] == []


def test_every_entry_is_checked_in_a_row() -> None:
    assert [entry.mutations for entry in ENTRIES if not entry.row and not entry.once] == []
