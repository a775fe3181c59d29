"""Cursors are valid only for the list for which they were made."""

import base64
import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.cursors import Cursors
from domain.errors import BadCursor

CURSORS = Cursors(b"a key")
POSITIONS = st.lists(st.integers(0, (1 << 63) - 1), min_size=1, max_size=3).map(tuple)


@given(POSITIONS, st.text())
def test_a_cursor_is_valid_for_its_list(position: tuple[int, ...], scope: str) -> None:
    assert CURSORS.open(scope, CURSORS.seal(scope, *position)) == position


@given(POSITIONS, st.text(), st.text())
def test_a_cursor_is_invalid_for_other_lists(position: tuple[int, ...], scope: str, other: str) -> None:
    cursor = CURSORS.seal(scope, *position)

    if scope != other:
        with pytest.raises(BadCursor):
            CURSORS.open(other, cursor)


def test_every_change_of_one_character_is_refused() -> None:
    cursor = CURSORS.seal("likers:100:7", 1_843_200_000_000_000, 7)
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=.\0é"
    altered = {cursor[:i] + letter + cursor[i + 1 :] for i in range(len(cursor)) for letter in alphabet} - {cursor}

    for one in altered:
        with pytest.raises(BadCursor):
            CURSORS.open("likers:100:7", one)


@given(st.text(max_size=400) | st.binary(max_size=300).map(lambda raw: base64.urlsafe_b64encode(raw).decode()))
def test_garbage_is_refused(garbage: str) -> None:
    with pytest.raises(BadCursor):
        CURSORS.open("likers:100:7", garbage)


def test_other_encodings_of_a_cursor_are_refused() -> None:
    cursor = CURSORS.seal("a", 1, 2)

    for one in (cursor + "=", cursor + "==", cursor + "A", cursor[:-1], " " + cursor, cursor + "\n", ""):
        with pytest.raises(BadCursor):
            CURSORS.open("a", one)


@given(st.integers(10**17, (1 << 63) - 1), st.integers(10**17, (1 << 63) - 1), st.integers(1, 100))
def test_a_cursor_does_not_show_its_position(moment: int, member: int, passed: int) -> None:
    raw = base64.urlsafe_b64decode(CURSORS.seal("square", moment, member, passed) + "===")

    for number in (moment, member):
        assert str(number).encode() not in raw
        assert not any(number.to_bytes(8, order) in raw for order in ("big", "little"))


def test_equal_positions_have_equal_cursors_so_that_equal_answers_have_equal_etags() -> None:
    assert CURSORS.seal("square", 1, 2, 3) == CURSORS.seal("square", 1, 2, 3)


def test_a_cursor_of_an_earlier_version_is_refused() -> None:
    body = b"1843200000000000,7,1"
    key = hashlib.sha256(b"cursors\0a key").digest()
    signed = hmac.digest(key, b"square\0" + body, "sha256")[:9] + body

    with pytest.raises(BadCursor):
        CURSORS.open("square", base64.urlsafe_b64encode(signed).decode().rstrip("="))


def test_a_cursor_of_another_deployment_is_refused() -> None:
    with pytest.raises(BadCursor):
        CURSORS.open("a", Cursors(b"another key").seal("a", 1))
