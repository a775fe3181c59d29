"""In synchronous mode, no write is acknowledged while the other site lacks it, not even a repeated one."""

from store.write_log import write_mode
from tests.support.collections import created, save_into
from tests.support.posts import published
from tests.support.restricted_operations import OPERATIONS
from tests.support.stores import standalone
from tests.support.system import System

ELSEWHERE = {
    *("setNotificationPreferences", "setQuietHours", "exportUser", "createUpload"),
    "setLabelPreferences",  # without preferences
}
"""Mutations that write nothing to Redis."""
COMMENT = """mutation ($id: ID!) { addComment(input: {subjectId: $id, text: "so", idempotencyKey: "c"}) {
  comment { id } } }"""


@standalone
async def test_no_mutation_is_acknowledged_while_the_other_site_lacks_it(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (video,) = await system.videos("v1")
    (post,) = await published(alice, "mine")
    comment = (await alice.ask(COMMENT, id=video))["addComment"]["comment"]["id"]
    collection = await created(alice, "public", public=True)
    await save_into(alice, collection, video)
    await system.drain()
    things = {"video": video, "post": post, "comment": comment, "collection": collection, "bob": await bob.id()}
    await write_mode.set_synchronous(system.state.postgres, 1)
    await system.state.write_mode.refresh()  # the server has no replica
    system.state.redis.wait_ms = 20

    acknowledged = set[str]()
    for coordinate, query in OPERATIONS.items():
        type_, _, name = coordinate.partition(".")
        variables = {one: id_ for one, id_ in things.items() if f"${one}" in query}
        if type_ == "Mutation" and name not in ELSEWHERE and "$notification" not in query:
            answers = [(await alice.send(query, **variables)).json() for _ in range(2)]
            acknowledged |= {name for answer in answers if "errors" not in answer}

    assert acknowledged == set()
