"""Which handles and display names count as reserved."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.reserved_names import is_reserved
from seed.people import names_by_handle
from settings import PeopleSettings
from tests.support.reserved_names import RESERVED

WORDS = PeopleSettings().reserved_handles
SPELLINGS = {"a": "aA4@\u0430\u03b1\uff41\u00e1", "d": "dD\u0501\uff24", "m": "mM\u043c\uff4d", "i": "iI1!\u0456\uff49"}
"""Characters that look like the letters of `admi`."""


@pytest.mark.parametrize("name", RESERVED)
def test_a_name_of_reserved_words_is_reserved(name: str) -> None:
    assert is_reserved(name, WORDS)


@pytest.mark.parametrize(
    "name",
    [
        *("Alice", "Alice Martin", "李梅", "佐藤ゆき", "Надежда", "Αλέξανδρος", "42", "!", "", "🙂", "\u200b"),
        *("administers", "modern7", "helpful", "Prescott", "Rooty", "Bob Support", "Team Rocket", "Admin Nistrator"),
    ],
)
def test_a_name_with_other_words_is_not_reserved(name: str) -> None:
    assert not is_reserved(name, WORDS)


def test_no_person_of_the_demo_data_has_a_reserved_name() -> None:
    assert [one for person in names_by_handle().items() for one in person if is_reserved(one, WORDS)] == []


@given(
    st.tuples(*map(st.sampled_from, SPELLINGS.values())), st.sampled_from(["", " ", ".", "-", "\u200b", "\u2060", "_"])
)
def test_every_spelling_of_a_reserved_word_is_reserved(letters: tuple[str, ...], between: str) -> None:
    assert is_reserved(between.join([*letters, "n"]), WORDS)


@given(st.text(max_size=64))
def test_reserving_a_name_reserves_this_name(name: str) -> None:
    plain = "".join(character for character in name if character.isascii() and character.isalpha())
    assert is_reserved(plain, [plain]) == bool(plain)


def test_words_of_few_letters_cost_linear_time() -> None:
    assert not is_reserved("a" * 63 + "b", ["a" * length for length in range(1, 30)])
