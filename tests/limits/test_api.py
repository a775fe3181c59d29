"""Query.rateLimit: what the request was charged."""

from datetime import UTC, datetime
from typing import Any

from context import Client, Context
from schema import schema
from store.budgets import Allowance
from tests.system import System

QUERY = "{ rateLimit { cost limit remaining resetAt } }"


async def told(system: System, allowance: Allowance | None) -> Any:
    context = Context(system.state, system.app.state.door._shared, None, Client())
    context.allowance = allowance
    result = await schema.execute(QUERY, context_value=context)
    assert result.errors is None
    return result.data


async def test_a_request_is_told_what_it_was_charged(system: System) -> None:
    reset = datetime(2031, 5, 6, 7, 8, 9, 123_000, UTC)

    assert await told(system, Allowance(5, 1000, 995, round(reset.timestamp() * 1000))) == {
        "rateLimit": {"cost": 5, "limit": 1000, "remaining": 995, "resetAt": "2031-05-06T07:08:09.123Z"}
    }


async def test_who_was_charged_nothing_is_told_nothing(system: System) -> None:
    assert await told(system, None) == {"rateLimit": None}
