"""dismissSuggestion: answers, refusals that write nothing, stored rows, the limit, and direct writes."""

from collections.abc import Callable
from typing import Any

from settings import Settings
from tests.support.fallback_mode import directly
from tests.support.journal_entries import journalled
from tests.support.stored_state import unchanged
from tests.support.stores import standalone
from tests.support.suggestions import DISMISS, dismiss
from tests.support.system import LENIENT, System, running

STORED = "SELECT business_id, entity_id, stands FROM thread_mutes"


def refusal(payload: Any) -> tuple[str, list[str]]:
    """Returns code and field of a payload's one user error."""
    assert payload["user"] is None
    (error,) = payload["userErrors"]
    return error["code"], error["field"]


async def test_a_dismissal_is_stored_once(system: System) -> None:
    alice, bob = system.person("alice"), await system.person("bob").id()
    await alice.id()
    await system.drain()
    first = await journalled(system)
    for _ in range(2):
        assert await dismiss(alice, bob, "k") == {"user": {"id": bob, "handle": "bob"}, "userErrors": []}
        assert await dismiss(alice, bob) == {"user": {"id": bob, "handle": "bob"}, "userErrors": []}
        assert await journalled(system) == first + 1
    await system.drain()
    assert await system.rows(STORED) == [(6, int(bob.partition(":")[2]), True)]
    async with unchanged(system):
        assert refusal(await dismiss(alice, await alice.id(), "k")) == ("IDEMPOTENCY_MISMATCH", ["idempotencyKey"])


@standalone
async def test_wrong_input_is_refused_and_changes_nothing(system: System) -> None:
    alice = system.person("alice")
    own = await alice.id()
    async with unchanged(system):
        assert refusal(await dismiss(alice, own)) == ("INVALID", ["userId"])
        assert await dismiss(alice, "User:7") == {"user": None, "userErrors": []}  # as for a hidden user
        assert refusal(await dismiss(alice, "Post:7")) == ("TARGET_NOT_FOUND", ["userId"])
        assert await alice.errors(DISMISS, id="bob", key="k") == [("BAD_INPUT", ["dismissSuggestion"])]
        anonymous = system.person(None, device_id="d")
        assert await anonymous.errors(DISMISS, id=own) == [("UNAUTHENTICATED", ["dismissSuggestion"])]


@standalone
async def test_dismissals_beyond_the_limit_are_refused(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(moderation=LENIENT, people={"boundary_limit": 1})) as system:
        alice, bob, carol = system.person("alice"), await system.person("bob").id(), await system.person("carol").id()
        await dismiss(alice, bob)
        async with unchanged(system):
            assert refusal(await dismiss(alice, carol)) == ("MUTE_LIMIT_REACHED", ["userId"])
        await system.drain()
        async with directly(system):
            assert refusal(await dismiss(alice, carol)) == ("MUTE_LIMIT_REACHED", ["userId"])
            assert (await dismiss(alice, bob))["userErrors"] == []


@standalone
async def test_a_dismissal_is_stored_while_redis_is_down(system: System) -> None:
    alice, bob = system.person("alice"), await system.person("bob").id()
    await alice.id()
    async with directly(system):
        assert (await dismiss(alice, bob))["userErrors"] == []
        assert await system.rows(STORED) == [(6, int(bob.partition(":")[2]), True)]
