"""Data of every kind for reconciliation to compare, and reconciliation runs."""

from dataclasses import replace
from typing import Any

from sqlalchemy import text

from tests.support.actions import share, view
from tests.support.comments import added, delete, page
from tests.support.follows import follow
from tests.support.pinned_posts import pin_post
from tests.support.posts import publish
from tests.support.saves import save, unsave
from tests.support.system import System
from workers.reconcile.run import KindTotal, ReconcileRun

LISTS = """query ($ids: [ID!]!) {
  square { nodes { id author { id handle followerCount postCount } topics { name postCount posts { nodes { id } } } } }
  user(handle: "alice") { id viewerRelation pinnedPosts { id } posts { nodes { id } }
    followers { nodes { id } } friends { nodes { id } }
    likes(business: "video") { nodes { __typename } } }
  topic(name: "cats") { postCount posts { nodes { id } } }
  entity(business: "video", key: "v1") { id }
  nodes(ids: $ids) { ... on Reactable { likeCount viewerReaction saveCount viewerSaved
    likers { nodes { id } } likedByFollowed { id } } }
  viewer { saved { nodes { targetId } } user { id handle posts { nodes { id } } } home { nodes { id } }
    notifications { nodes { id } } unreadNotificationCount } }"""


class Population:
    """The ids of a small population's data."""

    video: str
    posts: list[str]
    root: str
    reply: str


async def populate(system: System) -> Population:
    """Lets people follow, publish, comment, react, view and share. All of it is stored and cached."""
    population = Population()
    alice, bob, carol = (system.person(handle) for handle in ("alice", "bob", "carol"))
    alices, bobs, carols = [await person.id() for person in (alice, bob, carol)]
    population.video, other = await system.videos("v1", "v2", owner="owen")
    await follow(alice, bobs, carols)
    await follow(bob, alices)
    await follow(carol, alices)
    await system.drain()
    payloads = [await publish(alice, f"about {topic}", topic, "pets") for topic in ("cats", "dogs")]
    population.posts = [payload["post"]["id"] for payload in [*payloads, await publish(bob, "hello @alice", "cats")]]
    await system.drain()
    population.root = await added(bob, population.posts[0], "first")
    await added(carol, population.posts[0], "second")
    gone = await added(carol, population.video, "third")
    await system.drain()
    population.reply = await added(alice, population.posts[0], "reply", population.root)
    await added(bob, population.video, "answer", gone)
    await system.drain()
    await delete(carol, gone)
    for person in (alice, bob, carol):
        await person.react("like", population.video)
        await person.react("like", population.posts[0])
        await person.react("dislike", other)
        await save(person, population.video, population.posts[0], population.root)
        await view(person, population.video)
        await share(person, population.video, other)
    await bob.react("like", population.reply)
    await carol.unlike(population.video)
    await unsave(carol, population.video)
    await pin_post(alice, population.posts[0])
    await system.drain()
    await read(system, population)
    return population


async def read(system: System, population: Population) -> None:
    """Reads all lists twice, so that they are cached."""
    for _ in range(2):
        for handle in ("alice", "bob", "carol"):
            person = system.person(handle)
            await person.ask(LISTS, ids=[population.video, *population.posts, population.root, population.reply])
            for subject in (population.video, population.posts[0]):
                for sort in ("HOT", "NEWEST", "OLDEST"):
                    await page(person, subject, sort)
            await page(person, population.root, None)


async def drift(system: System, *only: str, repair: bool = False) -> dict[str, int]:
    """Runs reconciliation. Returns how much drift it found, by kind."""
    settings = system.settings.model_copy(update={"pending_seconds": 0.5})
    totals: dict[str, KindTotal] = await ReconcileRun(repair=repair, only=only).execute(
        replace(system.state, settings=settings)
    )
    return {kind: total.drifting for kind, total in totals.items() if total.drifting}


async def dismiss(system: System) -> None:
    """Lets the worker of `drain` give up its partitions."""
    assert system._drainer is not None
    await system._drainer.ownership.leave()


async def execute(system: System, *statements: str, **parameters: Any) -> None:
    """Executes SQL statements in Postgres."""
    async with system.state.postgres.transaction() as transaction:
        for statement in statements:
            await transaction.execute(text(statement), **parameters)
