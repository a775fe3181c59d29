"""`plaudit words`, as operators use it, and its lines in `plaudit moderation-log`."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from settings import ModerationSettings
from tests.support.posts import published
from tests.support.system import System

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])


@pytest.fixture
def file(tmp_path: Path) -> Callable[[bytes | str], Path]:
    """Returns a function that writes a file with a word list."""

    def write(content: bytes | str) -> Path:
        path = tmp_path / "list.txt"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_the_list_in_force_is_that_of_the_file_until_one_is_set(
    plaudit: Callable[..., Result], file: Callable[..., Path]
) -> None:
    assert plaudit("words", "show").stdout == ModerationSettings().words_file.read_text()
    assert json.loads(plaudit("words", "log", "--json").stdout) == []

    first = plaudit("words", "set", file("\ufeff# ours\r\nreject: turnips\nfoo\nbar"), "--by", " olga ")
    again = plaudit("words", "set", file("reject: 网络赌博\n"), "--by", "max", "--reason", "[too] many false alarms")

    assert first.stdout == "Revision 1 is in force. Words that reject: 1. Words that a moderator reviews: 2.\n"
    assert again.exit_code == 0
    assert plaudit("words", "show").stdout == "reject: 网络赌博\n"
    assert plaudit("words", "show", "--revision", "1").stdout.replace("\r", "") == "# ours\nreject: turnips\nfoo\nbar"
    changes = json.loads(plaudit("words", "log", "--json").stdout)
    assert [{**change, "changedAt": ""} for change in changes] == [
        {"revision": 1, "changedAt": "", "by": "olga", "reason": None},
        {"revision": 2, "changedAt": "", "by": "max", "reason": "[too] many false alarms"},
    ]
    table = plaudit("words", "log").stdout
    assert "[too] many false alarms" in table
    assert changes[0]["changedAt"] in table


@pytest.mark.parametrize(
    ("content", "problems"),
    [
        ("fine\nreject:\nreview: # empty\n\u200b\n", ["2: this line has no word", "3: this line has no word", "4: "]),
        (b"fine\n\nbad \xff\n", ["3: this line is not in UTF-8"]),
        ("fine\na\0b\n", ["2: this line has a null character"]),
    ],
)
def test_an_invalid_list_is_refused_with_the_numbers_of_its_lines_and_changes_nothing(
    plaudit: Callable[..., Result], file: Callable[..., Path], content: bytes | str, problems: list[str]
) -> None:
    path = file(content)

    for refused in (plaudit("words", "check", path), plaudit("words", "set", path, "--by", "olga")):
        assert refused.exit_code == 1
        lines = refused.stderr.splitlines()
        assert len(lines) == len(problems)
        for line, problem in zip(lines, problems, strict=True):
            assert f"list.txt:{problem}" in line
    assert json.loads(plaudit("words", "log", "--json").stdout) == []


def test_mistakes_of_operators_are_one_line(plaudit: Callable[..., Result], file: Callable[..., Path]) -> None:
    nowhere = plaudit("words", "set", "/nowhere.txt", "--by", "olga")
    unknown = plaudit("words", "show", "--revision", "7")
    huge = plaudit("words", "set", file("spam\n" * 200_001), "--by", "olga")
    nobody = plaudit("words", "set", file("spam"), "--by", " ")
    checked = plaudit("words", "check", file("spam\nreject: turnips"))

    assert (nowhere.exit_code, nowhere.stderr.count("\n")) == (1, 1)
    assert (unknown.exit_code, unknown.stderr) == (1, "There is no revision 7 of the word list.\n")
    assert "list.txt: this list has 1,000,005 characters; the limit is 1,000,000" in huge.stderr
    assert nobody.exit_code == 2
    assert checked.stdout == "Words that reject: 1. Words that a moderator reviews: 1.\n"
    assert json.loads(plaudit("words", "log", "--json").stdout) == []


async def test_changes_are_lines_of_the_exported_moderation_log(
    system: System, plaudit: Callable[..., Result], file: Callable[..., Path]
) -> None:
    await asyncio.to_thread(plaudit, "words", "set", file("turnips"), "--by", "olga", "--reason", "harvest")
    alice = system.person("alice")
    await published(alice, "turnips")
    await system.drain()
    await asyncio.to_thread(plaudit, "words", "set", file("beets"), "--by", "max")

    lines = [json.loads(line) for line in (await asyncio.to_thread(plaudit, "moderation-log")).stdout.splitlines()]
    later = await asyncio.to_thread(plaudit, "moderation-log", "--since", "2999-01-01")

    assert [(line["action"], line["role"]) for line in lines] == [
        ("WORDS_CHANGED", "OPERATOR"),
        ("HELD", "RULES"),
        ("WORDS_CHANGED", "OPERATOR"),
    ]
    assert {**lines[0], "createdAt": ""} == {
        "id": "words:1",
        "createdAt": "",
        "action": "WORDS_CHANGED",
        "role": "OPERATOR",
        "actor": None,
        "operator": "olga",
        "business": None,
        "target": None,
        "user": None,
        "before": {"revision": 0},
        "after": {"revision": 1},
        "reason": "harvest",
        "ground": None,
    }
    assert later.stdout == ""
