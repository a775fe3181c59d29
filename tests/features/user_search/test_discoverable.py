"""setDiscoverable: answers, refusals that write nothing, rows, and outages of each store."""

from runner.postgres import Postgres
from runner.valkey import Valkey
from store.people import discoverable as discoverable_users
from tests.support.fallback_mode import directly
from tests.support.journal_entries import journalled
from tests.support.outages import Away, both_ways
from tests.support.reconciliation import drift
from tests.support.stored_state import unchanged
from tests.support.stores import standalone
from tests.support.system import Person, System
from tests.support.user_search import DISCOVERABLE, IS_DISCOVERABLE, set_discoverable

STORED = "SELECT preference, stands FROM preferences"


async def is_discoverable(person: Person) -> bool | None:
    """Returns what a person is shown of the own choice."""
    found: bool | None = (await person.ask(IS_DISCOVERABLE))["viewer"]["isDiscoverable"]
    return found


async def test_a_user_is_discoverable_until_the_user_changes_it(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    assert await is_discoverable(alice) is True
    user = (await system.rows("SELECT user_id FROM users WHERE handle = 'alice'"))[0][0]
    for discoverable in (False, True):
        await set_discoverable(alice, discoverable)
        for _ in ("at once", "stored"):
            assert await is_discoverable(alice) is discoverable
            assert await is_discoverable(bob) is True
            await system.drain()
        assert await system.rows(STORED) == [(2, not discoverable)]
        hidden = await discoverable_users.hidden_among(system.state.postgres, [user, user + 1])
        assert hidden == (set() if discoverable else {user})
    await system.empty_redis()
    assert await is_discoverable(alice) is True
    assert await drift(system) == {}


@standalone
async def test_repeated_and_refused_changes_write_nothing(system: System) -> None:
    alice = system.person("alice")
    await alice.ask(DISCOVERABLE, discoverable=False, key="k")
    entries = await journalled(system)
    await alice.ask(DISCOVERABLE, discoverable=False, key="k")
    await set_discoverable(alice, False)
    async with unchanged(system):
        payload = (await alice.ask(DISCOVERABLE, discoverable=True, key="k"))["setDiscoverable"]
        assert payload == {"viewer": None, "userErrors": [{"code": "IDEMPOTENCY_MISMATCH"}]}
        anonymous = system.person(None, device_id="d")
        assert await anonymous.errors(DISCOVERABLE, discoverable=False) == [("UNAUTHENTICATED", ["setDiscoverable"])]
    assert await journalled(system) == entries
    assert await is_discoverable(alice) is False


@standalone
@both_ways
async def test_a_change_is_accepted_while_postgres_is_down(system: System, postgres: Postgres, away: Away) -> None:
    alice = system.person("alice")
    assert await is_discoverable(alice) is True
    async with away(postgres, system.state.postgres):
        await set_discoverable(alice, False)
        assert await is_discoverable(alice) is False
    await system.drain()
    assert await system.rows(STORED) == [(2, True)]


@standalone
@both_ways
async def test_a_change_goes_to_postgres_while_redis_is_down(system: System, valkey: Valkey, away: Away) -> None:
    alice = system.person("alice")
    assert await is_discoverable(alice) is True
    async with directly(system):
        await set_discoverable(alice, False)
        assert await is_discoverable(alice) is False
    async with away(valkey, system.state.redis):
        body = (await alice.send(IS_DISCOVERABLE)).json()
        assert body["data"]["viewer"]["isDiscoverable"] in (None, False)
    assert await system.rows(STORED) == [(2, True)]
