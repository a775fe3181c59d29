"""The code keeps the promises of the last release, which docs/released has."""

import json

import pytest
from graphql import build_schema

from cli import released
from schema import schema
from tests.releases.promises import broken_in_format, broken_in_schema, may_go, undated

LAST = (released.FOLDER / "version.txt").read_text().strip()
SCHEMA = (released.FOLDER / "schema.graphql").read_text(encoding="utf-8")
FORMATS: dict[str, dict[str, str]] = json.loads((released.FOLDER / "formats.json").read_text(encoding="utf-8"))
HINT = "deprecate it first, as docs/reference/versioning.md says"
SMALL = """
type Query { a(b: Int = 1, c: Int): String  old: Old @deprecated(reason: "Since 1.2: use a.") }
type Old { x: Int @deprecated(reason: "Since 1.2: use a.") }
enum Kind { ONE TWO }
"""


def test_the_schema_keeps_what_the_last_release_had() -> None:
    assert broken_in_schema(SCHEMA, schema.as_str(), LAST) == [], HINT


@pytest.mark.parametrize(
    ("name", "is_read"),
    [("settings", True), ("businesses file", True), ("records", True), ("records", False), ("events", False)],
)
def test_a_format_keeps_what_the_last_release_had(name: str, *, is_read: bool) -> None:
    assert FORMATS.keys() == released.formats().keys()
    assert broken_in_format(FORMATS[name], released.formats()[name], LAST, is_read=is_read) == [], HINT


def test_what_is_deprecated_in_the_schema_says_since_when() -> None:
    assert list(undated(schema.graphql_core)) == []
    undated_schema = build_schema('type Query { a(b: Int @deprecated): Int  c: Int @deprecated(reason: "Since 1.2") }')
    assert list(undated(undated_schema)) == ["Query.a(b)"]


@pytest.mark.parametrize(("last", "goes"), [("1.2.0", False), ("1.3.4", False), ("1.4.0", True), ("2.0.0", True)])
def test_a_deprecated_member_stays_for_two_minor_versions(last: str, *, goes: bool) -> None:
    without = SMALL.replace(' old: Old @deprecated(reason: "Since 1.2: use a.")', "").replace(
        'type Old { x: Int @deprecated(reason: "Since 1.2: use a.") }', ""
    )

    assert may_go("Since 1.2: use a.", last) is goes
    assert (broken_in_schema(SMALL, without, last) == []) is goes
    old = {"a": "string", "a.b": "Deprecated since 1.2 | absent | string", "a.b.c": "string"}
    assert (broken_in_format(old, {"a": "string"}, last, is_read=True) == []) is goes


@pytest.mark.parametrize(
    ("part", "other"), [("b: Int = 1, ", ""), ("c: Int)", "c: Int!)"), ("b: Int = 1", "b: Int = 2"), ("TWO", "THREE")]
)
def test_a_broken_promise_of_a_schema_is_found(part: str, other: str) -> None:
    assert broken_in_schema(SMALL, SMALL, "1.0.0") == []
    assert len(broken_in_schema(SMALL, SMALL.replace(part, other), "1.0.0")) == 1


@pytest.mark.parametrize(
    ("new", "read", "written"),
    [
        ({"a": "object"}, ["a.b was removed"], ["a.b was removed"]),
        ({"a": "object", "a.b": '"x"'}, ['a.b no longer accepts "y", absent'], []),
        ({"a": "object", "a.b": '"x" | "y" | "z" | absent | null'}, [], ["a.b may now be null"]),
        ({"a": "object", "a.b": '"x" | "y" | absent', "a.c": "string"}, ["a.c must now be given"], []),
        ({"a": "object", "a.b": '"x" | "y" | absent', "a.c": "absent | string"}, [], []),
    ],
)
def test_a_broken_promise_of_a_format_is_found(new: dict[str, str], read: list[str], written: list[str]) -> None:
    old = {"a": "object", "a.b": '"x" | "y" | absent'}

    assert broken_in_format(old, new, "1.0.0", is_read=True) == read
    assert broken_in_format(old, new, "1.0.0", is_read=False) == written
