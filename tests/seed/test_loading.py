"""The seed's community, loaded."""

import time

from tests.conftest import standalone
from tests.system import System


@standalone
async def test_x(system: System) -> None:
    began = time.monotonic()
    await system.seed()
    print("took", time.monotonic() - began)
    for t in ("users", "posts", "follows", "reactions", "dead_letters", "fanouts", "topic_posts", "records"):
        print(t, await system.rows(f"SELECT count(*) FROM {t}"))
    print(await system.rows("select status, reason, count(*) from posts group by 1,2"))
    began = time.monotonic()
    await system.seed()
    print("again", time.monotonic() - began)
