"""Requests that follow topics and entities, and what users are shown of them."""

from typing import Any

from tests.support.system import Person

FOLLOW_TOPIC = """mutation ($id: ID!, $key: String) { %s(input: {topicId: $id, idempotencyKey: $key}) {
  topic { id name viewerFollows followerCount } userErrors { code field } } }"""
FOLLOW_ENTITY = """mutation ($id: ID!, $key: String) { %s(input: {entityId: $id, idempotencyKey: $key}) {
  entity { id viewerFollows followerCount } userErrors { code field } } }"""
IN_HOME = """mutation ($enabled: Boolean!, $key: String) { setTopicsInHome(input: {
  enabled: $enabled, idempotencyKey: $key}) { viewer { topicsInHome } userErrors { code } } }"""
FOLLOWED = """{ viewer { topicsInHome followedTopics { nodes { id name viewerFollows followerCount } }
  followedEntities { nodes { id viewerFollows followerCount } } } }"""
FEED = """query ($first: Int!, $after: String) { viewer { page: followedTopicsFeed(first: $first, after: $after) {
  edges { homeReason { kind topic { name } entity { id } } node { text } } pageInfo { hasNextPage endCursor } } } }"""
HOME = FEED.replace("followedTopicsFeed", "home")


async def change_topic(person: Person, name: str, verb: str = "followTopic", key: str | None = None) -> Any:
    """Returns the payload of followTopic or unfollowTopic. `name` is the key of the topic."""
    return (await person.ask(FOLLOW_TOPIC % verb, id=f"Topic:{name}", key=key))[verb]


async def change_entity(person: Person, id_: str, verb: str = "followEntity", key: str | None = None) -> Any:
    """Returns the payload of followEntity or unfollowEntity."""
    return (await person.ask(FOLLOW_ENTITY % verb, id=id_, key=key))[verb]


async def follow_topics(person: Person, *names: str) -> None:
    """Makes a person follow topics, given by their keys, which must succeed."""
    for name in names:
        assert (await change_topic(person, name))["userErrors"] == []


async def unfollow_topics(person: Person, *names: str) -> None:
    """Makes a person unfollow topics, given by their keys, which must succeed."""
    for name in names:
        assert (await change_topic(person, name, "unfollowTopic"))["userErrors"] == []


async def follow_entities(person: Person, *ids: str) -> None:
    """Makes a person follow entities, which must succeed."""
    for id_ in ids:
        assert (await change_entity(person, id_))["userErrors"] == []


async def show_topics_in_home(person: Person, enabled: bool = True) -> None:
    """Switches topics in home on or off, which must succeed."""
    payload = (await person.ask(IN_HOME, enabled=enabled))["setTopicsInHome"]
    assert payload == {"viewer": {"topicsInHome": enabled}, "userErrors": []}


async def followed(person: Person) -> tuple[list[str], list[str]]:
    """Returns the names of the topics and the ids of the entities that a person follows, newest follow first."""
    viewer = (await person.ask(FOLLOWED))["viewer"]
    topics, entities = viewer["followedTopics"]["nodes"], viewer["followedEntities"]["nodes"]
    assert all(one["viewerFollows"] for one in (*topics, *entities))
    return [topic["name"] for topic in topics], [entity["id"] for entity in entities]


async def entries(person: Person, query: str = FEED, first: int = 100) -> list[tuple[str, str | None]]:
    """Returns a whole timeline of a person, read in pages of `first`: the text of each post with the name of the topic
    or the id of the entity that brings it there, or None. Every page but the last must be full.
    """
    found: list[tuple[str, str | None]] = []
    after, more = None, True
    while more:
        page = (await person.ask(query, first=first, after=after))["viewer"]["page"]
        after, more = page["pageInfo"]["endCursor"], page["pageInfo"]["hasNextPage"]
        assert len(page["edges"]) == first or not more
        for edge in page["edges"]:
            why = edge["homeReason"]
            named = why and {"TOPIC": why["topic"], "ENTITY": why["entity"]}[why["kind"]]
            assert (why is None) or [why["topic"], why["entity"]].count(None) == 1
            found.append((edge["node"]["text"], named and (named.get("name") or named["id"])))
    return found


async def feed(person: Person, first: int = 100) -> list[str]:
    """Returns the texts of the whole timeline of followed topics."""
    return [text for text, _ in await entries(person, FEED, first)]


async def home(person: Person, first: int = 100) -> list[tuple[str, str | None]]:
    """Returns the whole home timeline, as `entries`."""
    return await entries(person, HOME, first)
