"""Alice, who has done everything that Plaudit keeps, and others, who have secrets."""

from dataclasses import dataclass

from tests.support.actions import record
from tests.support.appeals import appeal
from tests.support.appeals import decide as decide_appeal
from tests.support.boundaries import block, mute, mute_thread
from tests.support.collections import created, save_into
from tests.support.comments import added
from tests.support.comments import delete as delete_comment
from tests.support.content_follows import follow_entities, follow_topics, show_topics_in_home
from tests.support.follows import follow
from tests.support.hiding_words import hide, mute_words
from tests.support.pinned_posts import pin_post
from tests.support.posts import decide, delete, edit, publish, published
from tests.support.private_accounts import make_private
from tests.support.reports import reported, resolve
from tests.support.reposts import mute_reposts, repost
from tests.support.saves import save
from tests.support.suggestions import dismiss
from tests.support.suspensions import moderator, suspend
from tests.support.system import Person, System
from tests.support.user_search import set_discoverable

PROFILE = """mutation ($handle: String!, $name: String!) {
  updateProfile(input: {handle: $handle, displayName: $name}) { userErrors { code } } }"""
PREFERENCES = """mutation {
  setNotificationPreferences(input: {preferences: [
    {kind: LIKE, enabled: false}, {kind: COMMENT, enabled: true, onlyFollowed: true}]}) { userErrors { code } }
  setQuietHours(input: {quietHours: {from: "22:00", to: "07:00", timeZone: "Asia/Shanghai"}}) { userErrors { code } }
  setLanguage(input: {language: "zh-Hans"}) { userErrors { code } } }"""
SAVE_QUEUE = 'mutation { saveQueue(input: {name: "old spam", source: REPORTS}) { userErrors { code } } }'
NOTIFY = """mutation ($id: ID!) { setPostNotifications(input: {userId: $id, enabled: true}) { userErrors { code } } }"""
WARN = """mutation ($id: ID!) { warnUser(input: {userId: $id, reason: "be kind"}) { userErrors { code } } }"""
SECRET = "tulip"
"""The word in all texts of others, and in the ids of others at the identity provider."""


@dataclass
class Scene:
    """Alice and the ids of her content and of the others."""

    alice: Person
    user: str
    posts: list[str]
    """Alice's posts: a pinned one, one that was rejected and appealed against, and one that she deleted."""
    comments: list[str]
    """Alice's comments: on bob's post, below it, and one that bob deleted."""
    collection: str
    video: str
    others: dict[str, str]
    """The ids of other users by handle."""
    theirs: dict[str, str]
    """The ids of the posts of others by handle of the author."""


async def _person(system: System, handle: str) -> Person:
    """Returns a person whose id at the identity provider is secret."""
    person = system.person(f"{SECRET}_{handle}")
    assert (await person.ask(PROFILE, handle=handle, name=handle.title()))["updateProfile"]["userErrors"] == []
    return person


async def made(system: System) -> Scene:
    """Makes the scene. Bob is followed, carol blocks alice and is muted by her, dave is blocked and blocks her too,
    erin's private account is asked, frank's account became private, greta is followed and suspended. Mia moderates, and
    henry reports.
    """
    alice = system.person("alice", device_id="device-of-alice", client_kind="ios")
    people = {
        name: await _person(system, name) for name in ("bobby", "carol", "dave", "erin", "frank", "greta", "henry")
    }
    mia, user = moderator(system), await alice.id()
    others = {name: await person.id() for name, person in people.items()} | {"mia": await mia.id()}
    bob, carol, dave, erin, frank, _, henry = people.values()
    theirs = {name: (await published(one, f"{SECRET} of {name}"))[0] for name, one in people.items()}
    (video,) = await system.videos("v1")
    await system.drain()
    await make_private(erin)
    await follow(alice, *(others[name] for name in ("bobby", "erin", "greta")))
    await follow(bob, user)
    for target in (video, *theirs.values()):
        await alice.like(target)
    await alice.unlike(theirs["henry"])
    posts = await published(alice, "my first words", "my rejected post", "my deleted post")
    await edit(alice, posts[0], text="my pinned post")
    await publish(henry, f"{SECRET} about cats", "cats")
    await system.drain()
    await follow_topics(alice, "cats")
    await follow_entities(alice, video)
    await show_topics_in_home(alice)
    await set_discoverable(alice, False)
    comments = [await added(alice, theirs["bobby"], "my comment")]
    await system.drain()
    comments += [await added(alice, theirs["bobby"], "my reply", comments[0])]
    comments += [await added(alice, theirs["bobby"], "my comment that bob deletes")]
    collection = await created(alice, "my favourites")
    await save_into(alice, collection, theirs["bobby"])
    await save(alice, video)
    await record(alice, "recordViews", video)
    await alice.ask(PREFERENCES)
    await mute(alice, others["carol"])
    await mute(alice, others["frank"], until="2090-01-01T00:00:00Z")
    await mute_thread(alice, posts[0])
    for name in ("bobby", "dave"):
        await alice.ask(NOTIFY, id=others[name])
    await repost(alice, theirs["bobby"])
    await mute_reposts(alice, others["bobby"])
    await dismiss(alice, others["greta"])
    await hide(alice, theirs["bobby"], "showLess")
    await system.person("alice", "moderate").ask(SAVE_QUEUE)
    await mute_words(alice, "spoiler", until="2090-01-01T00:00:00Z")
    await pin_post(alice, posts[0])
    await system.drain()
    await added(henry, posts[0], f"{SECRET} comment for @alice")
    await henry.like(posts[0])
    await published(bob, f"{SECRET} for @alice")
    await delete_comment(bob, comments[2])
    await delete(alice, posts[2])
    await reported(henry, posts[1], note=f"{SECRET} note")
    await reported(henry, user, note=f"{SECRET} note about her")
    await reported(alice, theirs["henry"], "HARASSMENT", "my note")
    await system.drain()
    await resolve(mia, user, "ACCEPT")
    await resolve(mia, theirs["henry"], "DISMISS")
    await decide(mia, posts[1], "REJECT", "off topic")
    await system.drain()
    await appeal(alice, posts[1], "my appeal")
    await system.drain()
    assert await decide_appeal(system.person("max", "moderate"), posts[1], "REJECT") == []
    await mia.ask(WARN, id=user)
    await suspend(mia, user, "READ_ONLY", "2090-01-01T00:00:00Z", "flooding")
    await suspend(mia, user, "SHADOW", None, f"{SECRET} of moderators")
    await make_private(frank)
    await block(carol, user)
    await block(dave, user)
    await block(alice, others["dave"])
    await suspend(mia, others["greta"], "HIDDEN", reason=f"{SECRET} about greta")
    await system.drain()
    return Scene(alice, user, posts, comments, collection, video, others, theirs)
