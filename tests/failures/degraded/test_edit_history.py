"""The edit history while Postgres is down: it is missing, and the post stays."""

from tests.support.degraded_answers import StoppableSystem, ask, ways
from tests.support.outages import Away
from tests.support.posts import edit, published

READ = """query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Post { text editHistory { nodes { text } } } } }"""


@ways
async def test_a_post_stays_without_its_history(stoppable: StoppableSystem, away: Away) -> None:
    system = stoppable.system
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    edited, other = await published(alice, "one", "never edited")
    await system.drain()
    await edit(alice, edited, text="two")
    await system.drain()
    full = [{"text": "two", "editHistory": {"nodes": [{"text": "one"}]}}]
    assert (await ask(mia, READ, ids=[edited])).data == {"nodes": full}
    await ask(mia, READ, ids=[other])

    async with stoppable.without_postgres(away):
        response = await ask(mia, READ, ids=[edited, other])

    never = {"text": "never edited", "editHistory": {"nodes": []}}
    assert response.data == {"nodes": [{"text": "two", "editHistory": None}, never]}
    assert response.missing == [("nodes.editHistory", "Post.editHistory", 1, "POSTGRES_DOWN")]
