"""The progress of long commands."""

import time

import pytest

from cli.progress import counted, progress


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TTY_COMPATIBLE", "1")


def printed_lines(capsys: pytest.CaptureFixture[str], number: int) -> list[str]:
    """Waits for this number of lines on standard error."""
    lines, ends = list[str](), time.monotonic() + 20
    while len(lines) < number and time.monotonic() < ends:
        time.sleep(0.01)
        lines += capsys.readouterr().err.splitlines()
    return lines


def test_without_a_terminal_progress_is_lines_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    shown = list[str]()
    with progress("migrations", line_every=0.01) as show:
        for done, running in enumerate(["0039", "0040"]):
            show(done, 2, running)
            shown += printed_lines(capsys, 1)
        show(3000, None, "")
        shown += printed_lines(capsys, 1)

    assert shown == ["0 of 2 migrations: 0039", "1 of 2 migrations: 0040", "3,000 migrations"]


def test_a_line_is_printed_once(capsys: pytest.CaptureFixture[str]) -> None:
    with progress(line_every=0.01) as show:
        show(0.25, 1, "Journals")
        assert printed_lines(capsys, 1) == ["25%: Journals"]
        time.sleep(0.2)

    assert capsys.readouterr().err == ""


def test_a_short_block_prints_nothing_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(counted(["a", "b"], "letters")) == ["a", "b"]
    assert capsys.readouterr() == ("", "")


@pytest.mark.usefixtures("terminal")
def test_a_terminal_has_a_bar_that_disappears(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in counted(["a", "b"], "letters"):
        pass
    with progress("lines", hidden=True) as show:
        show(1, None, "")

    out, err = capsys.readouterr()
    assert out == ""
    assert "1 of 2 letters" in err
    assert err.endswith("\x1b[2K")  # erases the line
    assert "lines" not in err


@pytest.mark.usefixtures("terminal")
def test_names_are_not_markup(capsys: pytest.CaptureFixture[str]) -> None:
    with progress() as show:
        show(1, 2, "[red]part")

    assert "[red]part" in capsys.readouterr().err
