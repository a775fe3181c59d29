"""Queries of hot lists and leaderboards, and likes of their items."""

from tests.support.system import Person, System

HOT = """query ($first: Int!, $after: String) { square(sort: HOT, first: $first, after: $after) {
  nodes { text likeCount } pageInfo { hasNextPage endCursor } } }"""


TOPIC = """query ($name: String!, $first: Int!, $after: String) { topic(name: $name) {
  posts(sort: HOT, first: $first, after: $after) { nodes { text } pageInfo { hasNextPage endCursor } } } }"""
BOARD = """query ($business: String!, $window: LeaderboardWindow!, $first: Int!) {
  leaderboard(business: $business, window: $window, first: $first) {
    rank score node { likeCount ... on Entity { key } ... on Post { text } } } }"""
Places = list[tuple[int, float, str]]


async def hottest(viewer: Person, first: int = 20) -> list[str]:
    """Returns the texts on all pages of the hot square."""
    texts: list[str] = []
    after: str | None = None
    while True:
        page = (await viewer.ask(HOT, first=first, after=after))["square"]
        texts += [post["text"] for post in page["nodes"]]
        if not page["pageInfo"]["hasNextPage"]:
            return texts
        assert len(page["nodes"]) == first
        after = page["pageInfo"]["endCursor"]


async def react_as_many(system: System, *targets: str, count: int = 3, verb: str = "like") -> None:
    for i in range(count):
        for target in targets:
            await system.person(f"liker{i}").react(verb, target)


async def board(viewer: Person, window: str, business: str = "video", first: int = 20) -> Places:
    """Returns rank, score and name of every place of a leaderboard."""
    found = (await viewer.ask(BOARD, business=business, window=window, first=first))["leaderboard"]
    return [(entry["rank"], entry["score"], entry["node"].get("key") or entry["node"].get("text")) for entry in found]
