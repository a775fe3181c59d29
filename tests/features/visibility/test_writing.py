"""Mutations with the id of a hidden thing are refused like mutations with an unknown id."""

from collections.abc import Iterable
from typing import Any

from settings import Settings
from tests.features.visibility.hidden_things import VisibilityCase, with_sight, withdrawn_case
from tests.features.visibility.mutations import (
    ALL,
    ALWAYS_DONE,
    OF_ENTITIES,
    OF_NOTIFICATIONS,
    OF_OPERATIONS,
    OF_SERVICES,
    OF_STATEMENTS,
    OF_USERS,
    OF_WORDS,
    WRITES,
    taking_ids,
)
from tests.features.visibility.things import Sight, State, Thing, Viewer
from tests.support.comments import add
from tests.support.posts import publish
from tests.support.stores import standalone
from tests.support.system import running

_DELETING, _UNPINNING = "deleteComment_commentId", "unpinComment_commentId"


def one_of_each(things: Iterable[Thing]) -> Iterable[Thing]:
    """Returns one thing of each combination of business, state and fates."""
    return {(thing.business, thing.state, thing.fate, thing.on and thing.on.fate): thing for thing in things}.values()


def repeatable(viewer: Viewer, thing: Thing) -> set[str]:
    """Returns the mutations that the viewer may repeat: a deletion as the author or a moderator, a deletion and an
    unpin as an owner who saw the thing.
    """
    if viewer.handle == "olga" and thing.fate is State.DELETED:
        return {_DELETING, _UNPINNING}
    return {_DELETING} if viewer.handle == thing.author or thing.business in viewer.moderates else set()


async def answers(viewer: Viewer, thing: Thing, id_: str) -> Any:
    """Sends all mutations with an id. Returns the payloads, and the errors with their paths."""
    keys = {"key": f"{viewer.name} {id_}", "other": f"{viewer.name} replies {id_}"}
    response = await viewer.send(ALL, id=id_, subject=thing.subject or id_, **keys)
    body, repeats = response.json(), repeatable(viewer, thing)
    assert "data" in body, body
    requested = {name: payload for name, payload in body["data"].items() if payload != "Mutation"}
    data = {name: payload for name, payload in requested.items() if name not in repeats}
    assert all(payload is None or payload["userErrors"] for name, payload in data.items() if name not in ALWAYS_DONE), (
        viewer.name,
        thing,
        body,
    )
    assert id_ not in response.text
    return data, [(error["message"], error["extensions"], error["path"]) for error in body.get("errors", [])]


async def check_hidden(case: VisibilityCase, viewer: Viewer) -> None:
    """Expects the same answers for a hidden id as for an unknown id."""
    by_others = [thing for thing in case.things if thing.author != viewer.handle]
    for thing in one_of_each(with_sight(by_others, viewer, Sight.NOTHING)):
        expected = await answers(viewer, thing, thing.id)
        assert expected == await answers(viewer, thing, case.phantoms[thing.id]), (viewer.name, thing)


async def check_tombstones(case: VisibilityCase, viewer: Viewer) -> None:
    """Expects the same answers for all tombstones, whether they are deleted, rejected or pending."""
    tombstones = with_sight(case.things, viewer, Sight.TOMBSTONE)
    if not any(repeatable(viewer, thing) for thing in tombstones):
        each = [await answers(viewer, thing, thing.id) for thing in tombstones]
        assert all(answer == each[0] for answer in each), viewer.name


@standalone
async def test_mutations_treat_a_hidden_id_like_an_unknown_id(lenient: Settings) -> None:
    async with running(lenient) as system:
        case = await withdrawn_case(system)
        for viewer in case.viewers.values():
            await check_hidden(case, viewer)
            await check_tombstones(case, viewer)


@standalone
async def test_the_idempotency_key_of_another_user_returns_nothing_of_theirs(lenient: Settings) -> None:
    async with running(lenient) as system:
        alice, sam = system.person("alice"), system.person("sam")
        (video,) = await system.videos("open")
        for drained in (False, True):
            hers, his = [await publish(author, "dubious", key="k") for author in (alice, sam)]
            assert hers["post"]["id"] != his["post"]["id"]
            assert his["post"]["author"] == {"handle": "sam"}
            hers, his = [await add(author, video, "dubious", key="k") for author in (alice, sam)]
            assert hers["comment"]["id"] != his["comment"]["id"]
            assert his["comment"]["author"] == {"handle": "sam"}
            own = hers["comment"]["id"]
            assert (await alice.like(own, key="l"))["target"]["id"] == own
            refused = await sam.like(own, key=f"l{drained}" if drained else "l")
            assert (refused["target"], refused["userErrors"][0]["code"]) == (None, "TARGET_NOT_FOUND")
            await system.drain()


def test_every_mutation_that_takes_an_id_is_known() -> None:
    known = WRITES.keys() | OF_USERS.keys() | OF_SERVICES | OF_ENTITIES | OF_NOTIFICATIONS
    assert taking_ids() == known | OF_WORDS | OF_STATEMENTS | OF_OPERATIONS
