"""Facets: the links, mentions and topics in the text of a post or comment, with their places in the text."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from domain.text_tokens import MOST_MENTIONED, FacetKind, Token, tokens
from models.topics import TopicRow

MOST_FACETS = 100
"""The most facets of one text: the first ones."""
Mentioned = tuple[tuple[str, int], ...]
"""The users whom a text mentions, as pairs of the handle in the text, in lower case, and the id of the user who had
this handle when the text was stored. Handles that no user had are left out.
"""
_MAY_HAVE_FACETS = re.compile("[@\uff20#\uff03]|://|[Ww]{3}\\.")


@dataclass(frozen=True, slots=True)
class Facet:
    """A link, mention or topic in a text. It begins at the offset `start`, and ends before the offset `end`, counted
    in code points and in UTF-16 code units.

    A mention has the id of the user, or the handle if it is not stored which user had the handle. It has neither if no
    user had the handle.
    """

    kind: FacetKind
    code_point_start: int
    code_point_end: int
    utf16_start: int
    utf16_end: int
    user_id: int | None = None
    handle: str | None = None
    topic: TopicRow | None = None
    url: str | None = None


def mentioned_from(pairs: Iterable[tuple[str, int]] | None) -> Mentioned | None:
    """Returns the users whom a text mentions, from the form in which they are stored as JSON; None for None."""
    return None if pairs is None else tuple((handle, user_id) for handle, user_id in pairs)


def facets_of(text: str, mentioned: Mentioned | None) -> tuple[Facet, ...]:
    """Returns the first MOST_FACETS facets of a text, in the order of the text. `mentioned` has the users whom the text
    mentions; None if they are not stored.
    """
    if not _MAY_HAVE_FACETS.search(text):
        return ()
    users, unknown = dict(mentioned or ()), mentioned is None
    handles, found = set[str](), list[Facet]()
    for token, places in _places(text):
        if token.kind is FacetKind.MENTION:
            if token.value in handles or len(handles) < MOST_MENTIONED:
                handles.add(token.value)
            is_looked_up = unknown and token.value in handles
            found.append(Facet(token.kind, *places, users.get(token.value), token.value if is_looked_up else None))
        elif token.kind is FacetKind.TOPIC:
            found.append(Facet(token.kind, *places, topic=TopicRow(token.value)))
        else:
            found.append(Facet(token.kind, *places, url=_with_scheme(token.value)))
    return tuple(found)


def _places(text: str) -> Iterator[tuple[Token, tuple[int, int, int, int]]]:
    """Yields the first MOST_FACETS tokens of a text with their starts and ends, in code points and in UTF-16 units."""
    at = units = 0
    for token in islice(tokens(text), MOST_FACETS):
        start = units + _units(text[at : token.start])
        at, units = token.end, start + _units(text[token.start : token.end])
        yield token, (token.start, token.end, start, units)


def _units(text: str) -> int:
    """Returns the number of UTF-16 code units of a text."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def _with_scheme(address: str) -> str:
    """Returns the address of a link, with `https://` before an address that begins with `www.`."""
    return address if "://" in address[:8] else f"https://{address}"
