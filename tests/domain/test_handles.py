"""Which texts are handles, which handles users may choose, and how handles are made of names."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import handles
from domain.errors import Refused
from domain.reserved_names import is_reserved
from domain.text_tokens import mentions
from settings import PeopleSettings

WORDS = PeopleSettings().reserved_handles
ALLOWED = ["", ".", "-", ".-"]
"""All values of the setting `handle_separators`."""
HANDLES = st.from_regex(r"[a-z0-9_]+([.-][a-z0-9_]+)*", fullmatch=True).filter(lambda one: 2 <= len(one) <= 64)


@pytest.mark.parametrize(
    ("text", "handle"),
    [
        *[
            (one, one)
            for one in ("ann.lee", "ann-lee", "a.b", "a-1_.b", "_._", "1.5", "ab", "a" * 64, "a." * 31 + "ab")
        ],
        *(("Ann.LEE", "ann.lee"), ("ANN-LEE", "ann-lee")),
    ],
)
def test_a_handle_has_single_separators_between_other_characters(text: str, handle: str) -> None:
    assert handles.canonical(text) == handle


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "a",
            ".",
            "..",
            "a.",
            ".a",
            "ann.",
            "-ann",
            "ann-",
            ".ann",
            "ann..lee",
            "ann--lee",
            "ann.-lee",
            "ann-.lee",
        ),
        *("ann lee", "@ann", "änn", "ann.lée", "ann\n", "ann\u2024lee", "a" * 65, "a." * 32 + "a"),
    ],
)
def test_a_text_is_no_handle(text: str) -> None:
    assert handles.canonical(text) is None
    with pytest.raises(Refused, match="2 to 64 characters"):
        handles.checked(text)


def is_handle(text: str) -> bool:
    """Returns whether a text is a handle by the rules of the docs, of any length."""
    return all(part and set(part) <= set("abZ0_") for part in text.replace("-", ".").split("."))


@given(st.text("aZ0_.-@ é", max_size=70))
def test_a_handle_is_what_the_rules_say(text: str) -> None:
    assert handles.canonical(text) == (text.lower() if 2 <= len(text) <= 64 and is_handle(text) else None)


def may_choose(handle: str, separators: str) -> bool:
    try:
        handles.check_choice(handle, separators)
    except Refused:
        return False
    return True


@given(HANDLES)
def test_users_may_choose_short_handles_with_the_separators_of_the_setting(handle: str) -> None:
    for separators in ALLOWED:
        assert may_choose(handle, separators) == (len(handle) <= 30 and set(handle) & set(".-") <= set(separators))


@pytest.mark.parametrize(
    ("separators", "sentence"),
    [
        ("", "A handle has 2 to 30 characters: letters, digits and `_`."),
        (".", "A handle has 2 to 30 characters: letters, digits and `_`, and single `.` between them."),
        (".-", "A handle has 2 to 30 characters: letters, digits and `_`, and single `.` or `-` between them."),
    ],
)
def test_the_error_names_the_characters_that_users_may_choose(separators: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        handles.check_choice("a" * 31, separators, "handle")

    assert [(error.message, error.field) for error in refused.value.errors] == [(sentence, ("handle",))]


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("ann.lee", ["ann_lee", "ann.lee", "ann_lee", "ann.lee"]),
        ("Jean-Luc Picard", ["jean_luc_picard", "jean_luc_picard", "jean-luc_picard", "jean-luc_picard"]),
        ("ann.lee+news@example.com", ["ann_lee", "ann.lee", "ann_lee", "ann.lee"]),
        ("J. Smith", ["j_smith"] * 4),
        ("ann..lee", ["ann_lee"] * 4),
        (".ann.", ["ann"] * 4),
    ],
)
def test_a_handle_made_of_a_name_keeps_the_separators_of_the_setting(name: str, made: list[str]) -> None:
    assert [handles.from_name(name, separators) for separators in ALLOWED] == made


@given(st.text(st.sampled_from("aB1_.-+@ é李'\u2024\uff0e") | st.characters(), max_size=80), st.sampled_from(ALLOWED))
def test_every_handle_made_of_a_name_is_one_that_users_may_choose(name: str, separators: str) -> None:
    made = handles.from_name(name, separators)

    assert made is None or (handles.canonical(made) == made and may_choose(made, separators))


@given(HANDLES)
def test_handles_with_digits_at_their_end_are_valid_and_hardly_longer(handle: str) -> None:
    tried = list(handles.with_suffixes([handle]))

    assert tried[0] == handle
    assert all(handles.canonical(one) == one and len(one) <= max(30, len(handle)) for one in tried)
    assert all(set(one) & set(".-") <= set(handle) for one in tried)


@given(st.sampled_from(WORDS), st.data())
def test_separators_do_not_hide_a_reserved_word(word: str, data: st.DataObject) -> None:
    parts = [*word, *data.draw(st.sampled_from(["", "1", "42"]))]
    between = data.draw(st.lists(st.sampled_from(["", ".", "-", "_"]), min_size=len(parts), max_size=len(parts)))
    handle = "".join(one + sign for one, sign in zip(parts, [*between[:-1], ""], strict=True))

    assert handles.canonical(handle) == handle
    assert is_reserved(handle, WORDS)


@given(HANDLES, st.sampled_from(["", ".", ". ", "-", "...", "!", ", ", "'s", ":", " - ", "。", "さん", ".\n", "--x"]))
def test_a_text_mentions_the_whole_handle_and_no_other(handle: str, after: str) -> None:
    assert mentions(f"hi @{handle.upper()}{after}") == [handle]


@given(st.text("ab_.-", max_size=80).filter(lambda text: "--" not in text))
def test_a_mention_ends_where_the_longest_handle_ends(text: str) -> None:
    longest = max((text[:end] for end in range(len(text) + 1) if is_handle(text[:end])), key=len, default="")

    assert mentions(f"@{text}") == ([longest] if 2 <= len(longest) <= 64 else [])


@pytest.mark.parametrize(("one", "other"), list(combinations(["ann", "ann.lee", "ann-lee", "ann_lee", "ann.lee.x"], 2)))
def test_users_whose_handles_begin_alike_are_mentioned_apart(one: str, other: str) -> None:
    assert mentions(f"@{one}, @{other}.") == [one, other]
    assert mentions(f"@{other}. @{one}-") == [other, one]
