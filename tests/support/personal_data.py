"""A person who leaves data everywhere, and all that is stored."""

from collections.abc import Callable
from typing import Any

from tests.support.actions import share, view
from tests.support.comments import added, edit
from tests.support.content_follows import follow_entities, follow_topics, show_topics_in_home
from tests.support.follows import follow
from tests.support.hiding_words import hide, mute_words
from tests.support.posts import publish
from tests.support.system import Person, System
from tests.support.user_search import set_discoverable

SAVE = 'mutation { saveQueue(input: {name: "a secret queue"}) { userErrors { code } } }'
TRACES = "alice", "secret", "alices-phone", "zh-Hans", "Asia/Shanghai"
"""Texts that only data about alice contains."""
WARNED = "mutation ($input: PublishPostInput!) { publishPost(input: $input) { userErrors { code } } }"
PREFERENCES = """mutation { setLanguage(input: {language: "zh-Hans"}) { userErrors { code } }
  setQuietHours(input: {quietHours: {from: "22:00", to: "07:00", timeZone: "Asia/Shanghai"}}) { userErrors { code } }
}"""
SEEN = """query ($video: ID!, $post: ID!) {
  user(handle: "alice") { id } post: node(id: $post) { id } square { nodes { id } }
  node(id: $video) { ... on Entity { likeCount viewCount shareCount commentCount owner { handle }
    likers { nodes { handle } } comments { nodes { text deleted author { handle } replyCount } } } }
  viewer { home { nodes { id } } notifications { nodes { message actors { handle } } }
    user { followerCount followers { nodes { handle } } followingCount likesReceivedCount } }
}"""
READS: dict[bytes, Callable[[bytes], tuple[Any, ...]]] = {
    b"string": lambda key: ("GET", key),
    b"hash": lambda key: ("HGETALL", key),
    b"list": lambda key: ("LRANGE", key, 0, -1),
    b"set": lambda key: ("SMEMBERS", key),
    b"zset": lambda key: ("ZRANGE", key, 0, -1),
    b"stream": lambda key: ("XRANGE", key, "-", "+"),
}
"""The command that reads a key of each type."""


async def act(system: System, alice: Person, bob: Person) -> tuple[str, str]:
    """Lets alice do everything that leaves data about her. Returns the ids of the video and of her post."""
    (video,) = await system.videos("v1", owner="alice")
    await follow(alice, await bob.id())
    await follow(bob, await alice.id())
    post = (await publish(alice, "a secret thought", "music"))["post"]["id"]
    told = {"text": "careful", "contentWarning": "a secret warning", "idempotencyKey": "careful"}
    assert (await alice.ask(WARNED, input=told))["publishPost"]["userErrors"] == []
    bobs = (await publish(bob, "good morning"))["post"]["id"]
    await system.drain()
    comment = await added(alice, video, "a secret first remark")
    await edit(alice, comment, text="a secret remark")
    await system.drain()
    await added(bob, video, "an answer", comment)
    for target in (video, bobs):
        await alice.like(target)
    await bob.like(post)
    await follow_topics(alice, "music")
    await follow_entities(alice, video)
    await show_topics_in_home(alice)
    await set_discoverable(alice, False)
    await mute_words(alice, "a secret word")
    await hide(alice, bobs)
    await alice.ask(PREFERENCES)
    await system.person("alice", "moderate").ask(SAVE)
    await view(alice, video)
    await share(alice, video)
    await system.drain()
    for person in (alice, bob):
        await person.ask(SEEN, video=video, post=post)
    return video, post


async def stored(system: System) -> str:
    """Returns all rows of all tables, and all keys and values of Redis, as one text."""
    tables = await system.rows("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    rows = [await system.rows(f"SELECT t::text FROM {table} t") for (table,) in tables]  # noqa: S608 - our own names
    client = system.state.redis.client
    types = [(key, await client.type(key)) for key in await client.keys("*")]
    reads = [READS[of](key) for key, of in types if of != b"none"]  # a key may have expired since it was listed
    return repr((rows, [(read, await client.execute_command(*read)) for read in reads]))
