"""The script in Redis and the API compute the same state after a change of a reaction."""

import random

import pytest

from models.likes import ALL_KINDS, Reaction, Step, bit_of, counts_as, kinds_in, state_of
from store.scripts import CHANGE_OWN_SET
from tests.support.system import System

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

LAST = bit_of(50)


def sets(chance: random.Random) -> int:
    """Returns a random set of kinds, often a small one."""
    return sum(map(bit_of, chance.sample([1, 2, 3, 4, 5, 49, 50], chance.choice([0, 1, 1, 2, 3]))))


async def test_the_script_and_the_model_agree(system: System) -> None:
    body = CHANGE_OWN_SET.source
    function = body[body.index("local function with_kinds") : body.index("local function latest")]
    script = f"""{function}
        local answers = {{}}
        for i = 1, #ARGV, 4 do
          local was, add, remove, likes = unpack(ARGV, i, i + 3)
          answers[#answers + 1] = with_kinds(tonumber(was), tonumber(add), tonumber(remove), tonumber(likes))
        end
        return answers"""
    chance, asked = random.Random(5), list[tuple[int, int, int, int]]()
    for _ in range(400):
        likes = sets(chance) | bit_of(1)
        was = state_of(sets(chance), likes)
        asked.append((was, sets(chance), chance.choice([0, ALL_KINDS, sets(chance)]), likes))

    answers = await system.state.redis.client.eval(script, 0, *(number for one in asked for number in one))

    expected = [Step(add, remove, likes).after(was) for was, add, remove, likes in asked]
    assert [int(answer) for answer in answers] == expected


@pytest.mark.parametrize(
    ("kinds", "likes", "state", "counted"),
    [
        (0, 1, 0, Reaction.NONE),
        (1, 1, 1, Reaction.LIKE),
        (2, 1, 2, Reaction.DISLIKE),
        (bit_of(3), 1, 4 * 4 + 3, Reaction.OTHER),
        (bit_of(3), 1 | bit_of(3), 4 * 4 + 1, Reaction.LIKE),
        (1 | LAST, 1, 4 * (1 + LAST) + 1, Reaction.LIKE),
        (2 | bit_of(4), 1, 4 * 10 + 2, Reaction.DISLIKE),
    ],
)
def test_a_state_says_the_kinds_and_what_they_count_as(
    redis_mode: str, kinds: int, likes: int, state: int, counted: Reaction
) -> None:
    assert redis_mode
    assert state_of(kinds, likes) == state
    assert (kinds_in(state), counts_as(state)) == (kinds, counted)
    assert state < 1 << 53
