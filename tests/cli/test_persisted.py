"""`plaudit persisted`, as operators and build pipelines use it."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from typer.testing import Result

from tests.support.persisted_operations import LIKE, ME, PAGE, TYPE, manifest

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

NESTED = """query Nested($n: Int! = 100) { viewer { user { followers(first: $n) { nodes {
  followers(first: $n) { nodes { followers(first: $n) { nodes { id } } } } } } } } }"""


@pytest.fixture
def persisted(plaudit: Callable[..., Result]) -> Callable[..., Result]:
    """Returns a function that runs a command of `plaudit persisted`."""
    return partial(plaudit, "persisted")


def lines(result: Result) -> list[list[str]]:
    """Returns the cells of each row of a table."""
    rows = [line.strip().split("│")[1:-1] for line in result.output.splitlines() if line.startswith("│")]
    return [[cell.strip() for cell in row] for row in rows]


def test_imported_documents_are_listed_with_their_cost(persisted: Callable[..., Result], tmp_path: Path) -> None:
    file = manifest(tmp_path, "app.json", me=ME, page=PAGE, like=LIKE)

    imported, again, listed = persisted("import", file), persisted("import", file), persisted("list")

    assert (imported.exit_code, imported.output) == (0, "New: 3. Already imported: 0.\n")
    assert (again.exit_code, again.output) == (0, "New: 0. Already imported: 3.\n")
    assert lines(listed) == [
        ["like", "Like", "mutation", "app.json", "10", ""],
        ["me", "Me", "query", "app.json", "10", ""],
        ["page", "Page", "query", "app.json", "10", ""],
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{ nothing }", "Cannot query field 'nothing' on type 'Query'."),
        ("{ viewer { id }", "Syntax Error: Expected Name, found <EOF>."),
        ("query A { __typename } query B { __typename }", "The text has 2 operations, not one."),
        ("fragment F on User { id }", "The text has 0 operations, not one."),
        ("{ ...F } fragment F on Query { ...F }", "The fragment F contains itself."),
        (
            "query Q { viewer { id } } " * 101,
            "beyond the limit of 100 for its definitions: it has 101.",
        ),
        (
            NESTED.replace("first: $n", "first: 100").replace("($n: Int! = 100)", ""),
            "beyond the limit of 50000 for its cost",
        ),
    ],
)
def test_a_document_that_cannot_run_fails_the_check_and_nothing_is_imported(
    persisted: Callable[..., Result], tmp_path: Path, text: str, problem: str
) -> None:
    file = manifest(tmp_path, good=TYPE, bad=text)

    checked, imported = persisted("check", file), persisted("import", file)

    assert (checked.exit_code, imported.exit_code) == (1, 1)
    changes = {row[0]: row[-1] for row in lines(checked)}
    assert changes["good"] == ""
    assert problem in changes["bad"]
    assert "1 of 2 operations cannot run here. Nothing was imported." in imported.output
    assert lines(persisted("list")) == []


def test_a_variable_page_size_does_not_fail_the_check(persisted: Callable[..., Result], tmp_path: Path) -> None:
    checked = persisted("check", manifest(tmp_path, nested=NESTED))

    assert checked.exit_code == 0
    assert "(of 50000)" in checked.output


@pytest.mark.parametrize(("changes", "problem"), [({"name": "You"}, "'You'"), ({"type": "mutation"}, "'mutation'")])
def test_a_manifest_whose_fields_contradict_the_text_is_refused(
    persisted: Callable[..., Result], tmp_path: Path, changes: dict[str, str], problem: str
) -> None:
    file = tmp_path / "apollo.json"
    one = {"id": "me", "body": ME, "name": "Me", "type": "query", **changes}
    file.write_text(json.dumps({"format": "apollo-persisted-query-manifest", "version": 1, "operations": [one]}))

    checked = persisted("check", file)

    assert checked.exit_code == 1
    assert problem in checked.output


def test_an_invalid_manifest_is_reported_in_one_sentence(persisted: Callable[..., Result], tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{")

    for command in "check", "import":
        result = persisted(command, tmp_path / "bad.json")
        assert result.exit_code == 1
        assert "bad.json: not JSON in UTF-8" in result.output
        assert "Traceback" not in result.output


def test_files_are_checked_together(persisted: Callable[..., Result], tmp_path: Path) -> None:
    first, second = manifest(tmp_path, "a.json", x=TYPE), manifest(tmp_path, "b.json", x=ME)

    result = persisted("import", first, second)

    assert (result.exit_code, lines(persisted("list"))) == (1, [])
    assert "b.json: x already has another text" in result.output


# Clients and withdrawal


def test_versions_of_a_client_are_imported_withdrawn_and_restored(
    persisted: Callable[..., Result], tmp_path: Path
) -> None:
    file = manifest(tmp_path, me=ME, page=PAGE)
    ios = "--client", "ios", "--client-version", "1.0", "--client-version", "1.1"

    assert persisted("import", file, *ios).output == "New: 2. Already imported: 0.\n"
    assert persisted("withdraw", *ios[:4], "--message", "Update the app, please!").exit_code == 0
    assert lines(persisted("versions")) == [
        ["ios", "1.0", "2", "0", "never", "Update the app, please!"],
        ["ios", "1.1", "2", "0", "never", ""],
    ]

    assert persisted("restore", *ios).exit_code == 0
    assert [row[-1] for row in lines(persisted("versions"))] == ["", ""]


def test_the_message_asks_for_an_update_by_default(persisted: Callable[..., Result], tmp_path: Path) -> None:
    ios = "--client", "ios", "--client-version", "1.0"
    persisted("import", manifest(tmp_path, me=ME), *ios)
    persisted("withdraw", *ios)

    (version,) = json.loads(persisted("versions", "--json").output)

    assert version["withdrawn"] == "This version of the app is no longer supported. Please update the app."
    assert (version["client"], version["version"], version["operations"]) == ("ios", "1.0", 1)
    assert (version["requests"], version["lastUsedAt"]) == (0, None)


def test_a_withdrawn_operation_is_marked_in_the_list(persisted: Callable[..., Result], tmp_path: Path) -> None:
    persisted("import", manifest(tmp_path, me=ME, type=TYPE))

    assert persisted("withdraw", "me", "--message", "Too slow.").exit_code == 0
    assert [row[-1] for row in lines(persisted("list"))] == ["Withdrawn: Too slow.", ""]

    assert persisted("restore", "me").exit_code == 0
    assert [row[-1] for row in lines(persisted("list"))] == ["", ""]


def test_usage_lists_the_operations_of_imported_versions(persisted: Callable[..., Result], tmp_path: Path) -> None:
    persisted("import", manifest(tmp_path, me=ME), "--client", "ios", "--client-version", "1.0")

    assert lines(persisted("usage")) == [["me", "Me", "ios", "1.0", "0", "never"]]
    assert lines(persisted("usage", "--client", "android")) == []
    assert json.loads(persisted("usage", "--json", "--client-version", "1.0").output) == [
        {"id": "me", "name": "Me", "client": "ios", "version": "1.0", "requests": 0, "lastUsedAt": None}
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        ("withdraw",),
        ("restore",),
        ("withdraw", "me", "--client", "ios", "--client-version", "1.0"),
        ("withdraw", "--client", "ios"),
        ("withdraw", "--client-version", "1.0"),
        ("withdraw", "me", "--client-version", "1.0"),
    ],
)
def test_incomplete_or_contradictory_targets_are_refused(
    persisted: Callable[..., Result], arguments: tuple[str, ...]
) -> None:
    assert persisted(*arguments).exit_code == 2


def test_an_import_names_a_client_and_its_versions_or_neither(persisted: Callable[..., Result], tmp_path: Path) -> None:
    file = manifest(tmp_path, me=ME)

    assert persisted("import", file, "--client", "ios").exit_code == 2
    assert persisted("import", file, "--client-version", "1.0").exit_code == 2
    assert persisted("import", file, "--client", "other", "--client-version", "1.0").exit_code == 1
    assert lines(persisted("list")) == []


def test_something_unknown_cannot_be_withdrawn(persisted: Callable[..., Result]) -> None:
    for target in ["unknown"], ["--client", "ios", "--client-version", "1.0"]:
        for command in "withdraw", "restore":
            result = persisted(command, *target)
            assert (result.exit_code, result.output.count("Nothing was changed.")) == (1, 1)
