"""The overlay's promise, by every order of steps that fits into a few, and by chance in many.

Whatever copy of a counter a reader holds, and whatever pending set of theirs they hold beside it, they see everybody
else's committed states of that copy, and their own acknowledged state in it exactly once.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from models.counters import Counter, CounterKind, EntityRef
from projections import likes
from projections.events import Reacted
from store.reactions.counts import CounterDeltas
from store.reactions.like_rows import ReactionKey
from store.write_log.pending import PendingHistory
from tests.features.likes.protocol import FORGET, SETTLE, Included, Protocol, Rules

ANN, BEN, CAL, DAN = 11, 12, 13, 14
SONG, FILM, POEM = EntityRef(100, 1), EntityRef(100, 2), EntityRef(100, 3)
OWEN, OLGA = 91, 92

Step = Callable[[Protocol], bool]
"""Returns whether it did anything: an order in which it did not is another, shorter order."""


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
    """Ann and Ben share a partition, Cal has another; Owen owns two of the three entities."""
    return Protocol({ANN: 0, BEN: 0, CAL: 1}, {SONG: OWEN, FILM: OWEN, POEM: None}, rules)


def in_every_order(protocol: Protocol, steps: Sequence[Step], depth: int) -> int:
    """Takes every order of up to `depth` steps, checking after each. Returns how many there were."""
    orders = 1
    for step in steps if depth else ():
        then = protocol.clone()
        if step(then):
            then.check()
            orders += in_every_order(then, steps, depth - 1)
    return orders


LIKES, ELSEWHERE = toggles(ANN, "like"), toggles(CAL, "like")
ALPHABETS: dict[str, tuple[int, list[Step]]] = {
    "one user": (7, [LIKES, commits(0), Protocol.publish, Protocol.wait]),
    "two users of one partition": (6, [LIKES, toggles(BEN, "like"), *WORK]),
    "two users of two partitions": (6, [LIKES, ELSEWHERE, *WORK]),
    "likes and dislikes": (5, [asks(ANN, "like"), asks(ANN, "dislike"), toggles(CAL, "dislike"), *WORK]),
    "two entities of one owner": (5, [LIKES, toggles(ANN, "like", FILM), toggles(CAL, "like", FILM), *WORK]),
    "entry by entry": (6, [LIKES, toggles(BEN, "like"), commits(0, most=1), Protocol.publish, Protocol.wait]),
    "another worker": (7, [LIKES, commits(0), publishes(1), Protocol.hand_over, Protocol.wait]),
    "a cache that is lost": (6, [LIKES, toggles(BEN, "like"), commits(0), Protocol.fill, *WORK[2:]]),
}
"""What may happen, and in how many steps it is looked at in every order."""


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_every_short_order_of_steps_shows_everything_exactly_once(alphabet: str) -> None:
    depth, steps = ALPHABETS[alphabet]
    assert in_every_order(three_users(Rules()), steps, depth) > 500


@pytest.mark.prove
@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_every_longer_order_of_steps_shows_everything_exactly_once(alphabet: str) -> None:
    depth, steps = ALPHABETS[alphabet]
    assert in_every_order(three_users(Rules()), steps, depth + 1) > 5000


def any_orders() -> st.SearchStrategy[list[Step]]:
    users, refs = st.sampled_from([ANN, BEN, CAL, DAN]), st.sampled_from([SONG, SONG, FILM, POEM])
    verbs = st.sampled_from(["like", "unlike", "dislike", "undislike"])
    asked = st.builds(asks, users, verbs, refs)
    some = st.sampled_from([1, 2, 1000])
    committed = st.builds(lambda ps, most: commits(*ps, most=most), st.sampled_from([(0,), (1,), (0, 1)]), some)
    rest = st.sampled_from(
        [Protocol.publish, publishes(2), Protocol.hand_over, Protocol.wait, Protocol.fill, long_wait]
    )
    return st.lists(st.one_of(asked, asked, asked, committed, rest), min_size=10, max_size=60)


def long_wait(protocol: Protocol) -> bool:
    """So long without change that counters may forget what they include; no worker is held up for as long."""
    protocol.publish()
    return protocol.wait(SETTLE) and protocol.wait(FORGET)


def take(protocol: Protocol, steps: Iterable[Step], *readers: int) -> None:
    """These steps, and after each a look through the eyes of these readers, or of everybody."""
    for step in steps:
        step(protocol)
        protocol.check(*readers)


def four_users(rules: Rules) -> Protocol:
    return Protocol({ANN: 0, BEN: 0, CAL: 1, DAN: 1}, {SONG: OWEN, FILM: OWEN, POEM: OLGA}, rules)


@profile(max_examples=300, derandomize=True, database=None, deadline=None)
@given(any_orders())
def test_orders_of_many_steps_show_everything_exactly_once(steps: list[Step]) -> None:
    take(four_users(Rules()), steps)


@pytest.mark.prove
@profile(max_examples=3000, database=None, deadline=None)
@given(any_orders())
def test_very_many_orders_of_many_steps_show_everything_exactly_once(steps: list[Step]) -> None:
    take(four_users(Rules()), steps)


def test_a_hundred_events_on_one_entity_push_nothing_out_of_what_a_value_includes() -> None:
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


# Each mistake below is one that a change of the code could make. What finds it is the check above, not its author.


class CountsOneLate(PendingHistory):
    """Takes a change to be in a value only if the value includes a later one."""

    def seen_at(self, included: int) -> int | None:
        return super().seen_at(included - 1)


def adds_always(counter: Counter, _: int, histories: Iterable[PendingHistory], weight: Callable[[int], int]) -> int:
    return counter.value + sum(weight(history.latest) - weight(history.base or 0) for history in histories)


def adds_never(counter: Counter, *_: object) -> int:
    return counter.value


def keeps_the_first(events: Sequence[Reacted]) -> dict[ReactionKey, Reacted]:
    return likes.latest(events[:1]) | {(e.actor_id, *e.ref): e for e in reversed(events)}


def says_nothing(_: CounterDeltas, __: Reacted) -> None:
    """Leaves a counter as it is where a batch took back what it gave."""


def includes_up_to_its_own_event(moves: CounterDeltas, event: Reacted, *transition: int | None) -> None:
    """What `through` of Moves is there to prevent."""
    alone = CounterDeltas({event.partition: event.version})
    likes._move(alone, event, *transition)  # type: ignore[arg-type]
    for key, (delta, included) in alone._moves.items():
        total, before = moves._moves.get(key, (0, {}))
        newest = max(event.version, before.get(event.partition, 0))
        moves._moves[key] = (total + delta, before | dict.fromkeys(included, newest))


def forgets_dislikes(
    moves: CounterDeltas, event: Reacted, was: int, was_owner: int | None, state: int, owner: int | None
) -> None:
    likes._move(moves, event, was % 2, was_owner, state % 2, owner)


def forgets_owners(
    moves: CounterDeltas, event: Reacted, was: int, _: int | None, state: int, owner: int | None
) -> None:
    likes._move(moves, event, was, None, state, owner)


def forgets_other_partitions(_: Included, new: Included, __: int) -> Included:
    return new


def keeps_the_old(old: Included, new: Included, _: int) -> Included:
    return new | old


def sweeps_all(_: PendingHistory, __: int) -> None:
    return None


def sweeps_but_keeps_the_base(history: PendingHistory, through: int) -> PendingHistory | None:
    kept = tuple(change for change in history.changes if change[0] > through)
    return replace(history, changes=kept) if kept else None


MISTAKES = {
    "a reader adds their change to every value": Rules(overlay=adds_always),
    "a reader adds their change to no value": Rules(overlay=adds_never),
    "the newest change included is taken for missing": Rules(history=CountsOneLate),
    "a batch keeps a user's first change": Rules(latest=keeps_the_first),
    "a value includes no more than the event that moved it": Rules(
        move=includes_up_to_its_own_event, mark=says_nothing
    ),
    "a value does not say that it includes what cancelled out": Rules(mark=says_nothing),
    "a switch leaves the dislike where it is": Rules(move=forgets_dislikes),
    "a like that is taken back stays with its owner": Rules(move=forgets_owners),
    "a batch of one partition forgets the others": Rules(merged=forgets_other_partitions),
    "a value never includes more than at first": Rules(merged=keeps_the_old),
    "a sweep takes newer changes along": Rules(swept=sweeps_all),
    "a sweep leaves the old base": Rules(swept=sweeps_but_keeps_the_base),
    "a change is swept when it is published": Rules(settle=0),
    "a change is swept while older copies are around": Rules(settle=SETTLE - 1),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_every_mistake_is_found(mistake: str) -> None:
    with pytest.raises(AssertionError):
        for depth, steps in ALPHABETS.values():
            in_every_order(three_users(MISTAKES[mistake]), steps, depth)
