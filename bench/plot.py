"""Draws ratios as an SVG: a bar for the median of each, with the range of the rounds and the goal.

The axis is logarithmic, so that half as fast and twice as fast are equally far from 1, where the bars begin.
"""

import math
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from bench.results import Result

_WIDTH, _LABELS, _VALUES = 900, 430, 60
_ROW, _TOP, _BOTTOM = 26, 12, 60
_BAR, _INK, _FAINT = "#4878a8", "#222", "#ccc"
_LEGEND = "Bar: median of the ratios of all rounds. Line: the smallest and the largest. Dashes: the goal."


def save(results: Sequence[Result], file: Path, note: str) -> None:
    """Writes the drawing of these results into a file, as SVG. `note` is printed below the bars."""
    file.write_text(draw(results, note))


def draw(results: Sequence[Result], note: str) -> str:
    """Returns a drawing, as SVG, of all results that are ratios. `note` is printed below the bars, after an
    explanation.
    """
    rows = [result for result in results if result.ratio is not None]
    bottom, axis = _TOP + _ROW * len(rows), _Axis(rows)
    height = bottom + _BOTTOM
    size, font = f"0 0 {_WIDTH} {height}", f'font-family="sans-serif" font-size="13" fill="{_INK}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" {font}>',
        f'<rect width="{_WIDTH}" height="{height}" fill="white"/>',
        *axis.lines(bottom),
        *(line for at, result in enumerate(rows) for line in _row(result, axis, _TOP + _ROW * at)),
        f'<text x="12" y="{height - 12}" font-size="11">{_LEGEND} {escape(note)}</text>',
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


class _Axis:
    """The logarithmic axis of the drawing. It covers all ratios, their ranges and their goals."""

    def __init__(self, results: Sequence[Result]) -> None:
        shown = [1.0, *(value for result in results for value in _values(result))]
        self._least = math.floor(math.log2(min(shown)))
        self._most = max(self._least + 1, math.ceil(math.log2(max(shown))))

    def x(self, ratio: float) -> float:
        """Returns the horizontal position of a ratio."""
        share = (math.log2(ratio) - self._least) / (self._most - self._least)
        return round(_LABELS + share * (_WIDTH - _LABELS - _VALUES), 1)

    def lines(self, bottom: float) -> Iterator[str]:
        """Yields vertical lines at the powers of two, as SVG. Their numbers are below the vertical
        position `bottom`.
        """
        for power in range(self._least, self._most + 1):
            x, color = self.x(2.0**power), _FAINT if power else _INK
            yield f'<line x1="{x}" x2="{x}" y1="{_TOP}" y2="{bottom}" stroke="{color}"/>'
            yield f'<text x="{x}" y="{bottom + 16}" text-anchor="middle">{2.0**power:g}</text>'


def _values(result: Result) -> list[float]:
    """Returns the numbers of a result that the drawing shows: its ratio, its goal and its range."""
    values = result.ratio, _goal(result), *(result.spread or ())
    return [value for value in values if value is not None]


def _goal(result: Result) -> float | None:
    return float(result.goal.split()[1]) if result.goal else None


def _row(result: Result, axis: _Axis, top: float) -> Iterator[str]:
    assert result.ratio is not None
    text, middle = top + _ROW / 2 + 4, top + _ROW / 2
    left, right = sorted((axis.x(1), axis.x(result.ratio)))
    yield f'<text x="12" y="{text}">{escape(result.what)}</text>'
    yield f'<rect x="{left}" y="{top + 5}" width="{right - left:.1f}" height="{_ROW - 10}" fill="{_BAR}"/>'
    if result.spread:
        low, high = map(axis.x, result.spread)
        yield f'<line x1="{low}" x2="{high}" y1="{middle}" y2="{middle}" stroke="{_INK}" stroke-width="2"/>'
    if goal := _goal(result):
        x, ends = axis.x(goal), f'y1="{top + 2}" y2="{top + _ROW - 2}"'
        yield f'<line x1="{x}" x2="{x}" {ends} stroke="{_INK}" stroke-dasharray="3 2"/>'
    yield f'<text x="{_WIDTH - 12}" y="{text}" text-anchor="end" font-weight="bold">{result.ratio:.2f}</text>'
