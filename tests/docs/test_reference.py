"""The generated reference pages are current and complete."""

import re
from pathlib import Path

import pytest

from cli import event_schemas, record_schemas, reference
from settings import Settings

ERRORS = (Path(__file__).parents[2] / "docs" / "build" / "errors.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", reference.PAGES)
def test_a_committed_page_equals_the_generated_one(name: str) -> None:
    committed = (reference.FOLDER / name).read_text(encoding="utf-8")

    assert committed == reference.PAGES[name](), "run `make docs`"


def test_the_committed_schemas_of_events_equal_the_generated_ones() -> None:
    committed = {path.name: path.read_text(encoding="utf-8") for path in event_schemas.FOLDER.glob("*.json")}

    assert committed == event_schemas.schemas(), "run `make docs`"


def test_the_committed_schemas_of_records_equal_the_generated_ones() -> None:
    committed = {path.name: path.read_text(encoding="utf-8") for path in record_schemas.FOLDER.glob("*.json")}

    assert committed == record_schemas.schemas(), "run `make docs`"


def test_every_setting_has_a_section_and_a_description() -> None:
    assert next(iter(Settings.model_fields)) in reference.SECTIONS
    assert reference.SECTIONS.keys() <= Settings.model_fields.keys()
    assert Settings.model_fields.keys() == reference.meanings_of(Settings).keys()
    rows = re.findall(r"^[-|] .*", reference.settings_page(), re.MULTILINE)
    assert len(rows) > 200
    assert not [row for row in rows if re.search(r"(:|\| +\|) *$", row)]


def test_the_guide_explains_every_error_code() -> None:
    sections = dict(re.findall(r"^## ([^\n]*)\n(.*?)(?=^## )", ERRORS, re.MULTILINE | re.DOTALL))
    codes = {"`errors`": reference.error_codes(), "`userErrors`": reference.user_error_codes()}

    for place, known in codes.items():
        explained = re.findall(r"`([A-Z_]+)`", sections[f"Codes in {place}"])
        assert sorted(explained) == sorted(known), place
