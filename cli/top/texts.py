"""How `plaudit top` writes numbers."""

from collections.abc import Mapping

from rich.text import Text

from cli.top.figures import Bound

SLOW_S = 10
"""The lag in seconds above which a journal or a destination is red."""
FULL = 0.8
"""The used share of a limit above which it is red."""
_UNITS = ("B", "kB", "MB", "GB", "TB")


def alarming(text: str, alarms: bool) -> Text:
    """Returns a text, in red if it alarms."""
    return Text(text, "bold red" if alarms else "")


def number(rate: float | None) -> str:
    """Returns a rate with one digit after the point if it is small; an empty text if it is unknown."""
    if rate is None:
        return ""
    return f"{rate:,.0f}" if rate >= 10 or not rate else f"{rate:.1f}"


def rates(found: Mapping[str, float]) -> str:
    """Returns rates with their names."""
    return "  ".join(f"{name} {number(rate)}" for name, rate in found.items())


def seconds(duration: float | None) -> str:
    """Returns a duration such as `3.2 s`, `5 min` or `3 h`; an empty text if it is unknown."""
    if duration is None:
        return ""
    if duration < 100:
        return f"{duration:.1f} s"
    return f"{duration / 60:.0f} min" if duration < 6000 else f"{duration / 3600:,.0f} h"


def size(count: int | None) -> str:
    """Returns a number of bytes such as `3.2 MB`; an empty text if it is unknown."""
    if count is None:
        return ""
    left, unit = float(count), 0
    while left >= 1000 and unit < len(_UNITS) - 1:
        left, unit = left / 1000, unit + 1
    return f"{left:.1f} {_UNITS[unit]}" if unit else f"{count} B"


def of(used: str, most: str, share: float | None) -> Text:
    """Returns what is used of a limit, in red if the share is large."""
    return alarming(f"{used}/{most}" if most else used, share is not None and share > FULL)


def quantiles(**found: Bound | None) -> str:
    """Returns quantiles with their names: an upper bound, because histograms know only the bucket of a value."""
    return "  ".join(f"{name.replace('_', ' ')} {_bound(bound)}" for name, bound in found.items() if bound)


def _bound(bound: Bound) -> str:
    duration = f"{bound.seconds * 1000:g} ms" if bound.seconds < 1 else f"{bound.seconds:g} s"
    return f"{'≤' if bound.is_upper else '>'} {duration}"
