"""Facets while Postgres is down: they stay, without the users who cannot be read."""

from tests.support.degraded_answers import StoppableSystem, ask, ways
from tests.support.outages import Away
from tests.support.posts import published

READ = "query ($id: ID!) { node(id: $id) { ... on Post { facets { kind utf16Start user { handle } } } } }"


@ways
async def test_a_mention_stays_without_its_user(stoppable: StoppableSystem, away: Away) -> None:
    system = stoppable.system
    alice, reader = system.person("alice"), system.person("carol")
    await system.person("bob").id()
    (post,) = await published(alice, "hello @bob")
    await system.drain()
    stoppable.forget_all()
    await ask(reader, "query ($id: ID!) { node(id: $id) { ... on Post { text author { handle } } } }", id=post)

    async with stoppable.without_postgres(away):
        response = await ask(reader, READ, id=post)

    assert response.data == {"node": {"facets": [{"kind": "MENTION", "utf16Start": 6, "user": None}]}}
    assert response.missing == [("node.facets.user", "Facet.user", 1, "POSTGRES_DOWN")]
