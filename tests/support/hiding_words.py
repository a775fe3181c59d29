"""Hidden posts and muted words through the API."""

from typing import Any

from tests.support.system import Person

HIDE = """mutation ($id: ID!, $key: String) { %s(input: {postId: $id, idempotencyKey: $key}) {
  post { id viewerHasHidden } userErrors { code field } } }"""
HIDDEN = """query ($first: Int!, $after: String) { viewer { hiddenPosts(first: $first, after: $after) {
  nodes { text viewerHasHidden } pageInfo { hasNextPage endCursor } } } }"""
_WORDS = "viewer { mutedWords { id text targets wholeWord exceptFollowed until } }"
MUTE_WORDS = f"""mutation ($words: [MutedWordInput!]!, $key: String) {{
  muteWords(input: {{words: $words, idempotencyKey: $key}}) {{ {_WORDS} userErrors {{ code field }} }} }}"""
UNMUTE_WORDS = f"""mutation ($ids: [ID!]! = [], $texts: [String!]! = [], $key: String) {{
  unmuteWords(input: {{ids: $ids, texts: $texts, idempotencyKey: $key}}) {{
    {_WORDS} userErrors {{ code field }} }} }}"""
WORDS = f"{{ {_WORDS} }}"


async def hide(person: Person, post_id: str, verb: str = "hidePost", key: str | None = None) -> Any:
    """Returns the payload of hidePost, unhidePost or showLess."""
    return (await person.ask(HIDE % verb, id=post_id, key=key))[verb]


async def hidden(person: Person, first: int = 20) -> list[str]:
    """Returns the texts of the first page of the posts that a person hides."""
    page = (await person.ask(HIDDEN, first=first))["viewer"]["hiddenPosts"]
    assert all(node["viewerHasHidden"] for node in page["nodes"])
    return [node["text"] for node in page["nodes"]]


async def mute_words(person: Person, *words: str, key: str | None = None, **more: Any) -> Any:
    """Makes a person mute words, each with the same further fields. Returns the payload of muteWords."""
    inputs = [{"text": word, **more} for word in words]
    return (await person.ask(MUTE_WORDS, words=inputs, key=key))["muteWords"]


async def unmute_words(person: Person, *texts: str, key: str | None = None) -> Any:
    """Returns the payload of unmuteWords."""
    return (await person.ask(UNMUTE_WORDS, texts=list(texts), key=key))["unmuteWords"]


async def muted_words(person: Person) -> list[str]:
    """Returns the texts of the words that a person mutes."""
    return [word["text"] for word in (await person.ask(WORDS))["viewer"]["mutedWords"]]
