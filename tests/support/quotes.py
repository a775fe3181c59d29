"""Requests about quotes."""

from typing import Any

from tests.support.system import Person

QUOTE = """mutation ($text: String!, $of: ID!, $topics: [String!]! = [], $entity: ID, $key: String!) {
  publishPost(input: {text: $text, topics: $topics, quoteOf: $of, entityId: $entity, idempotencyKey: $key}) {
    post { id quote { post { text } missing } } userErrors { code field } } }"""
DETACH = """mutation ($id: ID!, $key: String) { detachQuote(input: {postId: $id, idempotencyKey: $key}) {
  post { id text quote { missing } } userErrors { code field } } }"""
POLICY = """mutation ($policy: QuotePolicy!) { setQuotePolicy(input: {policy: $policy}) {
  user { quotePolicy } userErrors { code } } }"""
SEEN = """query ($id: ID!) { node(id: $id) { ... on Post { quote { missing post { text quote { missing } } } } } }"""
QUOTES = """query ($id: ID!, $first: Int!, $after: String) { node(id: $id) { ... on Post { quoteCount
  quotes(first: $first, after: $after) { nodes { text } pageInfo { hasNextPage endCursor } } } } }"""


async def quote(person: Person, post_id: str, text: str, *topics: str, key: str | None = None, **more: Any) -> Any:
    """Returns the payload of publishPost with a quote."""
    key = key or f"{person.handle}-{text}"
    return (await person.ask(QUOTE, of=post_id, text=text, topics=topics, key=key, **more))["publishPost"]


async def quoted(person: Person, post_id: str, *texts: str) -> list[str]:
    """Publishes posts that quote a post, which must succeed. Returns their ids."""
    return [(await quote(person, post_id, text))["post"]["id"] for text in texts]


async def detach(person: Person, post_id: str, key: str | None = None) -> Any:
    """Returns the payload of detachQuote."""
    return (await person.ask(DETACH, id=post_id, key=key))["detachQuote"]


async def set_policy(person: Person, policy: str) -> None:
    """Sets who may quote the posts of a person, which must succeed."""
    payload = (await person.ask(POLICY, policy=policy))["setQuotePolicy"]
    assert payload == {"user": {"quotePolicy": policy}, "userErrors": []}


async def seen(person: Person, post_id: str) -> tuple[str | None, str | None]:
    """Returns the text of what a post quotes, and why it is not shown."""
    found = (await person.ask(SEEN, id=post_id))["node"]["quote"]
    return (found["post"] and found["post"]["text"], found["missing"]) if found else (None, None)


async def quotes(person: Person, post_id: str, first: int = 2) -> tuple[int, list[str]]:
    """Returns the number of quotes of a post, and their texts, read in pages of `first`."""
    texts: list[str] = []
    after = None
    while True:
        node = (await person.ask(QUOTES, id=post_id, first=first, after=after))["node"]
        texts += [one["text"] for one in node["quotes"]["nodes"]]
        if not node["quotes"]["pageInfo"]["hasNextPage"]:
            return node["quoteCount"], texts
        after = node["quotes"]["pageInfo"]["endCursor"]
