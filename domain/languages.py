"""Language tags of BCP 47, such as `en` or `zh-Hans`: their form, and which of some languages fits a reader best."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

LONGEST = 35
"""The most characters of a language tag."""
DEFAULT = "en"
"""The language whose texts are complete: it is the last one to which readers fall back."""
_TAG = re.compile(
    r"(?P<language>[a-z]{2,3}|[a-z]{5,8})(-(?P<script>[a-z]{4}))?(-(?P<region>[a-z]{2}|[0-9]{3}))?"
    r"(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*(-[a-wy-z0-9](-[a-z0-9]{2,8})+)*(-x(-[a-z0-9]{1,8})+)?",
    re.IGNORECASE,
)
_MOST_RANGES = 20
_WEIGHT = re.compile(r"0(\.\d{0,3})?|1(\.0{0,3})?")
_RIGHT_TO_LEFT = frozenset({"Adlm", "Arab", "Hebr", "Mand", "Mend", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa", "Yezi"})


class _Parts(NamedTuple):
    """The language of a tag, its script and its region. Each may be empty."""

    language: str
    script: str
    region: str


def canonical(tag: str) -> str | None:
    """Returns a language tag in its usual spelling, such as `zh-Hant-TW`; None if it does not have the form of BCP
    47.
    """
    if len(tag) > LONGEST or not tag.isascii() or not (match := _TAG.fullmatch(tag)):
        return None
    language, script, region = match["language"].lower(), (match["script"] or "").title(), match["region"] or ""
    rest = tag[max(match.end(group) for group in ("language", "script", "region") if match[group]) :].lower()
    return "-".join(filter(None, (language, script, region.upper()))) + rest


@lru_cache(1000)
def _full(tag: str) -> _Parts:
    """Returns the parts of a tag with its likely script and region: `zh-TW` is written in `Hant`, and `zh` in
    `Hans`.
    """
    from babel.core import get_global

    match = _TAG.fullmatch(tag)
    assert match
    language, script, region = match["language"].lower(), (match["script"] or "").title(), match["region"] or ""
    for parts in ((language, script, region), (language, region), (language, script), (language,)):
        if found := get_global("likely_subtags").get("_".join(filter(None, parts))):
            likely = found.split("_")
            return _Parts(language, script or likely[1], region or likely[-1])
    return _Parts(language, script, region)


def is_right_to_left(tag: str) -> bool:
    """Tells whether texts of a language run from right to left."""
    return _full(tag).script in _RIGHT_TO_LEFT


def best(wanted: Iterable[str], available: Sequence[str]) -> str | None:
    """Returns the language in `available` that fits a reader best; None if none fits. `wanted` has the languages of
    the reader, the most wanted first. A language fits only if it has the first subtag of a wanted language: `zh-Hans`
    fits `zh-TW`. If several languages fit, those in the wanted script come first, then those of the wanted region.
    """
    for tag in wanted:
        if tag in available:
            return tag
        full = _full(tag)

        def fit(one: str, full: _Parts = full) -> tuple[bool, bool, int]:
            other = _full(one)
            return other.script == full.script, other.region == full.region, -len(one)

        fitting = [one for one in available if _full(one).language == full.language]
        if fitting:
            return max(fitting, key=fit)
    return None


@lru_cache(1000)
def accepted(header: str) -> Sequence[str]:
    """Returns the languages of a header `Accept-Language`, the most wanted first. Leaves out what is not a language
    tag, languages with the weight 0, and all after the first 20.
    """
    found: list[tuple[float, str]] = []
    for part in header.split(",", _MOST_RANGES)[:_MOST_RANGES]:
        tag, *parameters = (one.strip() for one in part.split(";"))
        weight = next((one[2:] for one in parameters if one.startswith("q=")), "1")
        if (wanted := canonical(tag)) and _WEIGHT.fullmatch(weight) and float(weight):
            found.append((float(weight), wanted))
    return tuple(tag for _, tag in sorted(found, key=lambda one: -one[0]))
