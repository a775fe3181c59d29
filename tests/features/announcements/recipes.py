"""Recipes, whose business has `in_feeds`, and the requests that register them and read their announcements."""

from typing import Any

from tests.support.removing import remove
from tests.support.system import Person, System
from workers.announcements import announce

BUSINESSES = """
[[business]]
id = 100
name = "video"
counters = [{ id = 100, name = "plays", once_per_hour = true }]

[[business]]
id = 104
name = "recipe"
in_feeds = true
counters = [{ id = 104, name = "cooked" }]
reactions = [{ id = 3, name = "❤️", is_like = true }, { id = 4, name = "😂" }]

[[business]]
id = 105
name = "clip"
in_feeds = true
moderation = false
dislikes = false
"""
REGISTER = """mutation ($e: [EntityInput!]!) { registerEntities(entities: $e) {
  entities { id } userErrors { code field } } }"""
OWNERS = "mutation ($u: [UserInput!]!) { registerUsers(users: $u) { userErrors { message } } }"
POST = """fragment Shown on Post {
  id text announcesEntity auditStatus author { handle } entity { id likeCount commentCount }
  likeCount dislikeCount viewerReaction saveCount viewerSaved viewCount shareCount commentCount rootCommentCount
  commentsClosed commentPolicy viewerCanComment viewerMutesThread cooked: actionCount(action: "cooked")
  likers { nodes { handle } } comments(sort: NEWEST) { nodes { text } } pinnedComment { text } }"""
PROFILE = "query ($h: String!) { user(handle: $h) { postCount posts(first: 30) { nodes { ...Shown } } } }" + POST
NODE = "query ($id: ID!) { node(id: $id) { ...Shown } }" + POST


def service(system: System) -> Person:
    return system.person("service", "entities:write", "users:write")


async def register(
    system: System, *keys: str, owner: str | None = "olga", business: str = "recipe", **more: Any
) -> Any:
    """Registers entities whose titles are their keys, and lets the workers finish. Returns their ids."""
    if owner:
        await service(system).ask(OWNERS, u=[{"externalId": owner, "handle": owner}])
    one = {"business": business, **({"owner": {"externalId": owner}} if owner else {}), **more}
    payload = (await service(system).ask(REGISTER, e=[{"key": key, "title": key, **one} for key in keys]))[
        "registerEntities"
    ]
    assert payload["userErrors"] == []
    await finish(system)
    return [entity["id"] for entity in payload["entities"]]


async def change(system: System, key: str, **fields: Any) -> None:
    """Registers a recipe again with these fields, and lets the workers finish."""
    payload = await service(system).ask(REGISTER, e=[{"business": "recipe", "key": key, **fields}])
    assert payload["registerEntities"]["userErrors"] == []
    await finish(system)


async def take_away(system: System, *ids: str) -> None:
    """Removes entities, and lets the workers finish."""
    await remove(service(system), *ids)
    await finish(system)


async def finish(system: System) -> None:
    """Lets the workers publish, change and delete all announcements that are due, and store them."""
    await system.drain()
    while await announce(system.state, lambda: True):
        await system.drain()


async def posts_of(system: System, handle: str = "olga", reader: str | None = "reader") -> list[Any]:
    """Returns the posts of a user, newest first, as a reader sees them."""
    return list((await system.person(reader).ask(PROFILE, h=handle))["user"]["posts"]["nodes"])


async def titles(system: System, handle: str = "olga", reader: str | None = "reader") -> list[str]:
    """Returns the texts of a user's posts, newest first, as a reader sees them."""
    return [post["text"] for post in await posts_of(system, handle, reader)]
