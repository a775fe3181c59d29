"""In synchronous mode, no write is acknowledged while the other site lacks it, not even a repeated one."""

import asyncio
import gc
from typing import Any

import pytest

from commands.write import Write
from domain.errors import Refused
from domain.errors import UserErrorCode as Code
from store.redis.client import RedisDown
from store.write_log import write_mode
from tests.support.collections import created, save_into
from tests.support.posts import published
from tests.support.restricted_operations import OPERATIONS
from tests.support.stores import standalone
from tests.support.system import System

ELSEWHERE = {
    *("setNotificationPreferences", "setQuietHours", "exportUser", "createUpload"),
    "setLabelPreferences",  # without preferences
}
"""Mutations that write nothing to Redis."""
COMMENT = """mutation ($id: ID!) { addComment(input: {subjectId: $id, text: "so", idempotencyKey: "c"}) {
  comment { id } } }"""


async def lonely(system: System) -> None:
    """Begins synchronous mode at a site whose state Redis has no replica."""
    await write_mode.set_synchronous(system.state.postgres, 1)
    await system.state.write_mode.refresh()
    system.state.redis.wait_ms = 20


@pytest.mark.prove  # takes a minute: each refused write is tried several times
@standalone
async def test_no_mutation_is_acknowledged_while_the_other_site_lacks_it(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (video,) = await system.videos("v1")
    (post,) = await published(alice, "mine")
    comment = (await alice.ask(COMMENT, id=video))["addComment"]["comment"]["id"]
    collection = await created(alice, "public", public=True)
    await save_into(alice, collection, video)
    await system.drain()
    things = {"video": video, "post": post, "comment": comment, "collection": collection, "bob": await bob.id()}
    await lonely(system)

    acknowledged = set[str]()
    for coordinate, query in OPERATIONS.items():
        type_, _, name = coordinate.partition(".")
        variables = {one: id_ for one, id_ in things.items() if f"${one}" in query}
        if type_ == "Mutation" and name not in ELSEWHERE and "$notification" not in query:
            answers = [(await alice.send(query, **variables)).json() for _ in range(2)]
            acknowledged |= {name for answer in answers if "errors" not in answer}

    assert acknowledged == set()


@standalone
async def test_a_refused_write_leaves_no_failed_lookup_behind(system: System) -> None:
    alice, failed = system.person("alice"), list[dict[str, Any]]()
    await alice.id()
    await lonely(system)
    asyncio.get_running_loop().set_exception_handler(lambda _, error: failed.append(error))
    context = await system.service.context(alice.received_headers, None)
    with pytest.raises(RedisDown):
        async with Write(context, "like", "key"):
            raise Refused.because(Code.INVALID, "no", "targetId")
    await asyncio.sleep(0.1)  # the lookup ends
    del context
    gc.collect()

    assert failed == []


@standalone
async def test_a_wait_for_the_other_site_counts_as_a_direct_write(system: System) -> None:
    mode = system.state.write_mode
    await lonely(system)
    mode.writing = asyncio.Semaphore(1)
    async with mode.writing:
        waiting = asyncio.create_task(mode.wait_for_other_site())
        done, _ = await asyncio.wait({waiting}, timeout=1)

    assert done == set()
    await waiting
