"""Hot lists and leaderboards, and people who like what is in them."""

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
    """The texts of all pages."""
    texts: list[str] = []
    after: str | None = None
    while True:
        page = (await viewer.ask(HOT, first=first, after=after))["square"]
        texts += [post["text"] for post in page["nodes"]]
        if not page["pageInfo"]["hasNextPage"]:
            return texts
        assert len(page["nodes"]) == first
        after = page["pageInfo"]["endCursor"]


async def likers(system: System, *targets: str, count: int = 3, verb: str = "like") -> None:
    for i in range(count):
        for target in targets:
            await system.person(f"liker{i}").react(verb, target)


async def board(viewer: Person, window: str, business: str = "video", first: int = 20) -> Places:
    """Rank, score and name of every place."""
    found = (await viewer.ask(BOARD, business=business, window=window, first=first))["leaderboard"]
    return [(one["rank"], one["score"], one["node"].get("key") or one["node"].get("text")) for one in found]
