"""Posts and comments that wait for approval, become public, and are withdrawn in every possible way.

Alice writes the posts and comments, which mention bob. Bob follows alice, likes them and replies to them. Olga owns the
subjects.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field

from identity import auth
from tests.features.visibility.things import Sight, State, Thing, Viewer
from tests.support.collections import created, save_into
from tests.support.comments import add, delete
from tests.support.comments import edit as edit_comment
from tests.support.content_follows import follow_topics
from tests.support.follows import follow_people
from tests.support.pinned_comments import pin
from tests.support.pinned_posts import pin_all
from tests.support.posts import delete as delete_post
from tests.support.posts import edit, publish
from tests.support.quotes import quoted
from tests.support.search import stored
from tests.support.system import System

MODERATE = """mutation ($id: ID!, $decision: ModerationDecision!) {
  moderate(input: {targetId: $id, decision: $decision, reason: "because"}) { userErrors { code } } }"""
CLOSE = """mutation { registerEntities(entities: [{business: "video", key: "closed", commentsClosed: true}]) {
  userErrors { code } } }"""
BOTH = ("post", "comment")


def viewers(system: System) -> dict[str, Viewer]:
    """Returns all viewers by role."""

    def viewer(name: str, handle: str | None, scopes: str = "", businesses: str = "") -> Viewer:
        token = handle and auth.mint(system.settings, handle, scopes=scopes.split(), businesses=businesses.split())
        headers = {"authorization": f"Bearer {token}"} if token else {}
        moderates = frozenset(businesses.split() or BOTH) & {*BOTH} if "moderate" in scopes.split() else frozenset()
        restricted = frozenset(businesses.split()) if businesses else None
        return Viewer(system.http, handle or "", headers, name, moderates, restricted)

    all_viewers = [
        viewer("anonymous", None),
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
    return {found.name: found for found in all_viewers}


@dataclass
class VisibilityCase:
    """A system with its viewers, and with posts and comments that are hidden at some time."""

    system: System
    viewers: dict[str, Viewer]
    things: list[Thing]
    subjects: list[str]
    """The ids of olga's subjects: a video, a video that is closed at the end, and a post."""
    root: str = ""
    """The id of olga's comment on the open video, which gets replies."""
    phantoms: dict[str, str] = field(default_factory=dict)
    """For each thing's id, a similar id that names no object."""

    @property
    def ids(self) -> list[str]:
        """The ids of all objects, and the phantom ids."""
        return [*(thing.id for thing in self.things), *self.subjects, self.root, *self.phantoms.values()]

    def add(self, thing: Thing) -> None:
        """Adds a thing and its phantom id."""
        self.things.append(thing)
        number = self.system.state.new_id()
        phantom = f"{thing.id.rpartition('.')[0]}.{number}" if thing.subject else f"Post:{number}"
        self.phantoms[thing.id] = phantom

    def with_fate(self, fate: State) -> list[Thing]:
        """Returns the things that are withdrawn in one way."""
        return [thing for thing in self.things if thing.fate is fate]

    @property
    def edited(self) -> list[Thing]:
        """The post and the comment that were public, and wait again after an edit."""
        return [self.thing(f"dubious {what} waiting again for @bob") for what in ("post", "comment")]

    def thing(self, text: str) -> Thing:
        """Returns the thing with this text."""
        return next(thing for thing in self.things if thing.text == text)


_FATES = (State.REJECTED, State.DELETED, State.WAITING)


async def pending_case(system: System) -> VisibilityCase:
    """Returns a case whose things are written and wait for approval."""
    case = VisibilityCase(system, viewers(system), [], [])
    alice, bob, olga, sam = (case.viewers[name] for name in ("author", "follower", "owner", "stranger"))
    await follow_people(bob, alice)
    await follow_people(sam, bob)
    case.subjects = await system.videos("open", "closed", owner="olga")
    video, closed = case.subjects
    case.subjects.append(await _published(olga, "olga's post"))
    case.root = await _comment(olga, video, "olga's comment")
    await stored(system)
    await fill_inboxes(case)
    places = [("open", video, None), ("closed", closed, None), ("post", case.subjects[2], None)]
    for fate in _FATES:
        await _write_post(case, alice, fate, "", "hush")
        for name, subject, to in [*places, ("below", video, case.root)]:
            await _write(case, alice, f"dubious, {name}, {fate.value} for @bob", fate, subject, to)
        await _write(case, alice, f"dubious, answered, {fate.value} for @bob", fate, video)
    await _write_post(case, alice, State.WAITING, " again", "hush")
    await _write(case, alice, "dubious comment waiting again for @bob", State.WAITING, video)
    await _write_post(case, alice, State.PUBLIC, "", "hush")
    await _write(case, alice, "dubious, public for @bob", State.PUBLIC, video, kept=True)
    return case


async def publish_early_reply(case: VisibilityCase) -> None:
    """Publishes a reply of alice to her own comment, which still waits for approval."""
    root = case.thing("dubious, answered, waiting for @bob")
    await _reply(case, case.viewers["author"], root)
    await stored(case.system)
    root.replies[0].state = State.PUBLIC


async def publish_all(case: VisibilityCase) -> None:
    """Approves all things except those that stay pending. Adds replies, likes, saves and pins."""
    bob, alice, video = case.viewers["follower"], case.viewers["author"], case.subjects[0]
    edited = case.edited
    for thing in case.things:
        if thing.state is State.WAITING and (thing.fate is not State.WAITING or thing in edited):
            await _decide(case, thing, "APPROVE")
            thing.state = State.PUBLIC
    await stored(case.system)
    for viewer in (case.viewers["stranger"], bob, alice):
        await follow_topics(viewer, "hush")
    for fate in (State.REJECTED, State.DELETED):
        await _reply(case, bob, case.thing(f"dubious, answered, {fate.value} for @bob"))
        below = case.thing(f"dubious, below, {fate.value} for @bob")
        await _write(case, bob, f"bob's answer to the {fate.value}", State.PUBLIC, video, below.id, kept=True)
        post = case.thing(f"dubious post {fate.value} for @bob")
        await _write(case, bob, f"bob's comment on the {fate.value}", State.PUBLIC, post.id)
    await _write(case, bob, "bob's comment on the edited", State.PUBLIC, edited[0].id)
    await stored(case.system)
    await _pin(case)
    collection = await created(bob, "public", public=True)
    for thing in case.things:
        thing.state = State.PUBLIC if thing.fate is State.PUBLIC else thing.state
        if thing.state is State.PUBLIC:
            if thing.business == "post":
                await quoted(bob, thing.id, f"bob quotes {case.things.index(thing)}")
            assert (await bob.like(thing.id))["userErrors"] == []
            await save_into(bob, collection, thing.id)
    await alice.like(case.root)
    await stored(case.system)


async def withdraw(case: VisibilityCase) -> None:
    """Rejects, deletes or edits each thing, as its `fate` says."""
    alice = case.viewers["author"]
    for thing in case.edited:
        change = edit if thing.business == "post" else edit_comment
        assert (await change(alice, thing.id, text=thing.text + "!"))["userErrors"] == []
        thing.state = State.WAITING
    for thing in case.with_fate(State.REJECTED):
        await _decide(case, thing, "REJECT")
        thing.state = State.REJECTED
    never_seen = case.thing("dubious, open, waiting for @bob")
    for thing in [*case.with_fate(State.DELETED), never_seen]:
        payload = await (delete_post if thing.business == "post" else delete)(alice, thing.id)
        assert payload["userErrors"] == []
        thing.state = State.DELETED
    assert (await case.viewers["service"].ask(CLOSE))["registerEntities"]["userErrors"] == []
    await stored(case.system)


async def withdrawn_case(system: System) -> VisibilityCase:
    """Returns a case whose things were public and are withdrawn."""
    case = await pending_case(system)
    await stored(system)
    await publish_early_reply(case)
    await publish_all(case)
    await withdraw(case)
    return case


async def fill_inboxes(case: VisibilityCase) -> None:
    """Reads home and notifications as every viewer, so that later posts are pushed into the inboxes."""
    query = "{ viewer { home { nodes { id } } notifications { nodes { id } } } }"
    await asyncio.gather(*[viewer.ask(query) for viewer in case.viewers.values()])


async def _published(author: Viewer, text: str, *topics: str, **more: str) -> str:
    return str((await publish(author, text, *topics, **more))["post"]["id"])


async def _comment(author: Viewer, subject: str, text: str, to: str | None = None) -> str:
    return str((await add(author, subject, text, to))["comment"]["id"])


async def _write_post(case: VisibilityCase, author: Viewer, fate: State, more: str, *topics: str) -> None:
    thing = Thing("post", author.handle, f"dubious post {fate.value}{more} for @bob", fate, kept=fate is State.PUBLIC)
    thing.id = await _published(author, thing.text, *topics, quoteOf=case.subjects[2])
    case.add(thing)


async def _write(
    case: VisibilityCase,
    author: Viewer,
    text: str,
    fate: State,
    subject: str,
    to: str | None = None,
    *,
    kept: bool = False,
) -> Thing:
    above = next((thing for thing in case.things if thing.id == to), None)
    root = above.root if above and above.root else to
    on = next((thing for thing in case.things if thing.id == subject), None)
    thing = Thing("comment", author.handle, text, fate, subject=subject, on=on, root=root, above=above, kept=kept)
    thing.id = await _comment(author, subject, text, to)
    case.add(thing)
    return thing


async def _reply(case: VisibilityCase, author: Viewer, root: Thing) -> None:
    """Adds a reply that stays public."""
    text = f"{author.handle}'s answer to {root.text}"
    reply = await _write(case, author, text.replace("dubious", ""), State.PUBLIC, case.subjects[0], root.id, kept=True)
    root.replies.append(reply)


async def _pin(case: VisibilityCase) -> None:
    """Pins alice's posts, and a comment of hers on each of olga's subjects."""
    alice, olga = case.viewers["author"], case.viewers["owner"]
    await pin_all(alice, *(case.thing(f"dubious post {what} for @bob").id for what in ("rejected", "deleted")))
    await pin_all(alice, case.edited[0].id)
    for text in ("open, rejected", "closed, deleted", "post, rejected"):
        assert (await pin(olga, case.thing(f"dubious, {text} for @bob").id))["userErrors"] == []


async def _decide(case: VisibilityCase, thing: Thing, decision: str) -> None:
    payload = await case.viewers["moderator"].ask(MODERATE, id=thing.id, decision=decision)
    assert payload["moderate"]["userErrors"] == []


def with_sight(things: Iterable[Thing], viewer: Viewer, *sights: Sight) -> list[Thing]:
    """Returns the things that the viewer sees in one of these ways."""
    return [thing for thing in things if thing.sight(viewer) in sights]
