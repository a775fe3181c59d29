"""Links, mentions and topics in texts: where they are, and what is none."""

import sys
import time
import unicodedata
from itertools import pairwise

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from domain.text_tokens import MOST_MENTIONED, FacetKind, links, mentions, tokens

MENTIONED = [
    *(
        "@Bob!",
        "(@bob)",
        "@bob.",
        "@bob, hi",
        "@bob: hi",
        "@bob's",
        "@bob…",
        "RT:@bob",
        "&@bob",
        "谢谢~@bob",
        "@bob:hi",
    ),
    *(
        "你好@bob谢谢",
        "ねえ@bobさん",
        "スター@bob",
        "안녕@bob님",
        "ไทยนี้@bobไทย",
        "ខ្មែរ@bobខ្មែរ",
        "བོད་@bobབོད",
        "မြန်@bobမြန်",
    ),
    *("\uff20bob hello", "あ\uff20bobさん", "❤\ufe0f@bob", "1\ufe0f\u20e3@bob", "🇫🇷@bob🎉", "@bob-さん", "@bob。谢谢"),
    *("https://a.cn谢谢@bob", "(https://example.com) @bob", "e.g. @bob", "@bob?!", "“@bob”", "@bob:\n"),
    *("@bob...", "@bob..ann", "@bob--ann", "@bob-", "@bob.-", "@bob.'s", "_@bob_ @bob"),
]
LONGER_HANDLES = {
    "@ann.lee": "ann.lee",
    "@Ann-Lee!": "ann-lee",
    "@ann.lee.": "ann.lee",
    "@ann.lee..": "ann.lee",
    "@ann-lee-": "ann-lee",
    "@ann.lee's": "ann.lee",
    "(@ann.lee)": "ann.lee",
    "\uff20ann.lee, hi": "ann.lee",
    "你好@ann.lee谢谢": "ann.lee",
    "@ann.lee님": "ann.lee",
    "@ann.lee:hi": "ann.lee",
    "@ann.lee。": "ann.lee",
    "@ann.m_._x": "ann.m_._x",
    "@" + "a" * 31: "a" * 31,
    "@" + "a" * 64: "a" * 64,
    "@" + "a" * 64 + ".": "a" * 64,
    "@" + "a." * 31 + "ab": "a." * 31 + "ab",
    "@bob-san": "bob-san",
    "@bob.Thanks": "bob.thanks",
    "@bob.com": "bob.com",
    "@bob.bsky.social": "bob.bsky.social",
    "@bob-x.bsky.social": "bob-x.bsky.social",
    "用户@bob.com": "bob.com",
    "자@bob.kr": "bob.kr",
    "ユーザー@bob-mail.com": "bob-mail.com",
    "a+b-@bob.com": "bob.com",
    '"x y"@bob.com': "bob.com",
}
"""Texts that mention a user with a longer handle than `bob` or `ann`, and never `bob` or `ann`. Some of them may be
addresses; then usually no user has the handle.
"""
NOT_MENTIONED = {
    "an e-mail address": [
        *("me@bob.com", "josé@bob.com", "имя@bob.com", "用户@bob.公司", "mailto:me@bob", "ann.lee@bob.com"),
        *("ann-lee@bob-mail.com", "ann.@bob.com", "ann_@bob.com"),
    ],
    "a word": [
        *(
            "niñ@bob",
            "nin\u0303@bob",
            "@bobé",
            "@bobe\u0301",
            "@bob\u0301",
            "é@bob",
            "ж@bob",
            "@bobж",
            "α@bob",
            "_@bob",
        ),
        *("5@bob", "٥@bob", "@bobא", "سلام@bob", "हिन्दी@bob", "@bobकी", "ა@bob", "ﬁ@bob", "Ａ@bob"),
        *("@bob.é", "@bob-é", "@bob.leé", "@bob-leé", "@bob.le\u0301"),
    ],
    "an address": [
        *("x.com/@bob", "https://example.com/#@bob", "https://example.com/?u=@bob", "https://example.com/~@bob"),
        *("https://user:@bob.com/", "https://example.com/a&@bob", "https://example.com/Straße?u=@bob", "x.com/~@bob"),
        *("HTTPS://EXAMPLE.COM/-@bob", "ftp://u:@bob", "ssh://git:@bob/", "www.example.com/(@bob", "пример.рф/?u=@bob"),
        *(
            "http://例子.中国/#@bob",
            "example.com:80/:@bob",
            "at://a!@bob",
            "?u=@bob",
            "https://example.com/e\u0301~@bob",
        ),
    ],
    "a handle of another network": [
        *("@bob@example.com", "@bob:matrix.org", "@bob-smith@example.com", "@bob.smith@example.com", "!a@bob"),
        *("\uff20bob\uff20example.com", "@ann@bob", "@bob:1.2.3.4", "@bob:chat.example.org:80", "@bob--x@example.com"),
        *("@bob.smith:matrix.org", "@bob--x.bsky.social", "@bob.公司"),
    ],
    "no handle": ["@", "@b", "@b.", "@-bob", "@.bob", "@" + "b" * 65, "@" + "b" * 63 + ".b", "@@bob", ".@bob"],
}
UNSPACED = regex.compile(
    r"\p{lb=ID}|\p{lb=CJ}|\p{lb=SA}|\p{lb=H2}|\p{lb=H3}|\p{lb=JL}|\p{lb=JV}|\p{lb=JT}|\p{sc=Tibetan}"
)
"""Characters between which a line may break without a space, by the property Line_Break."""
SPACED = regex.compile(
    r"\p{sc=Latin}|\p{sc=Greek}|\p{sc=Cyrillic}|\p{sc=Arabic}|\p{sc=Hebrew}|\p{sc=Devanagari}|\p{sc=Bengali}"
    r"|\p{sc=Tamil}|\p{sc=Armenian}|\p{sc=Georgian}|\p{sc=Ethiopic}|\p{sc=Inherited}"
)
EAST_ASIAN_MARKS = {*map(chr, range(0x302A, 0x3030)), "\u3099", "\u309a"}
EMOJI_MARKS = {"\ufe0f", "\u20e3"}
PIECES = [
    *("@", "\uff20", "bob", "é", "\u0301", "漢", "#", "cat", ".", "/", ":", "-", "_", "https://", "www.", "a.b/", "~"),
    *("ann.lee", "a-b", " ", "·", "\u200c", "1"),
]
HANDLES = ["@a.", "a.@", "a.b-", "@" + "a." * 40, "@" + "a-" * 31 + "b"]
REPEATED = [
    *PIECES,
    *HANDLES,
    "a.",
    "a-",
    "@bob:a-",
    "@bob-",
    "#a·",
    "a.bb/",
    "a" * 63 + ".",
    "@" + "a" * 30,
    "#" + "1" * 49,
]


@pytest.mark.parametrize("text", MENTIONED)
def test_a_text_mentions_bob(text: str) -> None:
    assert mentions(text) == ["bob"]


@pytest.mark.parametrize(("text", "handle"), LONGER_HANDLES.items())
def test_a_text_mentions_the_longest_handle(text: str, handle: str) -> None:
    assert mentions(text) == [handle]


@pytest.mark.parametrize("text", [text for texts in NOT_MENTIONED.values() for text in texts])
def test_a_text_mentions_no_user(text: str) -> None:
    assert mentions(text) == []


def letters(pattern: regex.Pattern[str]) -> list[str]:
    """Returns the letters and marks that a pattern matches, except those of ASCII."""
    characters = (chr(code) for code in range(0x80, sys.maxunicode + 1))
    return [one for one in characters if unicodedata.category(one)[0] in "LM" and pattern.match(one)]


def test_letters_and_marks_of_every_alphabet_with_spaces_bound_a_word() -> None:
    spaced = [one for one in letters(SPACED) if one not in EAST_ASIAN_MARKS | EMOJI_MARKS]

    assert len(spaced) > 4000
    assert [one for one in spaced if mentions(f"e{one}@bob") or mentions(f"@bob{one}")] == []


def test_letters_of_every_living_script_without_spaces_may_touch_a_mention() -> None:
    unspaced = [one for one in letters(UNSPACED) if not SPACED.match(one) and one < "\U00010000"]

    assert len(unspaced) > 40_000
    assert mentions("".join(f"{one}@user{number % 10}" for number, one in enumerate(unspaced))) == [
        f"user{number}" for number in range(10)
    ]
    assert [one for one in unspaced[:8000] if mentions(f"{one}@bob{one}") != ["bob"]] == []


def test_a_text_mentions_the_first_different_handles() -> None:
    names = [f"user{number}" for number in range(MOST_MENTIONED + 1)]

    assert mentions(" ".join(f"@{name} @{name.upper()}" for name in names)) == names[:MOST_MENTIONED]


def test_links_mentions_and_topics_have_their_places() -> None:
    text = "@Ann 看https://a.cn/b_(c), www.d.example. #Cats&#39; \uff03col·lecció! x#y #a:b.org #1 \uff20bob"

    assert [(token.kind, token.value, text[token.start : token.end]) for token in tokens(text)] == [
        (FacetKind.MENTION, "ann", "@Ann"),
        (FacetKind.LINK, "https://a.cn/b_(c)", "https://a.cn/b_(c)"),
        (FacetKind.LINK, "www.d.example", "www.d.example"),
        (FacetKind.TOPIC, "cats", "#Cats"),
        (FacetKind.TOPIC, "col·lecció", "\uff03col·lecció"),
        (FacetKind.TOPIC, "1", "#1"),
        (FacetKind.MENTION, "bob", "\uff20bob"),
    ]


@pytest.mark.parametrize("text", ["http://", "https://.", "www.", "xwww.a.cn", "node.js", "ftp://a.cn", "a@www.b.cn"])
def test_a_text_has_no_link(text: str) -> None:
    assert links(text) == []


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_tokens_are_in_order_and_never_overlap(text: str) -> None:
    found = list(tokens(text))

    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(0 <= token.start < token.end <= len(text) for token in found)


@pytest.mark.parametrize("piece", REPEATED)
def test_the_time_for_a_text_grows_with_its_length(piece: str) -> None:
    short, long = (f"@bob-{piece * (characters // len(piece))}" for characters in (5_000, 40_000))

    def spent(text: str) -> float:
        started = time.process_time()
        list(tokens(text))
        return time.process_time() - started

    assert min(spent(long) for _ in range(3)) < 8 * 4 * max(0.001, min(spent(short) for _ in range(3)))
