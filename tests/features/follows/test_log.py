"""The follow log: every change with its origin, readable for operators only."""

import re
from typing import cast

from graphql import GraphQLInputObjectType, GraphQLInterfaceType, GraphQLObjectType

from schema import schema
from settings import USERS
from tests.support.follows import change, follow, unfollow
from tests.support.journal_entries import someone
from tests.support.stores import standalone
from tests.support.system import System

LOG = "SELECT user_id, followee_id, business_id, follows, host(ip), device, client FROM follow_log ORDER BY version"
PRIVATE = {"ip", "ips", "device", "devices", "client", "address", "log", "logs", "trace"}

OTHERS = re.compile(r"moderationlog|clientversion|^(ImportOperationsInput|OperationUse\w*)\.client$", re.IGNORECASE)
"""Fields of the log of moderation, and fields with names of applications that send persisted operations."""


async def test_every_change_is_logged_with_both_users_and_its_origin(system: System) -> None:
    alice, bob = await someone(system, "alice"), await someone(system, "bob")
    bob_id = f"User:{bob.user_id}"
    phone = system.person("alice", device_id="phone-1", client_kind="ios")
    plain = system.person("alice")

    await follow(phone, bob_id)
    await follow(plain, bob_id)
    await unfollow(plain, bob_id)
    await follow(plain, bob_id)
    await system.drain()

    pair = (alice.user_id, bob.user_id, USERS)
    assert await system.rows(LOG) == [
        (*pair, True, "203.0.113.7", "phone-1", "ios"),
        (*pair, False, "203.0.113.7", None, None),
        (*pair, True, "203.0.113.7", None, None),
    ]


@standalone
async def test_the_logged_time_is_the_time_of_the_acknowledgement(system: System) -> None:
    bob = await someone(system, "bob")
    before = await system.state.redis.clock_ms("any")
    await follow(system.person("alice"), f"User:{bob.user_id}")
    after = await system.state.redis.clock_ms("any")
    await system.drain()

    ((logged,),) = await system.rows("SELECT version >> 20 FROM follow_log")

    assert before <= logged <= after


@standalone
async def test_a_request_that_changes_nothing_is_not_logged(system: System) -> None:
    alice, bob = await someone(system, "alice"), await someone(system, "bob")

    await change(alice.person, "follow", f"User:{alice.user_id}")
    await change(alice.person, "follow", "User:7")
    await change(alice.person, "unfollow", f"User:{bob.user_id}")
    await system.drain()

    assert await system.rows(LOG) == []


def test_no_field_of_the_api_is_named_like_a_column_of_the_log() -> None:
    names = {
        f"{type_.name}.{field}"
        for type_ in schema.graphql_core.type_map.values()
        if isinstance(type_, GraphQLObjectType | GraphQLInterfaceType | GraphQLInputObjectType)
        for field in type_.fields
        if not type_.name.startswith("__") and not OTHERS.search(f"{type_.name}.{field}")
    }

    assert "User.viewerRelation" in names  # the set is not empty
    assert {name for name in names if PRIVATE & set(words(name))} == set()


def words(name: str) -> list[str]:
    """Returns the lower-case words of a name: user, client, ip of `User.clientIp`."""
    return [word.lower() for word in cast("list[str]", re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name))]
