"""Global ids are parsed strictly, and new ids never repeat."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import BadInput, Unavailable
from domain.ids import (
    EPOCH_MS,
    LONGEST_ID,
    CommentId,
    EntityId,
    GlobalId,
    IdGenerator,
    UserId,
    ViewerId,
    born_ms,
    parse_id,
)

NUMBERS = st.integers(1, (1 << 63) - 1)
ENTITY_IDS = st.builds(
    EntityId,
    st.from_regex(r"[a-z][a-z0-9_]{0,31}", fullmatch=True),
    st.from_regex(r"[A-Za-z0-9._~-]{1,64}", fullmatch=True),
)


@given(st.builds(UserId, NUMBERS) | st.builds(ViewerId, NUMBERS) | st.builds(CommentId, NUMBERS, NUMBERS) | ENTITY_IDS)
def test_an_id_is_parsed_from_its_text(id_: GlobalId) -> None:
    assert parse_id(str(id_)) == id_


@pytest.mark.parametrize(
    "text",
    [
        *("", ":", "User", "User:", "User:0", "User:07", "User:-7", "User:+7", "User: 7", "User:7 ", "User:7\n"),
        *(
            "User:1e3",
            "User:\u0667",
            "User:9223372036854775808",
            "User:99999999999999999999",
            "user:7",
            "Viewer:",
            "User:7:7",
        ),
        *("Entity:video", "Entity:video:", "Entity::a", "Entity:Video:a", "Entity:7video:a", "Entity:video:a:b"),
        *("Entity:video:a b", "Entity:video:a\0", "Entity:video:é", "Entity:video:" + "a" * 65),
        *(
            "Entity:" + "v" * 33 + ":a",
            "Entity:video:a\n",
            "Entity:video\n:a",
            "Pots:7",
            "Comment:1",
            "Comment:1.2.3",
            "Comment:1.2.3.4",
            "Comment:01.2",
            "Comment:1.0",
            "Comment:1..",
            "\0",
            "\ud800",
        ),
    ],
)
def test_an_impossible_id_is_bad_input(text: str) -> None:
    with pytest.raises(BadInput):
        parse_id(text)


@given(st.text())
def test_any_text_is_an_id_in_normal_form_or_bad_input(text: str) -> None:
    with contextlib.suppress(BadInput):
        assert str(parse_id(text)) == text


class Unread(str):
    """A text whose length can be read, but not its characters."""

    __slots__ = ()

    def split(self, *_: object) -> list[str]:
        raise AssertionError


def test_of_a_text_longer_than_any_id_only_the_length_is_read() -> None:
    longest = max(len(str(one)) for one in (EntityId("b" * 32, "k" * 64), CommentId(*[(1 << 63) - 1] * 2)))
    assert longest == LONGEST_ID

    with pytest.raises(AssertionError):
        parse_id(Unread("Topic:" + "a" * (LONGEST_ID - 6)))
    with pytest.raises(BadInput):
        parse_id(Unread("Topic:" + "a" * (LONGEST_ID - 5)))


def made_by(clock: list[int]) -> IdGenerator:
    """Returns a generator whose clock reads the first item of `clock`."""
    generator = IdGenerator(lambda: clock[0])
    generator.node, generator.valid_until_ms = 5, 1 << 62
    return generator


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=200))
def test_ids_grow_whatever_the_clock_does(steps: list[int]) -> None:
    clock = [EPOCH_MS + 1_000_000]
    generator = made_by(clock)
    made = []
    for step in steps:
        clock[0] += step
        made += [generator(), generator()]

    assert made == sorted(set(made))


def test_ids_beyond_the_capacity_of_a_millisecond_use_the_next_one() -> None:
    generator = made_by([EPOCH_MS + 1_000_000])

    made = [generator() for _ in range(10_000)]

    assert made == sorted(set(made))
    assert {born_ms(id_) - EPOCH_MS for id_ in made} == {1_000_000, 1_000_001, 1_000_002}


def test_ids_of_two_nodes_in_one_millisecond_differ() -> None:
    clock = [EPOCH_MS + 1_000_000]
    one, other = made_by(clock), made_by(clock)
    other.node = 6

    assert not {one() for _ in range(4096)} & {other() for _ in range(4096)}


def test_an_id_contains_its_creation_time_and_has_nineteen_digits() -> None:
    id_ = made_by([1_790_000_000_000])()

    assert born_ms(id_) == 1_790_000_000_000
    assert len(str(id_)) == 19


def test_without_a_leased_node_number_no_ids_are_made() -> None:
    clock = [EPOCH_MS + 1_000_000]
    without, expired = made_by(clock), made_by(clock)
    without.node = None
    expired.valid_until_ms = clock[0] - 1

    for generator in (without, expired):
        with pytest.raises(Unavailable):
            generator()
