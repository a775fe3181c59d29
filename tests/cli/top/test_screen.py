"""The screen of `plaudit top` on terminals of several sizes."""

import io
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from cli.top.compute import figures
from cli.top.figures import Destination, Figures, Journal, Process, Store
from cli.top.screen import screen, share_out
from tests.cli.top.samples import change

LONG = "x" * 200


def shown(found: Figures, width: int = 80, height: int | None = 24) -> list[str]:
    """Returns the lines of the screen."""
    printed = io.StringIO()
    Console(width=width, file=printed).print(screen(found, height))
    return printed.getvalue().splitlines()


def large(names: str = "x") -> Figures:
    """Returns figures with more rows in each list than fit."""
    many, found = range(100), figures(change())
    return replace(
        found,
        requests=replace(found.requests, missing={f"{names}{one}": 1.0 for one in many}, errors={names: 1e9}),
        stores=[Store(f"{names}{one}", one > 0, 10**12, 10**13, 9999, 10_000, 1e6, 3, 1e5) for one in many],
        processes=[Process(f"http://{names}{one}/", one > 0, "api", 1, 10**9, 1e6, 1e6, 64, 99, 999) for one in many],
        journals=[Journal(one, f"{names}{one}" if one else None, 1000, 100) for one in many],
        destinations=[Destination(f"{names}{one}", "paused", names, 1e6, 1e6, 1e6) for one in many],
        hot_keys={f"{names}{one}": 1e6 for one in many},
    )


@pytest.mark.parametrize("names", ["x", LONG], ids=["short names", "long names"])
@pytest.mark.parametrize(("width", "height"), [(80, 24), (100, 33), (140, 45), (60, 15)])
def test_the_screen_fits_the_terminal_and_uses_all_of_it(width: int, height: int, names: str) -> None:
    lines = shown(large(names), width, height)

    assert len(lines) == height
    assert max(map(len, lines)) <= width


def test_the_worst_is_first_and_shortened_lists_say_how_long_they_are() -> None:
    text = "\n".join(shown(large()))

    assert "x0 down" in text
    assert "0   no owner" in text
    assert "journals (3 of 100)" in text
    assert "99 of 100 processes" in text


def test_a_script_gets_all_rows() -> None:
    text = "\n".join(shown(large(), height=None))

    assert len(re.findall(r"\bx99\b", text)) == 6  # stores, processes, journals, hot keys, destinations, missing values
    assert "q quits" not in text


def test_the_figures_of_a_small_system_fit_into_80_columns() -> None:
    journals = [Journal(12, "host-0a1b2c3d", 1234, 12.5), Journal(13, "host-0a1b2c3d", 0, 0.0)]
    lines = shown(replace(figures(change()), journals=journals, writes="direct"))
    text = "\n".join(lines)

    assert lines[0].startswith("plaudit top")
    assert re.search(r"2 of 2 processes  writes directly to Postgres +q quits$", lines[0])
    assert "Requests  12/s     refused 0/s   entity 10  like 1.5" in text
    assert "Latency   p50 ≤ 100 ms  p95 > 1 s" in text
    assert "redis down" in text
    assert "Journals  2 of 2 owned by 1 worker   lag 12.5 s   1,234 entries" in text
    assert "12  host-0a1b2c3d       1,234  12.5 s   counts:1:7                           500" in text
    assert "13  host" not in text  # it is empty


def test_without_processes_the_screen_says_how_to_name_them() -> None:
    nothing = replace(figures(change()), processes=[], journals=[], writes=None)

    text = "\n".join(shown(nothing))

    assert "no processes: name their metrics with --url" in text
    assert "Journals  unknown" in text


@given(st.integers(-5, 300), st.lists(st.integers(1, 100), min_size=1, max_size=6))
def test_lines_are_shared_fairly(lines: int, wanted: list[int]) -> None:
    given_ = share_out(lines, wanted)

    assert sum(given_) == max(len(wanted), min(lines, sum(wanted)))
    assert all(1 <= got <= most for got, most in zip(given_, wanted, strict=True))
    cut = [got for got, most in zip(given_, wanted, strict=True) if got < most]
    assert all(got <= min(cut) + 1 for got in given_) if cut else given_ == wanted
