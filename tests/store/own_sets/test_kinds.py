"""Each kind of own set has its own name and its own counters."""

from pydantic import SecretStr

from domain.packages import modules_of
from models.counters import CounterKind
from settings import Settings
from store.own_sets.kinds import KINDS, STATE_COUNTERS


def test_no_two_kinds_have_one_name() -> None:
    assert len(KINDS) == len(modules_of("store.own_sets.kinds"))


def test_no_two_kinds_have_one_counter() -> None:
    numbers = [counter.number for kind in KINDS.values() for counter in (*kind.counters, *kind.more_counters)]

    assert len(numbers) == len(STATE_COUNTERS)
    assert all(number < 100 for number in numbers)


def test_each_kind_with_a_limit_counts_its_members_for_direct_writes() -> None:
    settings = Settings(env="development", jwt_secret=SecretStr("x" * 32))
    business = settings.businesses[0]

    for kind in KINDS.values():
        assert (kind.bounds(settings, business).limit is None) == (kind.count is None), kind.name


def test_counters_of_states_have_the_names_of_built_in_counters() -> None:
    built_in = {int(kind): kind.name.lower() for kind in CounterKind}

    assert all(built_in.get(number, counter.name) == counter.name for number, (_, counter) in STATE_COUNTERS.items())
