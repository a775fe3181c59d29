"""The memory of what pins and policies named."""

from loaders import hints
from loaders.hints import Hints


def test_the_newest_ids_of_each_key_are_remembered() -> None:
    pins = Hints[str]()
    pins.remember([("a", (1, 2)), ("b", (2, 3)), ("c", ())])
    assert pins.of(["a", "b", "c", "unknown"]) == [1, 2, 3]

    pins.remember([("a", (4,)), ("b", ())])
    assert pins.of(["a", "b"]) == [4]


def test_the_memory_is_bounded() -> None:
    pins = Hints[int]()
    pins.remember((key, (key,)) for key in range(hints._MOST + 10))
    assert len(pins.of(range(hints._MOST + 10))) == hints._MOST
    assert pins.of(range(10)) == []
