"""Comments while Postgres is away: what is acknowledged is shown to its author, and published once it is back (D1)."""

from runner.postgres import Postgres
from tests.comments.world import add, counts, delete, said, text_of
from tests.conftest import standalone
from tests.system import System

TEXT = "query ($id: ID!) { node(id: $id) { ... on Comment { text deleted } } }"
ADD = """mutation ($subject: ID!, $to: ID, $text: String!, $key: String!) {
  addComment(input: {subjectId: $subject, replyToId: $to, text: $text, idempotencyKey: $key}) {
    comment { id text } userErrors { code } } }"""
DELETE = "mutation ($id: ID!) { deleteComment(input: {commentId: $id}) { comment { deleted } userErrors { code } } }"


@standalone
async def test_comments_are_written_while_postgres_is_away(system: System, postgres: Postgres) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    root = await said(alice, video, "root")
    await system.drain()
    assert await text_of(bob, root) == "root"
    assert (await add(bob, video, "warm", to=root))["userErrors"] == []
    wanted = {"subject": video, "to": root, "text": "during", "key": "k"}

    postgres.stop()
    try:
        reply = (await bob.ask(ADD, **wanted))["addComment"]["comment"]
        again = (await bob.ask(ADD, **wanted))["addComment"]["comment"]
        shown = (await bob.ask(TEXT, id=reply["id"]))["node"]
        oops = (await bob.ask(ADD, **(wanted | {"key": "k2"})))["addComment"]["comment"]["id"]
        deleted = (await bob.ask(DELETE, id=oops))["deleteComment"]
    finally:
        postgres.start()
    assert again == reply == {"id": reply["id"], "text": "during"}
    assert shown == {"text": "during", "deleted": False}
    assert deleted == {"comment": {"deleted": True}, "userErrors": []}
    await system.drain()

    assert await text_of(alice, reply["id"]) == "during"
    assert await text_of(alice, oops) is None
    assert await counts(alice, video) == (3, 1)
    assert (await delete(bob, reply["id"]))["userErrors"] == []
