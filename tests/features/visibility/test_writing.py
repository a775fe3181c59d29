"""Whoever writes about what they may not see is answered as if it never was."""

from collections.abc import Iterable
from typing import Any

from settings import Settings
from tests.features.visibility.hidden_things import VisibilityCase, hidden, of_fate
from tests.features.visibility.mutations import ALL, OF_USERS, WRITES, taking_ids
from tests.features.visibility.things import Sight, State, Thing, Viewer
from tests.support.comments import add
from tests.support.posts import publish
from tests.support.stores import standalone
from tests.support.system import running

_DELETING = "deleteComment_commentId"


def one_of_each(things: Iterable[Thing]) -> Iterable[Thing]:
    """Of those that differ in nothing that counts, one."""
    return {(one.business, one.state, one.fate, one.on and one.on.fate): one for one in things}.values()


def may_repeat(viewer: Viewer, thing: Thing) -> bool:
    """Whether somebody may delete it again: its author, a moderator, and its subject's owner once they have seen it."""
    owner = viewer.handle == "olga" and thing.fate is State.DELETED
    return viewer.handle == thing.author or thing.business in viewer.moderates or owner


async def answers(viewer: Viewer, thing: Thing, id_: str) -> Any:
    """What somebody is told who writes about an id that stands for a thing: payloads, and errors with their paths."""
    keys = {"key": f"{viewer.name} {id_}", "other": f"{viewer.name} replies {id_}"}
    response = await viewer.send(ALL, id=id_, subject=thing.subject or id_, **keys)
    body, repeats = response.json(), may_repeat(viewer, thing)
    asked = {name: payload for name, payload in body["data"].items() if payload != "Mutation"}
    data = {name: payload for name, payload in asked.items() if not repeats or name != _DELETING}
    assert all(payload is None or payload["userErrors"] for payload in data.values()), (viewer.name, thing, body)
    assert id_ not in response.text
    return data, [(error["message"], error["extensions"], error["path"]) for error in body.get("errors", [])]


async def check_hidden(case: VisibilityCase, viewer: Viewer) -> None:
    """What they see nothing of is like what never was."""
    of_others = [thing for thing in case.things if thing.author != viewer.handle]
    for thing in one_of_each(hidden(of_others, viewer, Sight.NOTHING)):
        told = await answers(viewer, thing, thing.id)
        assert told == await answers(viewer, thing, case.phantoms[thing.id]), (viewer.name, thing)


async def check_tombstones(case: VisibilityCase, viewer: Viewer) -> None:
    """Nobody can tell what was deleted from what was rejected, or waits."""
    places = hidden(case.things, viewer, Sight.PLACE)
    if not any(may_repeat(viewer, place) for place in places):
        told = [await answers(viewer, place, place.id) for place in places]
        assert all(one == told[0] for one in told), viewer.name


@standalone
async def test_what_is_hidden_is_written_about_like_what_never_was(lenient: Settings) -> None:
    async with running(lenient) as system:
        case = await of_fate(system)
        for viewer in case.viewers.values():
            await check_hidden(case, viewer)
            await check_tombstones(case, viewer)


@standalone
async def test_anothers_idempotency_key_gives_nothing_of_theirs(lenient: Settings) -> None:
    async with running(lenient) as system:
        alice, sam = system.person("alice"), system.person("sam")
        (video,) = await system.videos("open")
        for drained in (False, True):
            hers, his = [await publish(who, "dubious", key="k") for who in (alice, sam)]
            assert hers["post"]["id"] != his["post"]["id"]
            assert his["post"]["author"] == {"handle": "sam"}
            hers, his = [await add(who, video, "dubious", key="k") for who in (alice, sam)]
            assert hers["comment"]["id"] != his["comment"]["id"]
            assert his["comment"]["author"] == {"handle": "sam"}
            own = hers["comment"]["id"]
            assert (await alice.like(own, key="l"))["target"]["id"] == own
            refused = await sam.like(own, key=f"l{drained}" if drained else "l")
            assert (refused["target"], refused["userErrors"][0]["code"]) == (None, "TARGET_NOT_FOUND")
            await system.drain()


def test_every_mutation_that_takes_an_id_is_known() -> None:
    assert taking_ids() == WRITES.keys() | OF_USERS
