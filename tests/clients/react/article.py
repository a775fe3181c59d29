"""A page with a video and its comments, which the tests of the components open."""

from urllib.parse import urlencode

from playwright.async_api import Locator, Page

from identity import auth
from tests.support.subscriptions import Live

VIDEO = "video:v1"
LIKES = "SELECT count(*) FROM like_log"
COMMENTS = "SELECT count(*) FROM comments"
ADD = """mutation ($id: ID!, $text: String!, $key: String!) {
    addComment(input: {subjectId: $id, text: $text, idempotencyKey: $key}) { comment { id } userErrors { code } } }"""


def address(live: Live, origin: str, page: str = "page", user: str | None = "alice", **parameters: str) -> str:
    """Returns the address of a page that uses the API as a user."""
    api = {"api": f"http://{live.address}/graphql", "target": VIDEO}
    token = {"token": auth.mint(live.settings, user)} if user else {}
    return f"{origin}/{page}.html?{urlencode(api | token | parameters)}"


async def add(live: Live, user: str, *texts: str) -> list[str]:
    """Adds comments on the video as a user. Returns their ids."""
    person = live.person(user)
    added = [await person.ask(ADD, id=f"Entity:{VIDEO}", text=text, key=text) for text in texts]
    await live.drain()
    return [one["addComment"]["comment"]["id"] for one in added]


def shown(page: Page, text: str | None = None) -> Locator:
    """Returns the comments that the page shows."""
    found = page.get_by_role("article")
    return found.filter(has_text=text) if text else found
