"""A world in which everything waits for approval, then is public, and then is withdrawn in every way there is.

What is hidden is alice's, and mentions bob: he follows her, likes and answers all of it. Olga owns
what is talked about.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field

from identity import auth
from tests.support.comments import add, delete
from tests.support.follows import follow_people
from tests.support.posts import delete as delete_post
from tests.support.posts import edit, publish
from tests.support.system import System
from tests.visibility.things import Sight, State, Thing, Viewer

MODERATE = """mutation ($id: ID!, $decision: ModerationDecision!) {
  moderate(input: {targetId: $id, decision: $decision, reason: "because"}) { userErrors { code } } }"""
CLOSE = """mutation { registerEntities(entities: [{business: "video", key: "closed", commentsClosed: true}]) {
  userErrors { code } } }"""
BOTH = ("post", "comment")


def viewers(system: System) -> dict[str, Viewer]:
    """Everybody who looks, by what they are."""

    def viewer(name: str, handle: str | None, scopes: str = "", businesses: str = "") -> Viewer:
        token = handle and auth.mint(system.settings, handle, scopes=scopes.split(), businesses=businesses.split())
        headers = {"authorization": f"Bearer {token}"} if token else {}
        moderates = frozenset(businesses.split() or BOTH) & {*BOTH} if "moderate" in scopes.split() else frozenset()
        restricted = frozenset(businesses.split()) if businesses else None
        return Viewer(system.http, handle or "", headers, name, moderates, restricted)

    everybody = [
        viewer("nobody", None),
        viewer("stranger", "sam"),
        viewer("author", "alice"),
        viewer("author, for videos", "alice", businesses="video"),
        viewer("follower", "bob"),
        viewer("owner", "olga"),
        viewer("moderator", "mia", "moderate"),
        viewer("moderator of posts", "pia", "moderate", "post"),
        viewer("moderator of comments", "cleo", "moderate", "comment"),
        viewer("moderator of videos", "vic", "moderate", "video"),
        viewer("service", "registrar", "users:write entities:write"),
    ]
    return {one.name: one for one in everybody}


@dataclass
class World:
    """The system, who is in it, and the things."""

    system: System
    viewers: dict[str, Viewer]
    things: list[Thing]
    subjects: list[str]
    """Ids of what is talked about, all of it olga's: a video, one that is closed at the end, a post."""
    root: str = ""
    """Olga's comment on the open video, below which things are replies."""
    phantoms: dict[str, str] = field(default_factory=dict)
    """Well-formed ids of nothing, by the ids of the things that they look like."""

    @property
    def ids(self) -> list[str]:
        """Of all that there is, and of what never was."""
        return [*(thing.id for thing in self.things), *self.subjects, self.root, *self.phantoms.values()]

    def add(self, thing: Thing) -> None:
        """One more, and what looks like it."""
        self.things.append(thing)
        number = self.system.state.new_id()
        like_it = f"{thing.id.rpartition('.')[0]}.{number}" if thing.subject else f"Post:{number}"
        self.phantoms[thing.id] = like_it

    def fated(self, fate: State) -> list[Thing]:
        """What is to be withdrawn in one way."""
        return [thing for thing in self.things if thing.fate is fate]

    def thing(self, text: str) -> Thing:
        """By what it says."""
        return next(thing for thing in self.things if thing.text == text)


_FATES = (State.REJECTED, State.DELETED, State.WAITING)


async def waiting(system: System) -> World:
    """Everything has been written, and waits; but for what was written below it."""
    world = World(system, viewers(system), [], [])
    alice, bob, olga, sam = (world.viewers[name] for name in ("author", "follower", "owner", "stranger"))
    await follow_people(bob, alice)
    await follow_people(sam, bob)
    world.subjects = await system.videos("open", "closed", owner="olga")
    video, closed = world.subjects
    world.subjects.append(await _published(olga, "olga's post"))
    world.root = await _said(olga, video, "olga's comment")
    await system.drain()
    await look(world)
    places = [("open", video, None), ("closed", closed, None), ("post", world.subjects[2], None)]
    for fate in _FATES:
        await _write_post(world, alice, fate, "", "hush")
        for name, subject, to in [*places, ("below", video, world.root)]:
            await _write(world, alice, f"dubious, {name}, {fate.value} for @bob", fate, subject, to)
        await _write(world, alice, f"dubious, answered, {fate.value} for @bob", fate, video)
    await _write_post(world, alice, State.WAITING, " again", "hush")  # an edit makes it wait
    await _write_post(world, alice, State.PUBLIC, "", "hush")
    await _write(world, alice, "dubious, public for @bob", State.PUBLIC, video, kept=True)
    return world


async def approved_below(world: World) -> None:
    """Alice has answered herself: that is public, and what it answers waits."""
    root = world.thing("dubious, answered, waiting for @bob")
    await _reply(world, world.viewers["author"], root)
    await world.system.drain()
    root.replies[0].state = State.PUBLIC


async def publicised(world: World) -> None:
    """Everything is public, but for what never will be; it is answered, liked, and mentioned."""
    bob, alice, video = world.viewers["follower"], world.viewers["author"], world.subjects[0]
    edited = world.thing("dubious post waiting again for @bob")
    for thing in world.things:
        if thing.state is State.WAITING and (thing.fate is not State.WAITING or thing is edited):
            await _decide(world, thing, "APPROVE")
            thing.state = State.PUBLIC
    await world.system.drain()
    for fate in (State.REJECTED, State.DELETED):
        await _reply(world, bob, world.thing(f"dubious, answered, {fate.value} for @bob"))
        below = world.thing(f"dubious, below, {fate.value} for @bob")
        await _write(world, bob, f"bob's answer to the {fate.value}", State.PUBLIC, video, below.id, kept=True)
        post = world.thing(f"dubious post {fate.value} for @bob")
        await _write(world, bob, f"bob's comment on the {fate.value}", State.PUBLIC, post.id)
    await _write(world, bob, "bob's comment on the edited", State.PUBLIC, edited.id)
    await world.system.drain()
    for thing in world.things:
        thing.state = State.PUBLIC if thing.fate is State.PUBLIC else thing.state
        if thing.state is State.PUBLIC:
            assert (await bob.like(thing.id))["userErrors"] == []
    await alice.like(world.root)
    await world.system.drain()


async def withdrawn(world: World) -> None:
    """Each thing has what fate has for it."""
    alice = world.viewers["author"]
    edited = world.thing("dubious post waiting again for @bob")
    assert (await edit(alice, edited.id, text=edited.text + "!"))["userErrors"] == []
    edited.state = State.WAITING
    for thing in world.fated(State.REJECTED):
        await _decide(world, thing, "REJECT")
        thing.state = State.REJECTED
    never_seen = world.thing("dubious, open, waiting for @bob")
    for thing in [*world.fated(State.DELETED), never_seen]:
        payload = await (delete_post if thing.business == "post" else delete)(alice, thing.id)
        assert payload["userErrors"] == []
        thing.state = State.DELETED
    assert (await world.viewers["service"].ask(CLOSE))["registerEntities"]["userErrors"] == []
    await world.system.drain()


async def of_fate(system: System) -> World:
    """A world in which everything has been public and is withdrawn."""
    world = await waiting(system)
    await system.drain()
    await approved_below(world)
    await publicised(world)
    await withdrawn(world)
    return world


async def look(world: World) -> None:
    """Everybody who has a home looks there: from now on they are pushed to."""
    query = "{ viewer { home { nodes { id } } notifications { nodes { id } } } }"
    await asyncio.gather(*[viewer.ask(query) for viewer in world.viewers.values()])


async def _published(author: Viewer, text: str, *topics: str) -> str:
    return str((await publish(author, text, *topics))["post"]["id"])


async def _said(author: Viewer, subject: str, text: str, to: str | None = None) -> str:
    return str((await add(author, subject, text, to))["comment"]["id"])


async def _write_post(world: World, author: Viewer, fate: State, more: str, *topics: str) -> None:
    thing = Thing("post", author.handle, f"dubious post {fate.value}{more} for @bob", fate, kept=fate is State.PUBLIC)
    thing.id = await _published(author, thing.text, *topics)
    world.add(thing)


async def _write(
    world: World, author: Viewer, text: str, fate: State, subject: str, to: str | None = None, *, kept: bool = False
) -> Thing:
    above = next((one for one in world.things if one.id == to), None)
    root = above.root if above and above.root else to
    on = next((one for one in world.things if one.id == subject), None)
    thing = Thing("comment", author.handle, text, fate, subject=subject, on=on, root=root, above=above, kept=kept)
    thing.id = await _said(author, subject, text, to)
    world.add(thing)
    return thing


async def _reply(world: World, author: Viewer, root: Thing) -> None:
    """A reply that is public to the end."""
    text = f"{author.handle}'s answer to {root.text}"
    reply = await _write(
        world, author, text.replace("dubious", ""), State.PUBLIC, world.subjects[0], root.id, kept=True
    )
    root.replies.append(reply)


async def _decide(world: World, thing: Thing, decision: str) -> None:
    payload = await world.viewers["moderator"].ask(MODERATE, id=thing.id, decision=decision)
    assert payload["moderate"]["userErrors"] == []


def hidden(things: Iterable[Thing], viewer: Viewer, *sights: Sight) -> list[Thing]:
    """Of which somebody has one of these sights."""
    return [thing for thing in things if thing.sight(viewer) in sights]
