"""eraseEntities: nothing about an erased entity is left, and everything else stays right."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import count
from typing import Any
from unittest.mock import ANY

import pytest

from models import METADATA
from models.likes import Reaction
from models.notifications import NotificationKind
from store.content import erasures
from store.content.entities import BeingErased, Registration
from store.notifications import recipients
from store.people.remains import KEPT_OF_ENTITIES
from store.postgres.client import Transaction
from tests.support.actions import share, view
from tests.support.boundaries import mute_thread
from tests.support.collections import created, save_into
from tests.support.comment_policies import set_policy
from tests.support.comments import add, added
from tests.support.content_follows import follow_entities
from tests.support.erasing import ERASE, erase, finish, left, settle, step, unfinished
from tests.support.outgoing import received, to_stream
from tests.support.personal_data import stored
from tests.support.pinned_comments import pin
from tests.support.plans import reads
from tests.support.reconciliation import drift, execute
from tests.support.registration import read, register, registrar
from tests.support.removing import remove
from tests.support.reports import queued, reported
from tests.support.saves import save
from tests.support.stored_state import unchanged
from tests.support.stores import standalone
from tests.support.system import System
from workers.deletions.erase import KINDS
from workers.deletions.run import erase_entities

COUNTS = """query ($id: ID!) {
  node(id: $id) { ... on Entity { likeCount saveCount viewCount shareCount commentCount } } }"""
RECEIVED = "query ($handle: String!) { user(handle: $handle) { likesReceivedCount } }"
TOLD = "{ viewer { notifications { nodes { kind } } } }"
GONE = """INSERT INTO comments
              (subject_business, subject_id, comment_id, root_id, author_id, moment, state, score, score_version)
          SELECT :business, :entity, i, 0, 1, i, 2, 0, 0 FROM generate_series(1, 2000) AS i"""
V1 = {"business": "video", "key": "v1"}
ELSEWHERE = {"claims", "comment_contents", "comment_settings", "comments", "entity_keys", "traces"}
"""Tables with rows about entities and comments that other statements empty."""
NOT_ABOUT_ENTITIES = {"imports", "operations"}
"""Tables with the ids of imported comments, and with the outcomes of writes in the last minutes."""


async def scene(system: System) -> tuple[str, str, int]:
    """Lets people do with the video v1 everything that leaves data, and some of it with v2. Returns the ids of both
    videos, and the number of v1.
    """
    first, second = await system.videos("v1", "v2", owner="olga")
    await register(registrar(system), {**V1, "title": "a secret title"})
    alice, bob, olga, mia = (system.person(name) for name in ("alice", "bob", "olga", "mia"))
    for person in (alice, bob, olga, mia):
        await person.id()
    comment = await added(alice, first, "a secret remark for @mia")
    await system.drain()
    reply = await added(bob, first, "a secret answer", comment)
    await added(bob, second, "a remark that stays")
    await system.drain()
    for person, verb, target in (
        *((one, "like", target) for one in (alice, bob) for target in (first, second)),
        *((bob, "like", comment), (alice, "like", reply), (mia, "dislike", first), (mia, "dislike", comment)),
    ):
        assert (await person.react(verb, target))["userErrors"] == []
    await olga.like(first)
    await system.drain()
    await olga.unlike(first)
    await save(bob, first, second, comment)
    await save_into(alice, await created(alice, "favourites"), first)
    await view(bob, first)
    await share(bob, first)
    await mute_thread(mia, first)
    await mute_thread(mia, comment)
    await follow_entities(mia, first)
    await reported(mia, first)
    await reported(mia, comment)
    await pin(olga, comment)
    await set_policy(olga, first, "FOLLOWED")
    await system.drain()
    ((number,),) = await system.rows("SELECT entity_id FROM entity_keys WHERE key = 'v1'")
    return first, second, number


async def likes_received(system: System) -> list[int]:
    """Returns the likes that olga, alice and bob have received."""
    reader = system.person(None)
    return [(await reader.ask(RECEIVED, handle=one))["user"]["likesReceivedCount"] for one in ("olga", "alice", "bob")]


async def is_gone(system: System, number: int) -> None:
    """Checks that nothing of the erased video v1 is left, and that all derived values are right."""
    assert await left(system, number, "secret") == []
    assert "secret" not in await stored(system)
    assert await system.rows("SELECT finished_ms IS NOT NULL, held FROM erasures") == [(True, False)]
    assert await drift(system) == {}


@standalone
async def test_nothing_about_an_erased_entity_is_left(system: System) -> None:
    first, second, number = await scene(system)
    assert await likes_received(system) == [4, 1, 1]
    log = await system.rows("SELECT count(*) FROM like_log")

    assert await erase(registrar(system), first) == {"erasedIds": [first], "userErrors": []}
    bob, mia = system.person("bob"), system.person("mia", "moderate")
    assert [found is None for found in await read(bob, "v1", "v2")] == [True, False]
    assert (await bob.ask(COUNTS, id=first))["node"] is None
    assert [error["code"] for error in (await add(bob, first, "late"))["userErrors"]] == ["TARGET_NOT_FOUND"]
    await finish(system)

    await is_gone(system, number)
    assert await likes_received(system) == [2, 0, 0]
    counts = (await bob.ask(COUNTS, id=second))["node"]
    assert [counts[name] for name in ("likeCount", "saveCount", "commentCount")] == [2, 1, 1]
    assert await queued(mia) == {}
    assert await system.rows("SELECT count(*) FROM like_log") == log
    told = (await system.person("olga").ask(TOLD))["viewer"]["notifications"]["nodes"]
    assert sorted(one["kind"] for one in told) == ["COMMENT", "LIKE"]
    assert (await mia.ask(TOLD))["viewer"]["notifications"]["nodes"] == []


@standalone
async def test_the_key_of_an_erased_entity_is_free_for_a_new_entity(system: System) -> None:
    first, _, number = await scene(system)
    service = registrar(system)
    await erase(service, first)
    async with unchanged(system):
        refused = await register(service, {"business": "video", "key": "v2", "title": "x"}, V1)
        assert refused["userErrors"] == [{"code": "TARGET_DELETED", "field": ["entities", "1"]}]
        assert await remove(service, first) == {"removedIds": [first], "userErrors": []}
        assert await erase(service, first) == {"erasedIds": [first], "userErrors": []}
    await finish(system)
    async with unchanged(system):
        assert await erase(service, first) == {"erasedIds": [first], "userErrors": []}

    assert (await register(service, V1))["userErrors"] == []
    ((new,),) = await system.rows("SELECT entity_id FROM entity_keys WHERE key = 'v1'")
    assert new != number
    bob = system.person("bob")
    assert set((await bob.ask(COUNTS, id=first))["node"].values()) == {0}
    assert (await read(bob, "v1"))[0]["title"] is None
    assert (await add(bob, first, "new"))["userErrors"] == []
    await bob.like(first)
    await system.drain()
    assert (await bob.ask(COUNTS, id=first))["node"]["likeCount"] == 1
    assert await drift(system) == {}

    await erase(service, first)
    await finish(system)
    assert await left(system, new) == []


class _Interrupted:
    """A transaction that waits for `between` after its first statement."""

    def __init__(self, transaction: Transaction, between: Callable[[], Awaitable[None]]) -> None:
        self._transaction, self._between = transaction, [between]

    async def execute(self, statement: Any, **parameters: Any) -> Any:
        rows = await self._transaction.execute(statement, **parameters)
        if self._between:
            await self._between.pop()()
        return rows


@standalone
async def test_an_entity_whose_erasure_ends_during_a_registration_is_refused(system: System) -> None:
    (first,) = await system.videos("v1")
    ((business, id_),) = await system.rows("SELECT business_id, entity_id FROM entity_keys")
    await erase(registrar(system), first)
    new = Registration(business, "v1", id_ + 1, False, None, False, None, False, None, None)
    with pytest.raises(BeingErased) as raised:
        async with system.state.postgres.transaction() as transaction:
            interrupted: Any = _Interrupted(transaction, lambda: finish(system))
            await system.state.entities.register(interrupted, [new])
    assert raised.value.keys == [(business, "v1")]


async def test_refusals_change_nothing(system: System) -> None:
    first, second = await system.videos("v1", "v2")
    service, mia = registrar(system), system.person("mia", "users:write")
    await mia.id()
    async with unchanged(system):
        assert await erase(service, first, "Entity:video:unknown", second) == {
            "erasedIds": None,
            "userErrors": [{"code": "TARGET_NOT_FOUND", "field": ["ids", "1"]}],
        }
        assert await mia.errors(ERASE, ids=[first]) == [("FORBIDDEN", ["eraseEntities"])]
        assert await system.person(None).errors(ERASE, ids=[first]) == [("UNAUTHENTICATED", ["eraseEntities"])]
        for ids in ([], [first, "Post:1"], [first, "Entity:nope:v1"], ["v1"], ["Entity:video:\0"], [first] * 101):
            assert await service.errors(ERASE, ids=ids) == [("BAD_INPUT", ["eraseEntities"])]


@standalone
async def test_an_erasure_waits_until_earlier_writes_are_stored(system: System) -> None:
    (first,) = await system.videos("v1", owner="olga")
    alice = system.person("alice")
    await added(alice, first, "a secret remark")
    await alice.like(first)
    await remove(registrar(system), first)
    await erase(registrar(system), first)
    ((number,),) = await system.rows("SELECT entity_id FROM erasures")
    soon = replace(system.state, now_ms=lambda: system.state.now_ms() + 4_000)
    later = replace(system.state, now_ms=lambda: system.state.now_ms() + 3_600_000)

    for state in (soon, later, later):
        assert await erase_entities(state, lambda: True) == 0
    assert await unfinished(system) == [(number,)]
    await system.drain()
    assert await erase_entities(soon, lambda: True) > 0

    await finish(system)
    await is_gone(system, number)


@standalone
async def test_an_erasure_that_is_interrupted_anywhere_goes_on(system: System) -> None:
    first, _, number = await scene(system)
    await erase(registrar(system), first)
    for answers in count(1):
        asked = iter(range(answers))
        await step(system, lambda: next(asked, None) is not None)  # noqa: B023 - called in this round only
        await settle(system)
        if not await unfinished(system):
            break
    assert answers > 10
    await is_gone(system, number)


@standalone
async def test_two_workers_at_once_erase_everything_once(system: System) -> None:
    first, _, number = await scene(system)
    await erase(registrar(system), first)
    while await unfinished(system):
        await asyncio.gather(*[erase_entities(system.state, lambda: True) for _ in range(2)])
        await system.drain()
        await settle(system)
    await is_gone(system, number)
    assert await likes_received(system) == [2, 0, 0]


@standalone
@pytest.mark.parametrize("whose", ["alice", "bob", "olga"])
async def test_a_legal_hold_stops_an_erasure_until_it_is_lifted(system: System, whose: str) -> None:
    first, _, number = await scene(system)
    user = int((await system.person(whose).id()).removeprefix("User:"))
    await execute(system, "INSERT INTO legal_holds VALUES (:user, 'court', 1)", user=user)
    await erase(registrar(system), first)
    for _ in range(3):
        assert await step(system) == 0
        await settle(system)
    assert await system.rows("SELECT held, removed FROM erasures") == [(True, 0)]
    assert (await system.person("bob").ask(COUNTS, id=first))["node"] is None

    await execute(system, "DELETE FROM legal_holds")
    await finish(system)
    await is_gone(system, number)


@standalone
async def test_a_legal_hold_keeps_the_reports_that_the_user_made(system: System) -> None:
    first, second = await system.videos("v1", "v2")
    mia = system.person("mia")
    comment = await added(system.person("alice"), second, "a remark")
    await system.drain()
    await reported(mia, first)
    await reported(mia, comment)
    await system.drain()
    user = int((await mia.id()).removeprefix("User:"))
    await execute(system, "INSERT INTO legal_holds VALUES (:user, 'court', 1)", user=user)

    await erase(registrar(system), first, second)
    assert await step(system) == 0
    assert await system.rows("SELECT held FROM erasures") == [(True,), (True,)]


@standalone
async def test_erasures_that_a_legal_hold_stops_do_not_delay_the_others(system: System) -> None:
    held = await system.videos(*(f"v{i}" for i in range(99)), owner="olga")
    (free,) = await system.videos("free")
    user = int((await system.person("olga").id()).removeprefix("User:"))
    await execute(system, "INSERT INTO legal_holds VALUES (:user, 'court', 1)", user=user)
    await erase(registrar(system), *held)
    await execute(system, "UPDATE erasures SET held = true")
    await erase(registrar(system), free)

    for _ in range(2):
        await settle(system)
        await step(system)

    assert len(await unfinished(system)) == len(held)


@standalone
async def test_stored_events_lose_what_they_say_about_an_erased_entity(system: System) -> None:
    await to_stream(system, "comment.created", "comment.deleted", "entity.updated", "entity.removed", "entity.erased")
    first, second, _ = await scene(system)
    await erase(registrar(system), first)
    await finish(system)

    about = [(one["kind"], one["data"].get("id"), one["data"].get("subjectId")) for one in await received(system)]
    assert ("entity.erased", first, None) in about
    assert [one for one in about if one[0] == "comment.created"] == [("comment.created", ANY, second)]
    assert [one for one in about if one[0] == "entity.updated"] == [("entity.updated", second, None)]
    assert sorted(one[0] for one in about if one[0] == "comment.deleted") == ["comment.deleted"] * 2


@standalone
async def test_hidden_comments_are_deleted_and_deleted_ones_cost_a_step_nothing(system: System) -> None:
    await to_stream(system, "comment.deleted")
    (first,) = await system.videos("v1")
    await added(system.person("alice"), first, "a secret remark")
    await system.drain()
    ((business, id_),) = await system.rows("SELECT business_id, entity_id FROM entity_keys")
    await execute(system, "UPDATE comments SET state = 0")
    await execute(system, GONE, business=business, entity=id_)
    await execute(system, "ANALYZE comments")
    public = await reads(system, erasures._PUBLIC, "comments", business=business, entity=id_, count=9)
    assert public.rows == 0

    await erase(registrar(system), first)
    await finish(system)
    assert [one["kind"] for one in await received(system)] == ["comment.deleted"]
    assert await left(system, id_, "secret") == []


def test_each_table_with_rows_about_entities_is_emptied_or_may_keep_them() -> None:
    about = {"entity_id", "comment_id", "subject_id"}
    tables = {name for name, table in METADATA.tables.items() if about & set(table.columns.keys())}
    assert tables - {*erasures.TABLES, *ELSEWHERE, *NOT_ABOUT_ENTITIES, *KEPT_OF_ENTITIES} == set()
    assert set(erasures.SETS) == KINDS


async def test_an_event_that_is_delivered_late_notifies_nobody_of_an_erased_entity(system: System) -> None:
    (video,) = await system.videos("v1", owner="olga")
    olga, alice = [int((await system.person(name).id()).partition(":")[2]) for name in ("olga", "alice")]
    ((business_id, entity_id),) = await system.rows("SELECT business_id, entity_id FROM entities")
    late = [NotificationKind.LIKE, olga, business_id, entity_id, alice, 1, None, 0, Reaction.LIKE]
    assert await recipients.shown(system.state.postgres, [late]) == [late]

    await erase(registrar(system), video)
    assert await recipients.shown(system.state.postgres, [late]) == []
    await finish(system)
    assert await recipients.shown(system.state.postgres, [late]) == []
