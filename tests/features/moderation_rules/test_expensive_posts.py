"""Posts that are as expensive to judge as Unicode allows delay no other user's posts."""

import asyncio
import time

from tests.support.posts import on_square, publish
from tests.support.system import System
from tests.support.workers import until, working

LIGATURE = "\ufdfa"
"""A ligature that normalization makes into 18 characters."""
IMAGES = [{"url": f"https://images.example.com/{number}.png", "alt": LIGATURE * 500} for number in range(9)]


async def test_posts_of_long_ligatures_do_not_delay_other_posts(system: System) -> None:
    authors = [system.person(f"author{number}") for number in range(4)]
    others = [system.person(f"other{number}") for number in range(4)]
    began = time.process_time()

    async with working(system.worker()):
        for round_ in range(3):
            posts = [
                publish(one, LIGATURE * 4_990 + f"{one.handle}{round_}", key=f"{round_}", images=IMAGES)
                for one in authors
            ]
            plain = [publish(one, f"Hello {round_} of {one.handle}") for one in others]
            assert not any(answer["userErrors"] for answer in await asyncio.gather(*posts, *plain))
        await until(lambda: _shown(system, 12))

    assert time.process_time() - began < 10
    await system.drain()
    assert await system.rows("SELECT count(*) FROM posts") == [(24,)]
    assert await system.rows("SELECT count(*) FROM dead_letters") == [(0,)]


async def _shown(system: System, count: int) -> bool:
    texts = await on_square(system.person("reader"), 50)
    return sum(text.startswith("Hello") for text in texts) == count
