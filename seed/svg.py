"""Small parts of SVG pictures. Numbers are rounded to whole pixels, which keeps pictures small."""

from collections.abc import Iterable
from itertools import pairwise

Point = tuple[float, float]


def svg(width: int, height: int, body: str) -> str:
    """Returns a picture of this size."""
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{body}</svg>'


def mixed(one: str, other: str, share: float) -> str:
    """Returns a colour between two colours such as `#fbc2a4`; `share` is the share of the other one, from 0 to 1."""
    pairs = [(int(one[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def fade(above: str, below: str) -> str:
    """Returns a surface as large as the picture, with one colour at its top and another at its bottom."""
    return (
        f'<linearGradient id="fade" x2="0" y2="1"><stop stop-color="{above}"/>'
        f'<stop offset="1" stop-color="{below}"/></linearGradient><rect width="100%" height="100%" fill="url(#fade)"/>'
    )


def circle(x: float, y: float, radius: float, fill: str, more: str = "") -> str:
    """Returns a circle. `more` has further attributes."""
    return f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{radius:.0f}" fill="{fill}" {more}/>'


def ellipse(x: float, y: float, rx: float, ry: float, fill: str, more: str = "") -> str:
    """Returns an ellipse. `more` has further attributes."""
    return f'<ellipse cx="{x:.0f}" cy="{y:.0f}" rx="{rx:.0f}" ry="{ry:.0f}" fill="{fill}" {more}/>'


def box(x: float, y: float, width: float, height: float, fill: str, radius: float = 0) -> str:
    """Returns a rectangle with round corners."""
    corner = f' rx="{radius:.0f}"' if radius else ""
    return f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" fill="{fill}"{corner}/>'


def path(way: str, fill: str = "none", more: str = "") -> str:
    """Returns a shape along a way in the language of SVG. `more` has further attributes."""
    return f'<path d="{way}" fill="{fill}" {more}/>'


def line(way: str, stroke: str, width: float, more: str = "") -> str:
    """Returns a line with round ends."""
    return path(way, "none", f'stroke="{stroke}" stroke-width="{width:.0f}" stroke-linecap="round" {more}')


def polygon(points: Iterable[Point], fill: str) -> str:
    """Returns a surface with straight edges."""
    return path("M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in points) + "Z", fill)


def curve(points: list[Point]) -> str:
    """Returns a smooth way through the middles between points, from the first point to the last."""
    (x, y), *others = points
    parts = [f"M{x:.0f} {y:.0f}"]
    for (x, y), (following_x, following_y) in pairwise(others):
        parts.append(f"Q{x:.0f} {y:.0f} {(x + following_x) / 2:.0f} {(y + following_y) / 2:.0f}")
    return "".join(parts) + f"L{others[-1][0]:.0f} {others[-1][1]:.0f}"
