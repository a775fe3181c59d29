"""Requests made to hold the event loop: documents, variables, headers and bodies, drawn from a seed."""

import json
import random
from collections.abc import Callable
from typing import Any

from tests.support.event_loop_time import Head, HttpRequest

JSON = (b"content-type", b"application/json")
Draw = random.Random
Document = tuple[str, dict[str, Any]]
"""The text of a document, and values for the variables that it declares."""


def many(part: str, times: int) -> str:
    """Repeats a part. Replaces # by the number of the repetition and % by the next number."""
    return " ".join(part.replace("#", str(i)).replace("%", str(i + 1)) for i in range(times))


def aliases(n: int) -> Document:
    return "{ viewer { " + many("a#: user { id handle bio }", n // 4) + " } }", {}


def fields(n: int) -> Document:
    names = "id handle displayName bio followerCount followingCount postCount viewerRelation likesReceivedCount"
    return "{ viewer { " + many("a#: user { " + names + " }", n // 10) + " } }", {}


def spreads(n: int) -> Document:
    return "{ viewer { " + many("a#: user { id ...F }", n // 3) + " } } fragment F on User { handle bio }", {}


def fragments(n: int) -> Document:
    return (
        "{ viewer { user { "
        + many("...F#", n // 10)
        + " } } } "
        + many("fragment F# on User { id handle bio followers(first: 1) { nodes { id } } }", n // 10),
        {},
    )


def chains(n: int) -> Document:
    return (
        "{ viewer { user { ...F0 } } } "
        + many("fragment F# on User { id ...F% }", n // 12)
        + f" fragment F{n // 12} on User {{ id }}",
        {},
    )


def types(n: int) -> Document:
    """Returns selections of an interface, which are compiled for each of its types."""
    inner = many("a#: id", n // 4)
    for _ in range(min(4, 1 + n // 60)):
        inner = "... on Reactable { likers(first: 1) { nodes { likes(first: 1) { nodes { " + inner + " } } } } }"
    return "query ($i: [ID!]!) { nodes(ids: $i) { " + inner + " } }", {"i": ["User:1"]}


def repeated(n: int) -> Document:
    return "{ viewer { " + many("a#: user { id } " * 20, n // 40) + " } }", {}


def pages(n: int) -> Document:
    return "{ viewer { user { " + "followers(first: 1) { pageInfo { endCursor } } " * min(28, n // 4) + "} } }", {}


def objects(n: int) -> Document:
    users = '{externalId: "a"} ' * (n // 3)
    return f"mutation {{ registerUsers(users: [{users}]) {{ userErrors {{ code }} }} }}", {}


def literals(n: int) -> Document:
    return "{ nodes(ids: [" + '"User:1" ' * (n - 10) + "]) { id } }", {}


def wrong(n: int) -> Document:
    return "{ users(externalIds: [" + "1 " * (n - 10) + "]) { id } }", {}


def arguments(n: int) -> Document:
    return "{ viewer { user { followers(" + many("firs#: 1", n - 10) + ") { nodes { id } } } } }", {}


def variables(n: int) -> Document:
    declared = many("$v#: Boolean!", n // 3)
    used = many("a#: id @include(if: $v#)", n // 3)
    return f"query ({declared}) {{ viewer {{ {used} }} }}", {f"v{i}": True for i in range(n // 3)}


def directives(n: int) -> Document:
    return "{ viewer { " + many("a#: id @include(if: true) @skip(if: false)", n // 6) + " } }", {}


def operations(n: int) -> Document:
    return many("query Q# { viewer { user { id } } }", n // 9), {}


def nesting(n: int) -> Document:
    levels = min(n // 4, 9)
    return "{ viewer { user { " + "followers(first: 1) { nodes { " * levels + "id" + " } }" * levels + " } } }", {}


def escapes(n: int) -> Document:
    return '{ user(handle: "' + "\\n" * (n * 20) + '") { id } }', {}


def blocks(n: int) -> Document:
    return '{ user(handle: """' + " \n" * (n * 20) + '""") { id } }', {}


def space(n: int) -> Document:
    return "\n" * (n * 40) + "{ __typename }", {}


def comments(n: int) -> Document:
    return "#\n" * (n * 20) + "{ __typename }", {}


def posts(n: int) -> Document:
    images = [{"url": "https://images.example.com/" + "%41" * 600, "alt": "x"}] * (n // 10)
    publish = many("a#: publishPost(input: $p) { userErrors { code } }", 1 + n // 60)
    text = "a" + "\u0300\u0323" * (n * 8)
    return (
        f"mutation ($p: PublishPostInput!) {{ {publish} }}",
        {"p": {"text": text, "images": images, "topics": ["\ufdfa"] * 9, "idempotencyKey": "k"}},
    )


def entities(n: int) -> Document:
    one = {"business": "video", "key": "x", "owner": {"externalId": "a"}, "title": "t" * 500, "url": "u" * 2000}
    query = "mutation ($e: [EntityInput!]!) { registerEntities(entities: $e) { userErrors { code } } }"
    return query, {"e": [one] * (n // 2)}


def ids(n: int) -> Document:
    kinds = ["Entity:video:x", "Topic:" + "\ufdfa" * 90, 1, "Comment:1.2.3", "x" * 1000, True, None, {}]
    return "query ($i: [ID!]!) { nodes(ids: $i) { id } }", {"i": (kinds * n)[: n * 4]}


def cursors(n: int) -> Document:
    return (
        "query ($a: String) { " + many("s#: square(after: $a, first: 1) { nodes { id } }", min(30, n // 8)) + " }",
        {"a": "A" * 4096},
    )


DOCUMENTS: list[Callable[[int], Document]] = [
    *(aliases, fields, spreads, fragments, chains, types, repeated, pages, objects, literals, wrong, arguments),
    *(variables, directives, operations, nesting, escapes, blocks, space, comments, posts, entities, ids, cursors),
]


def values(draw: Draw) -> Any:
    """Returns a large value for a declared or undeclared variable."""
    n = draw.choice([10, 1000, 4900, 6000, 30_000])
    several: list[Any] = [
        [1] * n,
        [[]] * n,
        [{"url": "x"}] * (n // 2),
        {f"a{i}": 1 for i in range(n)},
        "\u00e9\n" * n,
        json.loads("[" * (n % 900) + "1" + "]" * (n % 900)),
        10 ** (n % 300),
    ]
    return draw.choice(several)


def body(draw: Draw) -> bytes:
    """Returns a body whose variables are invalid, malformed or very large."""
    n = draw.choice([1000, 6000, 19_000, 40_000])
    inner: bytes = draw.choice(
        [
            b"[" + b"[]," * n + b"1]",
            b"[" + b'{"a":1},' * n + b"1]",
            b"{" + b",".join(b'"%x":1' % i for i in range(n)) + b"}",
            b"[" * min(n, 1000) + b"]" * min(n, 1000),
            b"[" + b"1e9," * n + b"1]",
            b'"' + b"\\u00e9" * n + b'"',
            b'"' + b"," * n + b'"',
            b"[" * n,
        ]
    )
    return b'{"query": "{ __typename }", "variables": ' + inner + b"}"


def head(draw: Draw) -> Head:
    """Returns header lines of up to 16,000 characters."""
    n = draw.choice([10, 900, 8000, 16_000])
    lines: list[tuple[bytes, bytes]] = [
        (b"accept", b"a/b," * (n // 4)),
        (b"accept", b";" * n),
        (b"accept", b"*/*;q=" + b"0" * n),
        (b"authorization", b"Bearer " + b"." * n),
        (b"authorization", b"Bearer eyJhbGciOiJIUzI1NiJ9." + b"A" * min(n, 8000) + b".A"),
        (b"cookie", b"a=b; " * (n // 5)),
        (b"x-device-id", b"d" * n),
        (b"if-none-match", b'"' * n),
        (b"content-type", b"application/json;" + b"charset=" * (n // 8)),
        (b"origin", b"https://" + b"a." * (n // 2)),
    ]
    return [JSON, *draw.sample(lines, draw.choice([0, 0, 1, 2]))]


def request(seed: int, head_of_caller: Head) -> Callable[[int], HttpRequest]:
    """Returns a function that makes a request for each turn. The work is equal, but the document differs each time."""
    draw = random.Random(seed)
    text, given = draw.choice(DOCUMENTS)(draw.choice([40, 120, 240, 300, 1000]))
    given = dict(given)
    for _ in range(draw.choice([0, 0, 0, 1, 2])):
        given[draw.choice([*given, "undeclared"])] = values(draw)
    lines = [*head(draw), *(head_of_caller if draw.random() < 0.7 else ())]
    raw = body(draw) if draw.random() < 0.2 else None
    reads = draw.random() < 0.1

    def sent(turn: int) -> HttpRequest:
        params = {"query": f"{text} # {seed} {turn}", "variables": given}
        if reads:
            pairs = f"query={params['query']}&variables={json.dumps(given)}"
            return HttpRequest("GET", pairs.encode(), lines)
        return HttpRequest(head=lines, body=raw or json.dumps(params).encode())

    return sent
