"""Checks the progress that `plaudit dev` shows while it starts."""

import io
from pathlib import Path

from rich.console import Console

from runner.startup import starting
from runner.waiting import wait_until


def test_a_terminal_shows_the_step_and_the_progress_of_a_program(tmp_path: Path) -> None:
    screen, log = io.StringIO(), tmp_path / "seed.log"
    log.write_text("90%: A run before\n")

    with starting(Console(file=screen, force_terminal=True, width=120)) as startup:
        startup.step("Starting the API")
        with startup.following(log, "Demo data"), log.open("a") as program:
            for line in ("a warning\n", "20%: People\n", "60%: Posts\n", "99%: unfinis"):
                program.write(line)
            program.flush()
            assert wait_until(lambda: "Demo data: Posts" in screen.getvalue(), 20)

    shown = screen.getvalue()
    assert "Starting the API" in shown
    assert "Starting the API. Demo data: Posts" in shown
    assert "A run before" not in shown
    assert "unfinis" not in shown
    assert shown.endswith("\x1b[2K")  # erases the line


def test_elsewhere_nothing_is_shown(tmp_path: Path) -> None:
    file = io.StringIO()

    with starting(Console(file=file)) as startup:
        startup.step("Starting the API")
        with startup.following(tmp_path / "missing.log", "Demo data"):
            pass

    assert file.getvalue() == ""
