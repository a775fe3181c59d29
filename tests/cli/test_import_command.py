"""The command `plaudit import`: its exit codes, its output and its files."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

ANN = {"kind": "user", "externalId": "ann", "handle": "ann"}
FOLLOW = {"kind": "follow", "follower": "bob", "followee": "ann", "createdAt": "2021-01-01T00:00:00Z"}


def test_several_archives_are_imported_together(plaudit: Callable[..., Result], tmp_path: Path) -> None:
    first, second, rejects = tmp_path / "follows.jsonl", tmp_path / "users.jsonl", tmp_path / "rejects.jsonl"
    first.write_text(json.dumps(FOLLOW))
    second.write_text(f"{json.dumps(ANN)}\n{json.dumps(ANN | {'externalId': 'bob', 'handle': 'bob'})}\n")

    result = plaudit("import", first, second, "--rejects", rejects)

    assert result.exit_code == 0, result.output
    rows = [line.split() for line in result.stdout.splitlines() if "follow" in line or "user" in line]
    assert [[cell for cell in row if cell != "│"] for row in rows] == [
        ["follow", "1", "1", "0"],
        ["user", "2", "2", "0"],
    ]
    assert not rejects.exists()


@pytest.mark.parametrize("check", [True, False])
def test_rejected_lines_are_in_a_file_and_the_status_is_2(
    plaudit: Callable[..., Result], tmp_path: Path, check: bool
) -> None:
    archive, rejects = tmp_path / "archive.jsonl", tmp_path / "rejects.jsonl"
    archive.write_text(f"{json.dumps(ANN)}\n{json.dumps(FOLLOW)}\nnonsense\n")

    result = plaudit("import", archive, "--rejects", rejects, *(["--check"] if check else []))

    assert result.exit_code == 2
    assert f"2 lines were rejected: see {rejects}." in result.stderr
    assert sorted(map(json.loads, rejects.read_text().splitlines()), key=lambda one: one["line"]) == [
        {
            "file": str(archive),
            "line": 2,
            "reason": "There is no user bob of the issuer https://plaudit.local.",
            "imported": False,
            "input": json.dumps(FOLLOW),
        },
        {
            "file": str(archive),
            "line": 3,
            "reason": "The line is not JSON: invalid literal, expected 'null'.",
            "imported": False,
            "input": "nonsense",
        },
    ]


def test_users_of_another_issuer_are_imported_with_an_option(plaudit: Callable[..., Result], tmp_path: Path) -> None:
    archive = tmp_path / "archive.jsonl"
    archive.write_text(
        f"{json.dumps(ANN)}\n{json.dumps(FOLLOW | {'follower': {'issuer': 'https://a', 'externalId': 'x'}})}"
    )

    result = plaudit(
        "import", archive, "--issuer", "https://login.example.com", "--rejects", tmp_path / "rejects.jsonl"
    )

    assert result.exit_code == 2
    assert "There is no user x of the issuer https://a." in (tmp_path / "rejects.jsonl").read_text()


def test_an_archive_that_does_not_exist_is_named(plaudit: Callable[..., Result], tmp_path: Path) -> None:
    result = plaudit("import", tmp_path / "none.jsonl")

    assert result.exit_code == 2
    assert "does not exist" in result.output


def test_an_archive_comes_from_standard_input_and_rejects_go_to_standard_output(
    plaudit: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    result = plaudit("import", "-", "--rejects", "-", answer=f"{json.dumps(ANN)}\n{json.dumps(FOLLOW)}\n")

    assert result.exit_code == 2
    (reject,) = map(json.loads, result.stdout.splitlines())
    assert (reject["file"], reject["line"], reject["reason"]) == (
        "-",
        2,
        "There is no user bob of the issuer https://plaudit.local.",
    )
    assert "1 lines were rejected.\n" in result.stderr
    assert [*tmp_path.iterdir()] == []


def test_the_archive_itself_cannot_be_the_file_for_rejects(plaudit: Callable[..., Result], tmp_path: Path) -> None:
    archive = tmp_path / "rejects.jsonl"
    archive.write_text(json.dumps(ANN))

    result = plaudit("import", archive, "--rejects", archive)

    assert result.exit_code == 2
    assert "is an archive" in result.stderr
    assert archive.read_text() == json.dumps(ANN)


def test_a_file_for_rejects_that_cannot_be_written_is_an_error_before_the_import(
    plaudit: Callable[..., Result], tmp_path: Path
) -> None:
    archive = tmp_path / "archive.jsonl"
    archive.write_text(json.dumps(ANN))

    result = plaudit("import", archive, "--rejects", tmp_path / "none" / "rejects.jsonl")

    assert result.exit_code == 1
    assert "No such file or directory" in result.stderr


def test_an_import_from_standard_input_into_production_needs_yes(
    plaudit: Callable[..., Result],
) -> None:
    result = plaudit("import", "-", answer=json.dumps(ANN), PLAUDIT_ENV="production")

    assert result.exit_code == 1
    assert "Confirm the command with --yes." in result.stderr
