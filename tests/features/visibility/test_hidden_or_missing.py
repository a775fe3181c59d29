"""No mutation tells an object that is hidden because of a user from one that never existed, or one tombstone from
another. The mutations are all that take ids.
"""

from typing import Any

import pytest

from settings import Settings
from tests.features.visibility.mutations import OF_USERS, WRITES, answering
from tests.support.collections import created
from tests.support.comments import added, delete
from tests.support.hiding import hide
from tests.support.posts import delete as delete_post
from tests.support.posts import published
from tests.support.stores import standalone
from tests.support.system import Person, System, running

HIDES_USER = ("bob blocks", "HIDDEN", "SHADOW")
CONTENT = answering(WRITES)
USERS = answering({key: values for key, values in OF_USERS.items() if key[1] == "userId"})
COLLECTIONS = answering({key: values for key, values in OF_USERS.items() if key[1] == "collectionId"})


async def answer(reader: Person, query: str, id_: str, subject: str, shown: str) -> Any:
    """Returns everything that an answer tells, without the id."""
    known = {"id": id_, "subject": subject, "shown": shown, "key": f"key {id_}", "other": f"other {id_}"}
    body = (await reader.send(query, **{name: value for name, value in known.items() if f"${name}:" in query})).json()
    assert body.get("data"), body
    assert id_ not in str(body)
    errors = {error["path"][0]: (error["message"], error["extensions"]) for error in body.get("errors", [])}
    return {name: errors.get(name, payload) for name, payload in body["data"].items()}


def missing(system: System, id_: str) -> str:
    """Returns an id of the same form that names no object."""
    kind, _, rest = id_.partition(":")
    return f"{kind}:{rest[: rest.rfind('.') + 1]}{system.state.new_id()}"


@standalone
@pytest.mark.parametrize("how", ["alice blocks", *HIDES_USER, "PRIVATE"])
async def test_no_mutation_tells_a_hidden_object_from_a_missing_one(lenient: Settings, how: str) -> None:
    async with running(lenient) as system:
        alice, bob, carol = map(system.person, ("alice", "bob", "carol"))
        await alice.id()
        (post,), (shown, gone) = await published(bob, "bob's post"), await published(carol, "carol's post", "deleted")
        await system.drain()
        hidden = await added(bob, shown, "bob's comment")
        tombstones = [await added(bob, shown, "answered"), await added(carol, shown, "deleted, answered")]
        below = await added(carol, post, "a comment on bob's post")
        await system.drain()
        for id_ in tombstones:
            await added(carol, shown, f"an answer to {id_}", id_)
        await delete(carol, tombstones[1])
        await delete_post(carol, gone)
        collections = [await created(bob, "open", public=True), await created(bob, "own")]
        await system.drain()
        await hide(system, how)
        await system.drain()

        async def check(query: str, id_: str, other: str, subject: str) -> None:
            one, two = [await answer(alice, query, each, subject, shown) for each in (id_, other)]
            differing = {name: (found, two[name]) for name, found in one.items() if found != two[name]}
            assert not differing, (how, id_)

        for id_ in (post, gone):
            await check(CONTENT, id_, missing(system, id_), id_)
        for id_, subject in ((below, post), *([] if how == "PRIVATE" else [(hidden, shown)])):
            await check(CONTENT, id_, missing(system, id_), subject)
        if how != "PRIVATE":
            await check(CONTENT, tombstones[0], tombstones[1], shown)
        for id_ in collections:
            await check(COLLECTIONS, id_, missing(system, id_), shown)
        if how in HIDES_USER:
            user = await bob.id()
            await check(USERS, user, missing(system, user), shown)
