"""The statements of docs/operate/erase.md remove a person's data, and reconciliation repairs what they leave."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import BigInteger

from models import METADATA
from tests.support.actions import share, view
from tests.support.comments import added
from tests.support.follows import follow
from tests.support.posts import publish
from tests.support.reconciliation import drift, execute
from tests.support.stores import standalone
from tests.support.system import Person, System

PAGE = Path(__file__).parents[2] / "docs" / "operate" / "erase.md"
OF_USERS = re.compile(
    r"(user|author|actor|owner|prev_owner|reporter|moderator|assignee|follower|followee|blocker|blocked|muted)_id"
    r"|lo|hi|subject_owner|deleted_by|replied_to"
)
"""The names of columns with ids of users."""
OF_OTHERS = re.compile(
    r"(entity|collection|prev_collection|comment|post|topic|subject|root|parent|pinned|notification|untold|log)_id"
    r"|\w*(version|moment|_ms|position|_through|_after)|since|value|weight|score|bytes|added|bucket|content|reached|removed"
    r"|generation|epoch|head|direct|drained|requests|actor_count"
)
"""The names of other columns with large numbers. Add the name of a new column here or above."""
TRACES = "alice", "secret", "alices-phone"
"""Texts that only data about alice contains."""
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


def statements(user_id: str) -> list[str]:
    """Returns the statements of the page for one user, without the commands for transactions."""
    (block,) = re.findall(r"^```sql\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    commands = [one.strip().replace(":user", user_id) for one in block.split(";")]
    return [one for one in commands if one and one not in ("BEGIN", "COMMIT")]


async def act(system: System, alice: Person, bob: Person) -> tuple[str, str]:
    """Lets alice do everything that leaves data about her. Returns the ids of the video and of her post."""
    (video,) = await system.videos("v1", owner="alice")
    await follow(alice, await bob.id())
    await follow(bob, await alice.id())
    post = (await publish(alice, "a secret thought", "music"))["post"]["id"]
    bobs = (await publish(bob, "good morning"))["post"]["id"]
    await system.drain()
    comment = await added(alice, video, "a secret remark")
    await system.drain()
    await added(bob, video, "an answer", comment)
    for target in (video, bobs):
        await alice.like(target)
    await bob.like(post)
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


def test_the_page_names_each_table_with_ids_of_users() -> None:
    page = PAGE.read_text(encoding="utf-8")
    changed = set(re.findall(r"(?:UPDATE|DELETE FROM) (\w+)", page))
    stay = set(re.findall(r"`(\w+)`", page.partition("What stays")[2]))
    columns = [(table.name, column) for table in METADATA.sorted_tables for column in table.columns]
    ids = [(table, column.name) for table, column in columns if isinstance(column.type, BigInteger)]

    assert not {name for _, name in ids if not OF_USERS.fullmatch(name) and not OF_OTHERS.fullmatch(name)}
    assert not {table for table, name in ids if OF_USERS.fullmatch(name)} - changed - stay


@standalone
async def test_no_data_about_an_erased_person_is_left(system: System) -> None:
    alice, bob = system.person("alice", device_id="alices-phone"), system.person("bob")
    video, post = await act(system, alice, bob)
    before = await stored(system)
    assert all(trace in before for trace in TRACES)

    number = (await alice.id()).removeprefix("User:")
    await execute(system, *statements(number))
    await drift(system, repair=True)

    assert await drift(system) == {}
    after = await stored(system)
    assert [trace for trace in TRACES if trace in after] == []
    seen = await bob.ask(SEEN, video=video, post=post)
    assert (seen["user"], seen["post"]) == (None, None)
    entity, me = seen["node"], seen["viewer"]["user"]
    assert [entity[name] for name in ("likeCount", "viewCount", "shareCount", "commentCount")] == [0, 0, 0, 1]
    assert (entity["owner"], entity["likers"]["nodes"]) == (None, [])
    assert entity["comments"]["nodes"] == [{"text": None, "deleted": True, "author": None, "replyCount": 1}]
    assert [me[name] for name in ("followerCount", "followingCount", "likesReceivedCount")] == [0, 0, 0]
    assert len(seen["viewer"]["home"]["nodes"]) == len(seen["square"]["nodes"]) == 1
