"""Checks of follows in rows, counters, lists and log, by people's names."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from domain.versions import moment_of
from models.counters import CounterKind
from settings import USERS
from tests.support.follow_model import Direction, followees, followers, friends
from tests.support.system import Person, System

FOLLOW = """mutation ($id: ID!, $key: String) {
  %s(input: {userId: $id, idempotencyKey: $key}) {
    user { id viewerRelation followerCount } viewer { user { followingCount } } userErrors { code message field } } }"""
PAGE = """query ($ids: [ID!]!) { nodes(ids: $ids) { ... on User {
  id viewerRelation followerCount followingCount friendCount
  following(first: 50) { nodes { id } }
  followers(first: 50) { nodes { id } }
  friends(first: 50) { nodes { id } } } } }"""

Names = Mapping[int, str]
"""The names of all users, by id."""
Pages = tuple[list[str], list[str], list[str]]
"""Following, followers and friends, each newest first."""


class Shown(NamedTuple):
    """A user as a viewer is shown them."""

    relation: str
    counts: tuple[int, int, int]
    """Followers, following, friends."""
    pages: Pages


async def follow(person: Person, verb: str, user_id: int, key: str | None = None) -> Any:
    """Returns the payload of follow or unfollow."""
    return (await person.ask(FOLLOW % verb, id=f"User:{user_id}", key=key))[verb]


async def shown(person: Person, names: Names, some: Collection[str] | None = None) -> dict[str, Shown]:
    """Returns the users as a person is shown them: all, or those with the given names."""
    asked = [f"User:{user}" for user, name in names.items() if some is None or name in some]
    nodes = (await person.ask(PAGE, ids=asked))["nodes"]
    by_id = {f"User:{user}": name for user, name in names.items()}
    return {by_id[node["id"]]: _shown(node, by_id) for node in nodes}


def _shown(node: dict[str, Any], names: Mapping[str, str]) -> Shown:
    counts = node["followerCount"], node["followingCount"], node["friendCount"]
    following, followed, befriended = (
        [names[one["id"]] for one in node[field]["nodes"]] for field in ("following", "followers", "friends")
    )
    return Shown(node["viewerRelation"], counts, (following, followed, befriended))


def relation(follows: Iterable[Direction], viewer: str, user: str) -> str:
    """Returns the viewerRelation that the viewer must be shown for a user."""
    if viewer == user:
        return "SELF"
    directions = set(follows)
    both = (viewer, user) in directions, (user, viewer) in directions
    return {(True, True): "FRIENDS", (True, False): "FOLLOWING", (False, True): "FOLLOWED_BY"}.get(both, "NONE")


def counts(follows: Iterable[Direction], user: str) -> tuple[int, int, int]:
    """Returns the numbers of followers, followees and friends that a user must have."""
    directions = list(follows)
    return len(followers(directions, user)), len(followees(directions, user)), len(friends(directions, user))


async def check_rows(system: System, names: Names, follows: Iterable[Direction]) -> None:
    """Checks that pairs, lists and counters in Postgres agree with `follows`."""
    expected, pairs, following, followed = set(follows), set(), set(), set()
    for lo, hi, lo_follows, hi_follows, lo_version, hi_version, moment in await system.rows(
        "SELECT lo, hi, lo_follows, hi_follows, lo_version, hi_version, moment FROM follows"
    ):
        since = moment if lo_follows and hi_follows else None
        for follower, followee, there, version in ((lo, hi, lo_follows, lo_version), (hi, lo, hi_follows, hi_version)):
            if there:
                pairs.add((names[follower], names[followee]))
                following.add((follower, followee, moment_of(version), since))
                followed.add((followee, follower, moment_of(version)))
    assert pairs == expected
    assert set(await system.rows("SELECT * FROM following")) == following
    assert set(await system.rows("SELECT * FROM followers")) == followed
    assert await counter_rows(system, names) == {name: c for name in names.values() if any(c := counts(expected, name))}


async def counter_rows(system: System, names: Names) -> dict[str, tuple[int, int, int]]:
    """Returns the counters in Postgres: followers, following, friends."""
    found = {
        (names[user], kind): value
        for user, kind, value in await system.rows(
            "SELECT entity_id, kind, value FROM counters WHERE business_id = :users AND value <> 0", users=USERS
        )
    }
    kinds = (CounterKind.FOLLOWERS, CounterKind.FOLLOWING, CounterKind.FRIENDS)
    assert {kind for _, kind in found} <= set(kinds)
    followers_, following, friends_ = ({name: found.get((name, kind), 0) for name, _ in found} for kind in kinds)
    return {name: (followers_[name], following[name], friends_[name]) for name in followers_}


async def pages_of_rows(system: System, names: Names) -> dict[str, Pages]:
    """Returns the lists of all users in the order of their rows."""
    pages: dict[str, Pages] = {name: ([], [], []) for name in names.values()}
    columns = "SELECT user_id, followee_id FROM following"
    for which, sql in enumerate(
        (
            f"{columns} ORDER BY moment DESC, followee_id DESC",
            "SELECT user_id, follower_id FROM followers ORDER BY moment DESC, follower_id DESC",
            f"{columns} WHERE friends_moment IS NOT NULL ORDER BY friends_moment DESC, followee_id DESC",
        )
    ):
        for user, member in await system.rows(sql):
            pages[names[user]][which].append(names[member])
    return pages


async def check_log(system: System, names: Names, changes: Mapping[Direction, int]) -> None:
    """Checks that the log has every change once, and that the versions of each pair are those of its last changes."""
    moments: dict[tuple[str, str], tuple[int, int]] = {}
    logged: dict[Direction, int] = {}
    for user, followee, minds, newest in await system.rows(
        """SELECT user_id, followee_id, array_agg(follows ORDER BY version), max(version) FROM follow_log
           GROUP BY user_id, followee_id"""
    ):
        assert minds == [number % 2 == 0 for number in range(len(minds))], (user, followee)
        logged[names[user], names[followee]] = len(minds)
        pair = names[min(user, followee)], names[max(user, followee)]
        before, many = moments.get(pair, (0, 0))
        moments[pair] = max(before, moment_of(newest)), many + len(minds)
    assert logged == {direction: many for direction, many in changes.items() if many}
    for lo, hi, moment in await system.rows("SELECT lo, hi, moment FROM follows"):
        last, many = moments[names[lo], names[hi]]
        assert last <= moment <= last + many
