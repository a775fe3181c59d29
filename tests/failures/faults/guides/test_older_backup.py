"""A dump is restored beside a Redis that is newer: docs/operate/backup.md says what is kept and what is lost."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from settings import EventSettings
from state import State, opened
from store.outgoing import cursors
from tests.failures.faults.checker import drained
from tests.failures.faults.guides.backups import AFTERWARDS, DUMP, STOP, follow, installed, writes_through_redis
from tests.failures.faults.guides.host import Host
from tests.support import boundaries, collections, comments, follows, pinned_posts, posts, saves
from tests.support.comment_policies import policy_of, set_policy
from tests.support.external_reviewer import Server
from tests.support.system import REACT, SEEN, Api, Person
from tests.support.webhooks import receiver

pytestmark = [pytest.mark.prove, pytest.mark.timeout(600)]

OF_JOURNALS = {"post.created", "comment.created", "reaction.changed", "follow.changed"}
SQUARE = "{ square { nodes { text author { handle } } } }"
PROFILE = "query ($h: String!) { user(handle: $h) { bio viewerRelation } }"
BIO = 'mutation { updateProfile(input: {bio: "lost"}) { userErrors { code } } }'


@dataclass
class Community:
    """The people, their ids, and what existed when the dump was made."""

    alice: Person
    bob: Person
    carol: Person
    zoe: Person
    ids: dict[str, str]
    videos: list[str]
    post: str = ""
    lost_post: str = ""
    lost_comment: str = ""


@asynccontextmanager
async def connected(host: Host) -> AsyncIterator[tuple[Api, State]]:
    """Calls the first API of a host, and opens its stores."""
    async with (
        httpx.AsyncClient(base_url=host.deployment.url, timeout=20, trust_env=False) as http,
        opened(host.deployment.settings, "checking", makes_ids=False) as state,
    ):
        yield Api(http, host.deployment.settings), state


async def settled(state: State) -> None:
    """Returns when all changes are stored and published, and all events are sent."""
    async with asyncio.timeout(60):
        await drained(state)
        while await cursors.due(state.postgres, range(state.settings.partitions)):
            await asyncio.sleep(0.1)


def ids_of(server: Server) -> list[str]:
    """Returns the ids of the events about changes in journals, in the order of their arrival."""
    events = [event for request in server.requests for event in request.json["events"]]
    return [event["id"] for event in events if event["kind"] in OF_JOURNALS]


async def before_the_dump(api: Api) -> Community:
    alice, bob, carol, zoe = [api.person(handle) for handle in ("alice", "bob", "carol", "zoe")]
    ids = {one.handle: await one.id() for one in (alice, bob, carol)}
    found = Community(alice, bob, carol, zoe, ids, await api.videos("v1", "v2"))
    (found.post,) = await posts.published(alice, "backed up")
    await alice.like(found.videos[0])
    await follows.follow(bob, ids["alice"])
    return found


async def lose(api: Api, state: State, people: Community) -> None:
    """Changes that are neither in the dump nor in the journals, when the journals are empty again."""
    alice, bob, (first, second) = people.alice, people.bob, people.videos
    (people.lost_post,) = await posts.published(alice, "lost")
    await alice.ask(BIO)
    people.ids["zoe"] = await people.zoe.id()
    await bob.like(second, key="lost-like")
    await alice.unlike(first)
    await follows.unfollow(bob, people.ids["alice"])
    await saves.save(bob, second)
    await api.videos("v3")
    await drained(state)
    people.lost_comment = await comments.added(bob, people.lost_post, "lost")
    await drained(state)
    async with asyncio.timeout(60):
        while any([await state.redis("XLEN", state.keys.journal(p)) for p in range(state.settings.partitions)]):
            await asyncio.sleep(0.2)


async def keep(people: Community) -> None:
    """Changes that the journals still hold when Plaudit stops, although they are stored and sent."""
    alice, bob = people.alice, people.bob
    await posts.published(alice, "kept")
    await comments.added(bob, people.post, "kept")
    await bob.like(people.videos[0])
    await follows.follow(alice, people.ids["bob"])


async def wait(people: Community) -> None:
    """Changes that are in the journals only, when Plaudit stops."""
    alice, bob = people.alice, people.bob
    await posts.published(bob, "waited")
    await comments.added(alice, people.post, "waited")
    await saves.save(alice, people.videos[1])
    await collections.created(alice, "waited")
    await boundaries.block(bob, people.ids["carol"])
    assert (await pinned_posts.pin_post(alice, people.post))["userErrors"] == []
    assert (await set_policy(alice, people.post, "FOLLOWED"))["userErrors"] == []


async def wait_about_what_will_be_lost(people: Community) -> None:
    alice, bob, zoe = people.alice, people.bob, people.zoe
    assert (await posts.edit(alice, people.lost_post, text="edited"))["userErrors"] == []
    await comments.added(bob, people.lost_post, "about what is lost")
    await comments.added(alice, people.lost_post, "a reply", people.lost_comment)
    await bob.like(people.lost_post)
    await saves.save(bob, people.lost_post)
    await zoe.like(people.videos[1])
    await posts.published(zoe, "of a lost user")


async def test_an_older_dump_beside_redis(tmp_path: Path) -> None:
    settings = EventSettings(private_addresses=True)
    async with receiver() as server, installed(tmp_path, events=settings) as host:
        await host.run(f"plaudit webhooks add hook http://127.0.0.1:{server.port}/hook")
        async with connected(host) as (api, state):
            people = await before_the_dump(api)
            await settled(state)
            await follow(host, "Make a dump")
            await lose(api, state, people)
            await settled(state)
            lost_events = ids_of(server)
            host.set("PLAUDIT_JOURNAL_TAIL_SECONDS", "600")  # however slow the machine is
            await host.run("systemctl restart plaudit-worker@19001 plaudit-worker@19002")
            await keep(people)
            await settled(state)
            sent = ids_of(server)
            await host.run("systemctl stop 'plaudit-worker@*'")
            await wait(people)
            await wait_about_what_will_be_lost(people)

        await follow(host, STOP, DUMP, *AFTERWARDS)

        await writes_through_redis(host)
        letters = json.loads(await host.run("plaudit dead-letters list --json 2> /dev/null"))
        async with connected(host) as (api, state):
            await settled(state)
            again = ids_of(server)[len(sent) :]
            await check_what_is_kept(api)
            await check_what_is_lost(api, people, letters)
            await settled(state)
        assert {*sent[len(lost_events) :]} < {*again}, "events of the journals are sent again, with their ids"
        assert {*lost_events} & {*again} == set(), "what is lost has no events"
        await host.run("plaudit reconcile")


async def check_what_is_kept(api: Api) -> None:
    """Checks what the dump and the journals had, as users see it."""
    alice, bob, nobody = api.person("alice"), api.person("bob"), api.person(None)
    first, second = await videos(nobody, "v1"), await videos(nobody, "v2")
    assert await posts.on_profile(nobody, "alice") == ["kept", "backed up"]
    assert await posts.on_profile(nobody, "bob") == ["waited"]
    (pinned,) = await pinned_posts.pinned_by(nobody, "alice")
    assert await comments.read(nobody, pinned, "OLDEST") == ["kept", "waited"]
    assert (await policy_of(nobody, pinned))[0] == "FOLLOWED"
    assert (await nobody.ask(SEEN, id=first["id"]))["node"]["likeCount"] == 2, "the lost unlike did not happen"
    assert await saves.seen(alice, second["id"]) == (1, True), "bob's save is lost"
    assert [name for _, name, _ in await collections.own(alice)] == ["waited"]
    assert (await bob.ask("{ viewer { blocks { nodes { handle } } } }"))["viewer"]["blocks"]["nodes"] == [
        {"handle": "carol"}
    ]
    assert (await bob.ask(PROFILE, h="alice"))["user"] == {"bio": "", "viewerRelation": "FRIENDS"}


async def check_what_is_lost(api: Api, people: Community, letters: list[dict[str, Any]]) -> None:
    """Checks what the guide says of changes that are later than the dump and not in the journals."""
    alice, bob, zoe, nobody = [api.person(handle) for handle in ("alice", "bob", "zoe", None)]
    second = people.videos[1]
    assert [letter["error"] for letter in letters if "has no row yet" not in letter["error"]] == []
    assert len(letters) == 1, "the edit of the lost post"
    assert await posts.seen(alice, people.lost_post) is None
    assert await comments.text_of(bob, people.lost_comment) is None
    assert await videos(nobody, "v3") is None
    assert (await nobody.ask('{ user(handle: "zoe") { id } }'))["user"] is None
    assert {"text": "of a lost user", "author": None} in (await nobody.ask(SQUARE))["square"]["nodes"]
    assert (await nobody.ask(SEEN, id=second))["node"]["likeCount"] == 1, "the like of the lost user"
    assert await zoe.id() != people.ids["zoe"]

    repeated = await bob.react("like", second, key="lost-like")
    assert (repeated["userErrors"], repeated["target"]["viewerReaction"]) == ([], None)
    assert (await bob.ask(REACT % "like", id=second))["like"]["target"]["viewerReaction"] == "LIKE"
    assert (await posts.publish(alice, "lost"))["userErrors"][0]["code"] == "TARGET_DELETED"


async def videos(viewer: Person, key: str) -> Any:
    """Returns an entity by its key, None if it is not registered."""
    return (await viewer.ask('query ($k: String!) { entity(business: "video", key: $k) { id } }', k=key))["entity"]
