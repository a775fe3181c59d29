"""searchUsers and suggestHandles: which users are found, in which order, and by whom."""

import random
import re
from collections.abc import Callable, Mapping

import pytest
from sqlalchemy import text

from runner.postgres import Postgres
from settings import Settings
from tests.support.boundaries import block, mute
from tests.support.costs import cost
from tests.support.follows import follow, unfollow
from tests.support.hiding import hide
from tests.support.outages import Away, both_ways
from tests.support.private_accounts import make_private
from tests.support.reconciliation import drift
from tests.support.stored_state import unchanged
from tests.support.stores import standalone
from tests.support.suspensions import moderator, suspend
from tests.support.system import LENIENT, System, running
from tests.support.user_search import SEARCH, SUGGEST, search, set_discoverable, suggest

NAMES = "mutation ($u: [UserUpsertInput!]!) { upsertUsers(users: $u) { users { id } userErrors { message } } }"
UPDATE = "mutation ($p: UpdateProfileInput!) { updateProfile(input: $p) { userErrors { code } } }"


async def named(system: System, names: Mapping[str, str]) -> dict[str, str]:
    """Registers users with these display names by handle. Returns their ids by handle."""
    users = [{"externalId": handle, "handle": handle, "displayName": name} for handle, name in names.items()]
    payload = (await system.person("service", "users:write").ask(NAMES, u=users))["upsertUsers"]
    assert payload["userErrors"] == []
    return dict(zip(names, [user["id"] for user in payload["users"]], strict=True))


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("jean", ["jl_picard"]),
        ("JEAN-LUC", ["jl_picard"]),
        ("luc", ["jl_picard"]),
        ("pic jean", ["jl_picard"]),
        ("@JL_p", ["jl_picard"]),
        ("\uff50\uff49\uff43", ["jl_picard"]),
        ("picard2", ["jl_picard"]),
        ("jose", ["jose.m"]),
        ("José", ["jose.m"]),
        ("munoz", ["jose.m"]),
        ("josé múñoz", ["jose.m"]),
        ("jose picard", []),
        ("小明", ["wang"]),
        ("王", ["wang"]),
        ("明", ["wang"]),
        ("明王", []),
        ("anna", ["cyril"]),
        ("\u0432\u0435\u0440", ["vera"]),
        ("neil", ["oneil"]),
        ("o'n", ["oneil"]),
        ("pickard", ["jl_picard"]),
        ("%", []),
        ("_", []),
        ("j%an", []),
        ("j_an", []),
        ("\0jean", ["jl_picard"]),
        ("", []),
        ("@", []),
        ("w", ["wang"]),
    ],
)
@standalone
async def test_words_find_users(system: System, query: str, found: list[str]) -> None:
    names = {"jl_picard": "Jean-Luc Picard", "jose.m": "José Muñoz", "wang": "王小明", "cyril": "\u0410nn\u0430 Lee"}
    await named(system, {**names, "oneil": "O'Neil", "vera": "\u0412\u0435\u0440\u0430"})
    alice = system.person("alice")
    assert await search(alice, query) == found
    assert await suggest(alice, query) == found


async def test_followed_users_come_first_then_the_exact_handle_then_the_most_followed(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    ids = await named(system, {f"cat{n}": "Cat" for n in range(5)} | {"cat": "Zoe", "catx": "Cat", "caty": "Cat"})
    await follow(bob, *[ids[f"cat{n}"] for n in range(2, 5)])
    await follow(system.person("carol"), ids["cat4"], ids["cat2"])
    await follow(system.person("dave"), ids["cat4"])
    await follow(alice, ids["catx"], ids["caty"])
    await follow(system.person("caty"), await alice.id())
    await system.drain()
    order = ["caty", "catx", "cat", "cat4", "cat2", "cat3", "cat1", "cat0"]
    assert await search(alice, "cat") == order
    for first in (1, 2, 3, 8):
        assert await search(alice, "cat", first) == order
        assert await suggest(alice, "cat", first) == order[:first]
    assert await search(system.person(None, device_id="d"), "cat") == [
        "cat", "cat4", "cat2", "caty", "catx", "cat3", "cat1", "cat0",
    ]  # fmt: skip
    await unfollow(alice, ids["caty"])
    await system.drain()
    assert (await search(alice, "cat"))[:2] == ["catx", "cat"]


async def test_new_names_are_found_at_once(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    assert await search(alice, "zebra") == await search(bob, "zebra") == []
    await alice.ask(UPDATE, p={"displayName": "Zebra", "handle": "striped"})
    for person in (alice, bob):
        assert await search(person, "zebra") == await search(person, "stri") == ["striped"]
        assert await search(person, "alice") == []


@pytest.mark.parametrize("how", ["alice blocks", "bob blocks", "HIDDEN", "SHADOW"])
async def test_users_hidden_from_the_viewer_are_not_found(system: System, how: str) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await follow(alice, await bob.id())
    await system.drain()
    assert await search(alice, "bob") == await suggest(alice, "bob") == ["bob"]
    await hide(system, how)
    for _ in ("at once", "stored"):
        assert await search(alice, "bob") == await suggest(alice, "bob") == []
        await system.drain()
    assert await search(moderator(system), "bob") == ["bob"]
    if how == "SHADOW":
        assert await search(bob, "bob") == ["bob"]


async def test_muted_and_read_only_users_are_found(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await mute(alice, await bob.id())
    await suspend(moderator(system), await bob.id(), "READ_ONLY")
    await system.drain()
    assert await search(alice, "bob") == await suggest(alice, "bob") == ["bob"]


async def test_users_who_do_not_want_to_be_found_find_themselves_only(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await follow(alice, await bob.id())
    await set_discoverable(bob, False)
    await system.drain()
    assert await search(alice, "bob") == await suggest(alice, "bob") == await search(moderator(system), "bob") == []
    assert await search(bob, "bob") == ["bob"]
    await set_discoverable(bob, True)
    await system.drain()
    assert await search(alice, "bob") == ["bob"]


@standalone
async def test_a_setting_hides_private_users_from_all_but_their_followers(
    make_settings: Callable[..., Settings],
) -> None:
    async with running(make_settings(moderation=LENIENT, people={"private_in_search": False})) as system:
        alice, bob, carol = (system.person(name) for name in ("alice", "bob", "carol"))
        await follow(alice, await bob.id())
        await system.drain()
        await make_private(bob)
        assert await search(alice, "bob") == await search(bob, "bob") == ["bob"]
        assert await search(carol, "bob") == await suggest(carol, "bob") == []


async def test_deleted_users_are_not_found(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await follow(alice, await bob.id())
    await bob.ask("mutation { deleteUser(input: {mode: ANONYMIZE}) { userErrors { code } } }")
    await system.drain()
    assert await search(alice, "bob") == await suggest(alice, "bob") == []


@pytest.mark.parametrize("seed", range(3))
@standalone
async def test_a_search_finds_what_a_filter_over_all_names_finds(system: System, seed: int) -> None:
    walk = random.Random(seed)

    def word() -> str:
        return "".join(walk.choices("abc", k=walk.randint(2, 3)))

    names = {f"{word()}_{word()}{number}": f"{word()} {word()}" for number in range(40)}
    ids = await named(system, names)
    quinn, fans = system.person("quinn"), [system.person(name) for name in ("xena", "yuri", "zoe")]
    hidden, blocked, followed = (set(walk.sample(sorted(names), 5)) for _ in range(3))
    for handle in hidden:
        await set_discoverable(system.person(handle), False)
    for handle in blocked:
        await block(quinn, ids[handle])
    for handle in followed - blocked:
        await follow(quinn, ids[handle])
    followers = dict.fromkeys(names, 0) | dict.fromkeys(followed - blocked, 1)
    for fan in fans:
        for handle in walk.sample(sorted(names), 10):
            await follow(fan, ids[handle])
            followers[handle] += 1
    await system.drain()
    for _ in range(12):
        query = [word()[: walk.randint(1, 3)] for _ in range(walk.randint(1, 2))]
        matching = [
            handle
            for handle, name in names.items()
            if handle not in hidden | blocked
            and all(any(part.startswith(one) for part in re.split("[_ ]", f"{handle} {name}")) for one in query)
        ]
        places = {handle: (handle in followed, followers[handle], int(ids[handle][5:])) for handle in matching}
        assert await search(quinn, " ".join(query), walk.randint(1, 9)) == sorted(
            matching, key=lambda handle: places[handle], reverse=True
        ), query


@standalone
async def test_a_search_takes_one_round_trip_and_one_query(system: System) -> None:
    await named(system, {f"cat{number}": f"Cat {number}" for number in range(30)})
    alice = system.person("alice")
    await system.drain()
    brief = "query ($q: String!) { searchUsers(query: $q) { nodes { handle displayName } } }"
    for _ in range(2):
        assert len(await search(alice, "cat")) == 30
        await suggest(alice, "cat")
    assert await cost(alice, brief, q="cat") == (1, 1)
    assert await cost(alice, SUGGEST, prefix="cat") == (1, 1)
    assert await cost(alice, SUGGEST, prefix="cat nobody") == (1, 1)
    assert await cost(alice, SUGGEST, prefix="%") == (1, 0)
    assert await cost(system.person(None, device_id="d"), SUGGEST, prefix="cat") == (0, 1)


@standalone
async def test_wrong_terms_and_tiers_are_found_and_repaired(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await follow(alice, await bob.id())
    await follow(system.person("carol"), await bob.id())
    await system.drain()
    assert (await drift(system)).get("user_terms", 0) == 0
    assert await system.rows("SELECT DISTINCT tier FROM user_terms WHERE term = 'bob'") == [(1,)]
    async with system.state.postgres.transaction() as transaction:
        await transaction.execute(text("DELETE FROM user_terms WHERE term = 'alice'"))
        await transaction.execute(text("UPDATE user_terms SET tier = 0 WHERE term = 'bob'"))
    assert await search(bob, "alic") == []
    assert (await drift(system))["user_terms"] == 2
    await drift(system, "user_terms", repair=True)
    assert (await drift(system)).get("user_terms", 0) == 0
    assert await search(bob, "alic") == ["alice"]


@standalone
async def test_bad_input_is_refused(system: System) -> None:
    alice = system.person("alice")
    cursor = (await alice.ask(SEARCH, q="alice"))["searchUsers"]["edges"][0]["cursor"]
    async with unchanged(system):
        for query in ("x" * 101, " ".join(["word"] * 10_000)):
            assert await alice.errors(SEARCH, q=query) == [("BAD_INPUT", ["searchUsers"])]
            assert await alice.errors(SUGGEST, prefix=query) == [("BAD_INPUT", ["suggestHandles"])]
        for first in (0, -1, 101):
            assert await alice.errors(SEARCH, q="a", first=first) == [("BAD_INPUT", ["searchUsers"])]
        for first in (0, -1, 21):
            assert await alice.errors(SUGGEST, prefix="a", first=first) == [("BAD_INPUT", ["suggestHandles"])]
        for query, after in (("alice", "x"), ("alice", ""), ("bob", cursor)):
            assert await alice.errors(SEARCH, q=query, after=after) == [("BAD_CURSOR", ["searchUsers"])], query
    assert (await alice.ask(SEARCH, q="Alice ", after=cursor))["searchUsers"]["nodes"] == []


@standalone
@both_ways
async def test_a_search_is_unavailable_while_postgres_is_down(system: System, postgres: Postgres, away: Away) -> None:
    alice = system.person("alice")
    await alice.id()
    async with away(postgres, system.state.postgres):
        for query, name, given in (
            (SEARCH, "searchUsers", {"q": "alice"}),
            (SUGGEST, "suggestHandles", {"prefix": "a"}),
        ):
            assert await alice.errors(query, **given) == [("UNAVAILABLE", [name])]
    assert await search(alice, "alice") == ["alice"]
