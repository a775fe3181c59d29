"""`plaudit persisted`, as operators and pipelines use it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.main import app
from settings import Settings
from tests.support.persisted_operations import LIKE, ME, PAGE, TYPE, manifest

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

NESTED = """query Nested($n: Int! = 100) { viewer { user { followers(first: $n) { nodes {
  followers(first: $n) { nodes { followers(first: $n) { nodes { id } } } } } } } } }"""


@pytest.fixture
def plaudit(make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """The command line with a wide terminal, over the test's stores."""
    settings = make_settings()
    environment = {
        "DATABASE_URL": settings.database_url,
        "REDIS_URL": settings.redis_url,
        "PLAUDIT_PARTITIONS": str(settings.partitions),
        "PLAUDIT_JWT_SECRET": "s" * 32,
        "COLUMNS": "300",
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return lambda *words: CliRunner().invoke(app, ["persisted", *map(str, words)])


def lines(result: Result) -> list[list[str]]:
    """The cells of a table, by row."""
    rows = [line.strip().split("│")[1:-1] for line in result.output.splitlines() if line.startswith("│")]
    return [[cell.strip() for cell in row] for row in rows]


def test_what_was_imported_is_listed_with_its_price(plaudit: Callable[..., Result], tmp_path: Path) -> None:
    file = manifest(tmp_path, "app.json", me=ME, page=PAGE, like=LIKE)

    imported, again, listed = plaudit("import", file), plaudit("import", file), plaudit("list")

    assert (imported.exit_code, imported.output) == (0, "New: 3. Imported before: 0.\n")
    assert (again.exit_code, again.output) == (0, "New: 0. Imported before: 3.\n")
    assert lines(listed) == [
        ["like", "Like", "mutation", "app.json", "3", ""],
        ["me", "Me", "query", "app.json", "2", ""],
        ["page", "Page", "query", "app.json", "5 to 7", ""],
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
def test_what_could_not_run_fails_the_check_and_imports_nothing(
    plaudit: Callable[..., Result], tmp_path: Path, text: str, problem: str
) -> None:
    file = manifest(tmp_path, good=TYPE, bad=text)

    checked, imported = plaudit("check", file), plaudit("import", file)

    assert (checked.exit_code, imported.exit_code) == (1, 1)
    told = {row[0]: row[-1] for row in lines(checked)}
    assert told["good"] == ""
    assert problem in told["bad"]
    assert "1 of 2 operations could not run here; nothing was imported." in imported.output
    assert lines(plaudit("list")) == []


def test_a_page_size_that_is_asked_for_is_no_reason_to_fail(plaudit: Callable[..., Result], tmp_path: Path) -> None:
    checked = plaudit("check", manifest(tmp_path, nested=NESTED))

    assert checked.exit_code == 0
    assert "(of 50000)" in checked.output


@pytest.mark.parametrize(("told", "problem"), [({"name": "You"}, "'You'"), ({"type": "mutation"}, "'mutation'")])
def test_a_manifest_that_says_something_else_than_its_text_fails(
    plaudit: Callable[..., Result], tmp_path: Path, told: dict[str, str], problem: str
) -> None:
    file = tmp_path / "apollo.json"
    one = {"id": "me", "body": ME, "name": "Me", "type": "query", **told}
    file.write_text(json.dumps({"format": "apollo-persisted-query-manifest", "version": 1, "operations": [one]}))

    checked = plaudit("check", file)

    assert checked.exit_code == 1
    assert problem in checked.output


def test_a_file_that_is_no_manifest_ends_with_a_sentence(plaudit: Callable[..., Result], tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{")

    for command in "check", "import":
        result = plaudit(command, tmp_path / "bad.json")
        assert result.exit_code == 1
        assert "bad.json: not JSON in UTF-8" in result.output
        assert "Traceback" not in result.output


def test_files_are_judged_together(plaudit: Callable[..., Result], tmp_path: Path) -> None:
    first, second = manifest(tmp_path, "a.json", x=TYPE), manifest(tmp_path, "b.json", x=ME)

    result = plaudit("import", first, second)

    assert (result.exit_code, lines(plaudit("list"))) == (1, [])
    assert "b.json: x stands for another text already" in result.output
