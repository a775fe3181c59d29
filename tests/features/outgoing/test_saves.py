"""Outgoing events of saves."""

from tests.support.collections import created, save_into
from tests.support.outgoing import received, short, to_stream
from tests.support.saves import save, unsave
from tests.support.stores import standalone
from tests.support.system import System

SAVED = "save.changed"


@standalone
async def test_each_change_of_a_save_is_an_event_with_its_collection(system: System) -> None:
    await to_stream(system, SAVED)
    alice, (video,) = system.person("alice"), await system.videos("v1")
    collection = await created(alice, "later")
    await save(alice, video)
    await system.drain()
    await save_into(alice, collection, video)
    await system.drain()
    await save_into(alice, collection, video)
    await system.drain()
    await unsave(alice, video)

    events = await received(system)

    states = [short(event, "isSaved", "collectionId") for event in events]
    assert states == [(SAVED, True, None), (SAVED, True, collection), (SAVED, False, None)]
    assert {(event["business"], event["data"]["targetId"], event["data"]["userId"]) for event in events} == {
        ("video", video, await alice.id())
    }


@standalone
async def test_a_save_that_a_batch_undoes_has_one_event(system: System) -> None:
    await to_stream(system, SAVED)
    alice, (video,) = system.person("alice"), await system.videos("v1")
    await save(alice, video)
    await unsave(alice, video)

    (event,) = await received(system)

    assert short(event, "isSaved") == (SAVED, False)
