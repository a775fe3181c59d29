"""Facets: where the links, mentions and topics of a text are, in code points and in UTF-16 code units."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.text_tokens import MOST_MENTIONED, FacetKind, tokens
from models.facets import MOST_FACETS, Facet, facets_of

PIECES = [
    *("@bob", "\uff20ann.lee", "#tea", "\uff03お茶", "#c\u0301a", "https://a.cn/b", "www.d.example", "WWW.e.f/g"),
    *(" ", "\n", ".", "😀", "👨\u200d👩\u200d👧", "\U00020000", "é", "漢", "e\u0301", "x", "@", "#", "me@bob.com"),
]


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


@settings(max_examples=50)
@given(st.lists(st.sampled_from(PIECES) | st.characters(exclude_categories=["Cs"]), max_size=20).map("".join))
def test_both_ranges_cut_exactly_the_token(text: str) -> None:
    found = facets_of(text, None)

    expected = list(tokens(text))[:MOST_FACETS]
    assert [(one.kind, one.code_point_start, one.code_point_end) for one in found] == [
        (token.kind, token.start, token.end) for token in expected
    ]
    units = text.encode("utf-16-le")
    for one in found:
        cut = text[one.code_point_start : one.code_point_end]
        assert units[2 * one.utf16_start : 2 * one.utf16_end].decode("utf-16-le") == cut
        assert one.utf16_start == utf16(text[: one.code_point_start])


def test_a_mention_names_the_stored_user_and_no_other() -> None:
    text = "@Bob @ann @bob"

    assert [one.user_id for one in facets_of(text, (("bob", 7),))] == [7, None, 7]
    assert [one.handle for one in facets_of(text, (("bob", 7),))] == [None, None, None]
    assert [one.handle for one in facets_of(text, None)] == ["bob", "ann", "bob"]


def test_only_the_first_handles_of_a_text_name_users() -> None:
    text = " ".join(f"@user{number}" for number in range(MOST_MENTIONED + 1)) + " @user0"

    handles = [one.handle for one in facets_of(text, None)]

    assert handles[-2:] == [None, "user0"]
    assert None not in handles[:MOST_MENTIONED]


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("see www.a.cn/b, now", "https://www.a.cn/b"),
        ("HTTP://a.cn", "HTTP://a.cn"),
        ("https://a.cn/?u=http://b.c", "https://a.cn/?u="),
    ],
)
def test_a_link_has_an_address_with_a_scheme(text: str, url: str) -> None:
    assert facets_of(text, None)[0].url == url


def test_a_topic_has_the_name_that_topics_show() -> None:
    (facet,) = facets_of("😀 #Straße", None)

    assert facet.topic
    assert (facet.topic.name, facet.code_point_start, facet.utf16_start) == ("straße", 2, 3)


def test_a_text_has_at_most_a_hundred_facets() -> None:
    found = facets_of("#a " * 1000, None)

    assert len(found) == MOST_FACETS
    assert found[-1] == Facet(FacetKind.TOPIC, 297, 299, 297, 299, topic=found[0].topic)


@pytest.mark.parametrize("text", ["", "plain", "1 < 2", "a.b", "example.com/a"])
def test_a_text_without_signs_has_no_facets(text: str) -> None:
    assert facets_of(text, None) == ()
