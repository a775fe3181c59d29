"""Each kind of own set has its own name and its own counters."""

from domain.packages import modules_of
from models.counters import CounterKind
from store.own_sets.kinds import KINDS, STATE_COUNTERS


def test_no_two_kinds_have_one_name() -> None:
    assert len(KINDS) == len(modules_of("store.own_sets.kinds"))


def test_no_two_kinds_have_one_counter() -> None:
    numbers = [counter.number for kind in KINDS.values() for counter in kind.counters]

    assert len(numbers) == len(STATE_COUNTERS)
    assert all(number < 100 for number in numbers)


def test_counters_of_states_have_the_names_of_built_in_counters() -> None:
    built_in = {int(kind): kind.name.lower() for kind in CounterKind}

    assert all(built_in.get(number, counter.name) == counter.name for number, (_, counter) in STATE_COUNTERS.items())
