"""The progress of long commands."""

import pytest

from cli.progress import counted, steps


def test_steps_are_lines_on_standard_error_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with steps("migration") as show:
        show(["0039", "0040"])
        show(["0040"])
        show([])

    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.split("\n")[:2] == ["migration 0039, 2 left", "migration 0040, 1 left"]


def test_nothing_left_from_the_beginning_is_no_line(capsys: pytest.CaptureFixture[str]) -> None:
    with steps("migration") as show:
        show([])

    assert capsys.readouterr().err.strip() == ""


def test_counted_items_are_yielded_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(counted(["a", "b"], "letters")) == ["a", "b"]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("terminal", ["1", ""], ids=["terminal", "no terminal"])
def test_a_bar_shows_the_running_step(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, terminal: str
) -> None:
    monkeypatch.setenv("TTY_COMPATIBLE", terminal)
    with steps("migration") as show:
        show(["0039", "0040"])
        show(["0040"])

    assert ("1/2" in capsys.readouterr().err) is bool(terminal)
