"""Hot scores while the cache Redis is down."""

import pytest

from projections import hot_scores
from store.redis.client import RedisDown
from tests.support.degraded_answers import StoppableSystem
from tests.support.outages import stopped
from tests.support.posts import publish
from tests.support.stores import standalone


@standalone
@pytest.mark.parametrize("plans", [True])
async def test_workers_store_hot_scores_in_rows_without_the_cache(stoppable: StoppableSystem) -> None:
    system = stoppable.system
    alice, bob = system.person("alice"), system.person("bob")
    post = (await publish(alice, "hello"))["post"]["id"]
    await system.drain()
    await bob.like(post)
    await system.drain()
    await system.rows("UPDATE topic_posts SET score = 1, score_version = 0 RETURNING post_id")

    async with stoppable.without_cache(stopped):
        with pytest.raises(RedisDown):
            await hot_scores.publish_posts(system.state, [int(post.removeprefix("Post:"))])

    assert await system.rows("SELECT DISTINCT score > 1 FROM topic_posts") == [(True,)]
