"""Draws the curves as an SVG: one panel for each action, with the number of buffers that it reads at each size.

Both axes are logarithmic. A flat line is a cost that does not depend on the size, and the steepest diagonal is a cost
that grows as the size does.
"""

import math
from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from pathlib import Path

from bench.curves.measure import Point
from store.groups import grouped

_COLUMNS, _WIDTH, _HEIGHT = 3, 300, 150
_LEFT, _RIGHT, _TOP, _BOTTOM = 16, 24, 44, 30
_LINE, _INK, _FAINT = "#4878a8", "#222", "#ccc"
_DECADES = 4
"""The fewest powers of ten of buffers that the vertical axis of a panel covers."""


def save(points: Sequence[Point], file: Path) -> None:
    """Writes the drawing of these points into a file, as SVG."""
    file.write_text(draw(points))


def draw(points: Sequence[Point]) -> str:
    """Returns the drawing as SVG: a panel for each action, with the buffers of its points."""
    panels = list(grouped(((point.axis, point.action), point) for point in points).items())
    width, height = _COLUMNS * _WIDTH, -(-len(panels) // _COLUMNS) * _HEIGHT
    font = f'font-family="sans-serif" font-size="11" fill="{_INK}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {font}>',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for at, ((axis, action), some) in enumerate(panels):
        x, y = at % _COLUMNS * _WIDTH, at // _COLUMNS * _HEIGHT
        lines += [f'<g transform="translate({x} {y})">', *_panel(axis, action, some), "</g>"]
    return "\n".join([*lines, "</svg>"]) + "\n"


def _panel(axis: str, action: str, points: Sequence[Point]) -> Iterator[str]:
    """Yields the SVG elements of the panel of one action: the curve, the number of buffers at each point, and the sizes
    below.
    """
    values = [max(1.0, point.cost.buffers) for point in points]
    low = math.floor(math.log10(min(values)))
    high = max(low + _DECADES, math.ceil(math.log10(max(values))))
    last, bottom = max(1, len(points) - 1), _HEIGHT - _BOTTOM

    def place(number: int) -> tuple[float, float]:
        share = (math.log10(values[number]) - low) / (high - low)
        across = number / last * (_WIDTH - 2 * _LEFT - 2 * _RIGHT)
        return round(_LEFT + _RIGHT + across, 1), round(bottom - share * (bottom - _TOP), 1)

    places = [place(number) for number in range(len(points))]
    yield f'<text x="{_LEFT}" y="16" font-weight="bold">{escape(action)}</text>'
    yield f'<text x="{_LEFT}" y="30" fill="#666">buffers, by {escape(axis)}</text>'
    yield f'<line x1="{_LEFT}" x2="{_WIDTH - _LEFT}" y1="{bottom}" y2="{bottom}" stroke="{_FAINT}"/>'
    for (x1, y1), (x2, y2) in pairwise(places):
        yield f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{_LINE}" stroke-width="2"/>'
    for point, (x, y) in zip(points, places, strict=True):
        yield f'<circle cx="{x}" cy="{y}" r="3" fill="{_LINE}"/>'
        yield f'<text x="{x}" y="{y - 6}" text-anchor="middle" font-size="10">{point.cost.buffers:,.0f}</text>'
        yield f'<text x="{x}" y="{bottom + 14}" text-anchor="middle" fill="#666">{_size(point.size)}</text>'


def _size(size: int) -> str:
    """Returns a size in few characters, as SVG text: a power of ten, or the number."""
    power = round(math.log10(size))
    return f'10<tspan dy="-4" font-size="8">{power}</tspan>' if size == 10**power else f"{size:,}"
