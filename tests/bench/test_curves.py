"""The cost of actions at growing sizes: the rows that are written, the figures, and their drawing."""

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from rich.console import Console

from bench.curves import cost, draw
from bench.curves.actions import PAGES
from bench.curves.cost import Cost
from bench.curves.measure import Point, measure
from bench.machine import machine, stores
from settings import Settings
from tests.bench.tiny import TINY, value

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def counting(tmp_path: Path) -> Iterator[Settings]:
    with stores(tmp_path, cost.SETTINGS) as settings:
        yield settings


@pytest.mark.prove
async def test_all_actions_are_measured_at_all_sizes(counting: Settings, tmp_path: Path) -> None:
    async with machine(tmp_path, counting, TINY) as tiny:
        points = [point async for point in measure(tiny, [1000, 2000], [10, 100], Console(quiet=True))]
        rows = [await value(tiny, f"count(*) FROM {table} WHERE {where}") for table, where in (
            ("reactions", "version >> 20 < (extract(epoch FROM now()) - 86400) * 1000"),
            ("posts", "text LIKE 'Post number %'"),
            ("comments", "comment_id < 2000000000000000000"),
            ("followers", "user_id = 1000000060000000000"),
        )]  # fmt: skip
        likes = await value(tiny, "count(*) FROM reactions WHERE state = 1")
        counted = await value(tiny, "sum(value)::bigint FROM counters WHERE kind = 1")

    assert rows[0] == pytest.approx(2000, rel=0.01)
    assert likes == counted > rows[0]
    assert rows[1:] == [400, 400 + 2 * 80, 100 + 2 * 20]
    by_rows = [point for point in points if "reactions" in point.axis]
    assert [point.action for point in by_rows[: len(PAGES)]] == list(PAGES)
    assert [point.size for point in by_rows] == [1000] * (len(by_rows) // 2) + [2000] * (len(by_rows) // 2)
    assert all(point.cost.buffers > 0 and point.cost.queries > 0 and point.cost.commands > 0 for point in points)
    assert all(point.cost.wal > 0 for point in points if "stored" in point.action)


def test_each_action_is_a_panel_with_its_sizes_and_buffers(tmp_path: Path) -> None:
    points = [Point("rows", "a <page>", size, _cost(buffers)) for size, buffers in ((1000, 10.0), (10_000, 100.0))]
    points.append(Point("followers", "a follow", 1000, _cost(7.0)))

    draw.save(points, tmp_path / "curves.svg")

    svg = ET.parse(tmp_path / "curves.svg").getroot()  # noqa: S314 - our own file
    assert ["".join(text.itertext()) for text in svg.iter(f"{SVG}text")] == [
        *("a <page>", "buffers, by rows", "10", "103", "100", "104"),
        *("a follow", "buffers, by followers", "7", "103"),
    ]
    low, high, _ = [float(circle.attrib["cy"]) for circle in svg.iter(f"{SVG}circle")]
    assert high < low


def _cost(buffers: float) -> Cost:
    return Cost(queries=1, rows=2, buffers=buffers, wal=0, pages=0, milliseconds=0.5, commands=3, largest="")
