"""Finds links, mentions and topics in texts: one pattern for all of them, so that they never overlap.

The search takes time in proportion to the length of the text. `docs/build/notifications.md` has the pattern for
mentions in JavaScript, because clients and the server must find the same mentions.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

import regex

from domain import handles, topics

MOST_MENTIONED = 20
"""The most users who are notified because one text mentions them."""


class FacetKind(Enum):
    """The kind of a part of a text: link, mention or topic."""

    LINK = "link"
    MENTION = "mention"
    TOPIC = "topic"


@dataclass(frozen=True, slots=True)
class Token:
    """A part of a text that is a link, a mention or a topic. It begins at the character `start` and ends before the
    character `end`. `value` is the address of the link, the handle in lower case, or the name of the topic as topics
    show it.
    """

    kind: FacetKind
    start: int
    end: int
    value: str


_UNSPACED = (
    r"\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}\p{sc=Hangul}\p{sc=Yi}\p{sc=Nushu}\p{sc=Tangut}"
    r"\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}\p{sc=Tai_Le}\p{sc=New_Tai_Lue}\p{sc=Tai_Tham}"
    r"\p{sc=Tai_Viet}\p{sc=Ahom}\p{sc=Balinese}\p{sc=Javanese}\u3000-\u33ff\uff66-\uff9f"
)
"""Characters of scripts that have no spaces between words, or that attach endings to words. They may
touch a mention.
"""
_EMOJI_PARTS = r"\ufe0f\u20e3"
"""Marks that end an emoji. They are no part of a word."""
_WORD = rf"(?![{_UNSPACED}{_EMOJI_PARTS}])[\p{{L}}\p{{M}}\p{{N}}_]"
"""A letter, mark or digit of a script with spaces between words."""
_HTTP = r"[Hh][Tt][Tt][Pp][Ss]?:\/\/"
_ASCII = r"!#-;=?-~"
"""The visible ASCII characters that can be part of an address."""
_ADDRESS = rf"(?:(?:(?!{_HTTP})(?:[{_ASCII}]|{_WORD}))+|(?:(?!{_HTTP})[{_ASCII}\p{{L}}\p{{M}}\p{{N}}\p{{S}}\u200d])+)"
"""The part of a link after `://`. It ends before the first letter of a script without spaces, because Chinese text
continues without a space, unless the host begins with such a letter.
"""
_LINK = rf"(?<link>(?:{_HTTP}|(?=[Ww])(?<![A-Za-z0-9\/.@-])[Ww]{{3}}\.)(?<address>{_ADDRESS}))"
_OTHER_ADDRESS = (
    rf":\/\/{_ADDRESS}"
    rf"|(?<![^\p{{Z}}\n\t(\[<\",;!])(?:[\p{{L}}\p{{M}}\p{{N}}-]{{1,63}}\.)+\p{{L}}{{2,63}}(?::[0-9]{{1,5}})?[\/?#]"
    rf"{_ADDRESS}"
)
"""Addresses with other schemes than http and https, and addresses without a scheme (`example.com/~@bob`). They are not
links, and are matched so that no mentions and topics are found inside them.
"""
_SERVER = r"[A-Za-z0-9-]{1,63}\.[\p{L}\p{N}]"
_MENTION = (
    rf"(?=[@\uff20])(?<![.\/=@\uff20]|{_WORD})[@\uff20](?<mention>{handles.PATTERN})"
    rf"(?![.-]?{_WORD}|[@\uff20]|\.[\p{{L}}\p{{N}}]|[:-]{_SERVER}|-[A-Za-z0-9_.-]{{1,63}}[@\uff20])"
)
"""A mention. Its handle is the longest one after the `@`, so `@ann.lee` never mentions `ann`. The conditions before it
exclude e-mail addresses. The conditions after it exclude parts of longer words, and handles of other networks:
`@bob@example.com`, `@bob:example.com`.
"""
_TOPIC = rf"(?=[#\uff03])(?<![&\/@\uff20#\uff03]|{_WORD})[#\uff03](?<topic>{topics.PATTERN})(?!:{_SERVER})"
_TOKENS = regex.compile(f"{_LINK}|{_OTHER_ADDRESS}|{_MENTION}|{_TOPIC}")
_AFTER_LINK = ".,;:!?'\"*_~)]}"
"""Punctuation at the end of a link that belongs to the sentence around it."""


def tokens(text: str) -> Iterator[Token]:
    """Yields the links, mentions and topics of a text, in the order of the text."""
    for match in _TOKENS.finditer(text):
        match match.lastgroup:
            case "link" if any(map(str.isalnum, match["address"])):
                link = _trimmed(match[0])
                yield Token(FacetKind.LINK, match.start(), match.start() + len(link), link)
            case "mention":
                yield Token(FacetKind.MENTION, *match.span(), match["mention"].lower())
            case "topic" if name := topics.spelling(match["topic"]):
                yield Token(FacetKind.TOPIC, *match.span(), name)


def mentions(text: str) -> list[str]:
    """Returns the handles that a text mentions, in lower case and without duplicates. Returns at most the first
    MOST_MENTIONED handles.
    """
    if "@" not in text and "\uff20" not in text:
        return []
    handles = (token.value for token in tokens(text) if token.kind is FacetKind.MENTION)
    return list(dict.fromkeys(handles))[:MOST_MENTIONED]


def links(text: str) -> list[str]:
    """Returns the addresses of the links in a text."""
    return [token.value for token in tokens(text) if token.kind is FacetKind.LINK]


def _trimmed(link: str) -> str:
    """Returns a link without the punctuation after it. Keeps a closing bracket if its opening bracket
    is in the link.
    """
    end = len(link.rstrip(_AFTER_LINK))
    closes = link[end : end + 1] == ")" and link.count("(", 0, end) > link.count(")", 0, end)
    return link[: end + closes]
