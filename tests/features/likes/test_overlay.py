"""The promise of the overlay, in every order of few steps and in random orders of many steps.

A reader may combine any copy of a counter with any copy of the own pending set. The result has the states of other
users that the copy counts, and the reader's own acknowledged state exactly once.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from domain.versions import entry_id
from models.counters import Counter, CounterKind, EntityRef
from projections.entries import likes
from projections.entries.likes import Reacted
from store.reactions.counts import CounterDeltas
from store.reactions.like_rows import ReactionKey
from store.write_log.pending import PendingHistory, PendingKey, parse
from tests.features.likes.modelled_stores import FORGET, Included, parted, swept
from tests.features.likes.protocol import SETTLE, Protocol, Rules

ANN, BEN, CAL, DAN = 11, 12, 13, 14
SONG, FILM, POEM = EntityRef(100, 1), EntityRef(100, 2), EntityRef(100, 3)
OWEN, OLGA = 91, 92

Step = Callable[[Protocol], bool]
"""A step returns whether it changed anything. An order with a step that changed nothing equals a shorter order."""


def asks(user: int, verb: str, ref: EntityRef = SONG) -> Step:
    return lambda protocol: protocol.ask(user, verb, ref)


def toggles(user: int, verb: str, ref: EntityRef = SONG) -> Step:
    return lambda protocol: protocol.ask(user, verb, ref) or protocol.ask(user, f"un{verb}", ref)


def commits(*partitions: int, most: int = 1000) -> Step:
    return lambda protocol: protocol.commit(partitions, most)


def publishes(most: int) -> Step:
    return lambda protocol: protocol.publish(most)


WORK: list[Step] = [commits(0), commits(1), Protocol.publish, Protocol.wait]


def three_users(rules: Rules) -> Protocol:
    """Returns a model in which Ann and Ben share a partition, Cal has another, and Owen owns two of three entities."""
    return Protocol({ANN: 0, BEN: 0, CAL: 1}, {SONG: OWEN, FILM: OWEN, POEM: None}, rules)


def take_every_order(protocol: Protocol, steps: Sequence[Step], depth: int) -> int:
    """Takes every order of up to `depth` steps, with a check after each step. Returns the number of orders."""
    orders = 1
    for step in steps if depth else ():
        branch = protocol.clone()
        if step(branch):
            branch.check()
            orders += take_every_order(branch, steps, depth - 1)
    return orders


LIKES, ELSEWHERE = toggles(ANN, "like"), toggles(CAL, "like")
SCENARIOS: dict[str, tuple[int, list[Step]]] = {
    "one user": (7, [LIKES, commits(0), Protocol.publish, Protocol.wait]),
    "two users of one partition": (6, [LIKES, toggles(BEN, "like"), *WORK]),
    "two users of two partitions": (6, [LIKES, ELSEWHERE, *WORK]),
    "likes and dislikes": (5, [asks(ANN, "like"), asks(ANN, "dislike"), toggles(CAL, "dislike"), *WORK]),
    "two entities of one owner": (5, [LIKES, toggles(ANN, "like", FILM), toggles(CAL, "like", FILM), *WORK]),
    "entry by entry": (6, [LIKES, toggles(BEN, "like"), commits(0, most=1), Protocol.publish, Protocol.wait]),
    "another worker": (7, [LIKES, commits(0), publishes(1), Protocol.hand_over, Protocol.wait]),
    "a lost cache": (6, [LIKES, toggles(BEN, "like"), commits(0), Protocol.fill, *WORK[2:]]),
}
"""The scenarios: the number of steps per order, and the steps to choose from."""


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_short_order_of_steps_shows_each_change_exactly_once(scenario: str) -> None:
    depth, steps = SCENARIOS[scenario]
    assert take_every_order(three_users(Rules()), steps, depth) > 500


@pytest.mark.prove
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_longer_order_of_steps_shows_each_change_exactly_once(scenario: str) -> None:
    depth, steps = SCENARIOS[scenario]
    assert take_every_order(three_users(Rules()), steps, depth + 1) > 5000


def random_orders() -> st.SearchStrategy[list[Step]]:
    users, refs = st.sampled_from([ANN, BEN, CAL, DAN]), st.sampled_from([SONG, SONG, FILM, POEM])
    verbs = st.sampled_from(["like", "unlike", "dislike", "undislike"])
    requests = st.builds(asks, users, verbs, refs)
    batch_sizes = st.sampled_from([1, 2, 1000])
    batches = st.builds(lambda ps, most: commits(*ps, most=most), st.sampled_from([(0,), (1,), (0, 1)]), batch_sizes)
    rest = st.sampled_from(
        [Protocol.publish, publishes(2), Protocol.hand_over, Protocol.wait, Protocol.fill, long_wait]
    )
    return st.lists(st.one_of(requests, requests, requests, batches, rest), min_size=10, max_size=60)


def long_wait(protocol: Protocol) -> bool:
    """Waits so long that counters may forget which changes they include. No worker pauses for as long."""
    protocol.publish()
    return protocol.wait(SETTLE) and protocol.wait(FORGET)


def take(protocol: Protocol, steps: Iterable[Step], *readers: int) -> None:
    """Takes these steps. Checks the model for these readers, or for all users, after each step."""
    for step in steps:
        step(protocol)
        protocol.check(*readers)


def four_users(rules: Rules) -> Protocol:
    return Protocol({ANN: 0, BEN: 0, CAL: 1, DAN: 1}, {SONG: OWEN, FILM: OWEN, POEM: OLGA}, rules)


@profile(max_examples=300, derandomize=True, database=None, deadline=None)
@given(random_orders())
def test_random_orders_of_many_steps_show_each_change_exactly_once(steps: list[Step]) -> None:
    take(four_users(Rules()), steps)


@pytest.mark.prove
@profile(max_examples=3000, database=None, deadline=None)
@given(random_orders())
def test_very_many_random_orders_of_many_steps_show_each_change_exactly_once(steps: list[Step]) -> None:
    take(four_users(Rules()), steps)


def test_a_counter_still_includes_a_change_after_a_hundred_later_changes() -> None:
    crowd = range(200, 300)
    protocol = Protocol({ANN: 0} | {user: user % 3 for user in crowd}, {SONG: OWEN})
    steps: list[Step] = [asks(ANN, "like"), commits(0)]
    for user in crowd:
        steps += [asks(user, "like"), commits(0, 1, 2)]
    take(protocol, steps, ANN)

    assert protocol.in_rows[SONG, CounterKind.LIKES].counter.value == 101
    assert len(protocol.in_rows[SONG, CounterKind.LIKES].counter.included) == 3
    steps = [asks(ANN, "dislike"), commits(0), asks(ANN, "like"), Protocol.publish, Protocol.wait, Protocol.wait]
    take(protocol, steps, ANN)


# Each mistake below could be made by a change of the code. The checks above must detect each mistake.


class SeenOneVersionLate(PendingHistory):
    """A history that takes a change as included only if the value includes a later change."""

    def seen_at(self, included: int) -> int | None:
        return super().seen_at(included - 1)


def sees_one_version_late(raw: Sequence[bytes]) -> dict[PendingKey, PendingHistory]:
    return {change: SeenOneVersionLate(history) for change, history in zip(parse(raw), raw[1::2], strict=True)}


def adds_to_every_value(
    counter: Counter, _: int, histories: Iterable[PendingHistory], weight: Callable[[int], int]
) -> int:
    return counter.value + sum(weight(history.latest) - weight(history.seen_at(0) or 0) for history in histories)


def adds_to_no_value(counter: Counter, *_: object) -> int:
    return counter.value


def keeps_the_first_change(events: Sequence[Reacted]) -> dict[ReactionKey, Reacted]:
    return likes.latest(events[:1]) | {(e.actor_id, *e.ref): e for e in reversed(events)}


def marks_nothing(_: CounterDeltas, __: Reacted) -> None:
    """Does not mark a counter whose changes in a batch cancel out."""


def includes_up_to_the_own_event(moves: CounterDeltas, event: Reacted, *transition: int | None) -> None:
    """Marks each counter with the version of its own event, not of the whole batch."""
    single = CounterDeltas({event.partition: event.version})
    likes._add_deltas(single, event, *transition)  # type: ignore[arg-type]
    for key, (delta, included) in single._moves.items():
        total, before = moves._moves.get(key, (0, {}))
        newest = max(event.version, before.get(event.partition, 0))
        moves._moves[key] = (total + delta, before | dict.fromkeys(included, newest))


def forgets_dislikes(
    moves: CounterDeltas, event: Reacted, was: int, was_owner: int | None, state: int, owner: int | None
) -> None:
    likes._add_deltas(moves, event, was % 2, was_owner, state % 2, owner)


def forgets_owners(
    moves: CounterDeltas, event: Reacted, was: int, _: int | None, state: int, owner: int | None
) -> None:
    likes._add_deltas(moves, event, was, None, state, owner)


def forgets_other_partitions(_: Included, new: Included, __: int) -> Included:
    return new


def keeps_the_old_versions(old: Included, new: Included, _: int) -> Included:
    return new | old


def sweeps_all_changes(_: str, __: int) -> None:
    return None


def sweeps_but_keeps_the_base(history: str, through: int) -> str | None:
    base, changes = parted(history)
    kept = [f" {entry_id(version)}={state}" for version, state in changes if version > through]
    return f"{base}{''.join(kept)}" if kept else None


MISTAKES = {
    "the reader's change is added to every value": Rules(overlay=adds_to_every_value),
    "the reader's change is added to no value": Rules(overlay=adds_to_no_value),
    "the newest included change is taken as missing": Rules(parse=sees_one_version_late),
    "a batch keeps the first change of a user": Rules(latest=keeps_the_first_change),
    "a value includes only the event that changed it": Rules(move=includes_up_to_the_own_event, mark=marks_nothing),
    "a value does not include changes that cancel out": Rules(mark=marks_nothing),
    "a dislike that becomes a like still counts as a dislike": Rules(move=forgets_dislikes),
    "a removed like still counts for the owner": Rules(move=forgets_owners),
    "a batch of one partition forgets the other partitions": Rules(merged=forgets_other_partitions),
    "a value includes only its first version": Rules(merged=keeps_the_old_versions),
    "a sweep removes newer changes": Rules(swept=partial(swept, without=sweeps_all_changes)),
    "a sweep keeps the old base": Rules(swept=partial(swept, without=sweeps_but_keeps_the_base)),
    "a change is swept at its publication": Rules(settle=0),
    "a change is swept while readers still use older copies": Rules(settle=SETTLE - 1),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_every_mistake_is_detected(mistake: str) -> None:
    with pytest.raises(AssertionError):
        for left_out in (2, 1, 0):  # shorter orders first: most mistakes need few steps, and few scenarios show them
            for depth, steps in SCENARIOS.values():
                take_every_order(three_users(MISTAKES[mistake]), steps, depth - left_out)
