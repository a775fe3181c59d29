"""The styles of the web pages and components follow the direction of the language: they say start and end, and not left
and right.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.deployment import ROOT

SOURCES = ("web/app/src", "clients/react/src", "clients/examples")
ALLOWED = {
    ("p.text", "unicode-bidi: plaintext"): "the text of a user has the direction of its words, and stands at its side",
}
"""A selector and a declaration, and why it stays."""

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{};]*)\{([^{}]*)\}")
_PART = re.compile(r"(?:[^\s(]|\((?:[^()]|\([^()]*\))*\))+")


def _differs(value: str, *pairs: tuple[int, int]) -> bool:
    """Returns whether a value has four parts, and those of a pair differ."""
    parts = _PART.findall(value)
    return len(parts) == 4 and any(parts[one] != parts[other] for one, other in pairs)


_TESTS: dict[str, Callable[[str], bool]] = {
    r"--.*": lambda _: False,
    r".*\b(left|right)\b.*": lambda _: True,
    r"margin|padding|inset|border-(width|style|color)|scroll-(margin|padding)": lambda value: _differs(value, (1, 3)),
    r"border-radius": lambda value: _differs(value, (0, 1), (2, 3)),
    r"box-shadow": lambda value: re.search(r"(^|,)\s*(inset )?-?(0\.|[1-9])", value) is not None,
    r"translate": lambda value: not re.match(r"0\b(?!\.)|none", value),
    r"unicode-bidi": lambda value: value == "plaintext",  # puts a block of another direction at the other side
    r".*": lambda value: re.search(r"\b(left|right)\b|translate(X|3d)?\((?!0[,)])", value) is not None,
}
"""Which values of a property are about left or right. The first pattern that matches its name decides."""


def declarations(css: str) -> Iterator[tuple[str, str, str]]:
    """Returns the selector, the name and the value of each declaration."""
    for selector, body in _RULE.findall(_COMMENT.sub("", css)):
        for declaration in filter(None, map(str.strip, body.split(";"))):
            name, _, value = declaration.partition(":")
            yield selector.strip(), name.strip(), value.removesuffix("!important").strip()


def has_a_side(name: str, value: str) -> bool:
    """Returns whether a declaration is about left or right, where a language from right to left needs the other one."""
    return next(test for pattern, test in _TESTS.items() if re.fullmatch(pattern, name))(value)


def found_in(css: str) -> list[tuple[str, str]]:
    return [(selector, f"{name}: {value}") for selector, name, value in declarations(css) if has_a_side(name, value)]


def sheets() -> list[Path]:
    found = [path for source in SOURCES for path in (ROOT / source).rglob("*.css") if "node_modules" not in path.parts]
    assert len(found) > 10
    return sorted(found)


def test_no_style_names_a_side_without_a_reason() -> None:
    found = [(path.relative_to(ROOT), *one) for path in sheets() for one in found_in(path.read_text())]

    assert [one for one in found if one[1:] not in ALLOWED] == []
    assert {one[1:] for one in found} == set(ALLOWED), "a reason is left without its declaration"


@pytest.mark.parametrize(
    "declaration",
    [
        "margin-left: 1rem",
        "left: 0",
        "border-top-left-radius: 1rem",
        "text-align: right",
        "float: left",
        "padding: 0 1rem 0 2rem",
        "inset: 0 auto 0 calc(1rem + var(--a))",
        "border-radius: 0 1rem 1rem 0",
        "box-shadow: inset 4px 0 red",
        "translate: 1rem 0",
        "transform: translateX(1rem)",
        "unicode-bidi: plaintext",
    ],
)
def test_a_side_is_found(declaration: str) -> None:
    css = f"@media print {{ .a:hover, .b {{ color: red; {declaration} }} }}"

    assert found_in(css) == [(".a:hover, .b", declaration)]


@pytest.mark.parametrize(
    "declaration",
    [
        "margin-inline-start: 1rem",
        "padding: 0 1rem",
        "padding: 1px calc(1rem + (2 * 1px)) 2px calc(1rem + (2 * 1px))",
        "inset: auto 0 0",
        "border-radius: 1rem 1rem 0 0",
        "box-shadow: 0 1px 2px light-dark(rgb(20 23 28 / 6%), rgb(0 0 0 / 40%))",
        "translate: 0 1rem",
        "transform: translateY(-0.15em)",
        "text-align: start",
        "--left: 1rem",
    ],
)
def test_what_has_no_side_is_not_found(declaration: str) -> None:
    assert found_in(f".a {{ {declaration} }}") == []
