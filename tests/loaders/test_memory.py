"""Checks which values a process remembers from its reads."""

from loaders.memory import Memory


def test_the_newest_value_of_each_key_is_remembered() -> None:
    pins = Memory[str, int](10)
    pins.remember({"a": 1, "b": 2, "c": None})
    assert pins.of(["a", "b", "c", "unknown"]) == [1, 2]

    pins.remember({"a": 4, "b": None})
    assert pins.of(["a", "b"]) == [4]


def test_the_values_of_some_keys_are_returned_only_if_all_are_remembered() -> None:
    authors = Memory[int, int](10)
    authors.remember({1: 7, 2: 0})

    assert authors.of_all([1, 2, 1]) == [7, 0, 7]
    assert authors.of_all([1, 3]) == []


def test_a_full_memory_forgets_all_other_keys() -> None:
    pins = Memory[int, int](3)
    for key in range(4):
        pins.remember({key: key})
    assert pins.of(range(4)) == [0, 1, 2, 3]

    pins.remember({4: 4})
    assert pins.of(range(5)) == [4]
