"""A network that loses replies: clients repeat requests whose outcome they do not know."""

import asyncio
import random
from pathlib import Path

import pytest

from runner.postgres import Postgres
from runner.valkey import Valkey
from tests.failures.faults.checker import assert_consistent
from tests.failures.faults.history import History
from tests.failures.faults.load import working
from tests.support.deployment import deployed
from tests.support.fault_proxy import Loss, Proxy, proxied

LOSSES = 40


@pytest.mark.prove
@pytest.mark.parametrize("word", [b"EVALSHA", b"COMMIT;"])
@pytest.mark.usefixtures("deployment")  # it migrates the tables
async def test_a_repeated_request_takes_effect_once(
    stores: tuple[Postgres, Valkey], tmp_path: Path, word: bytes
) -> None:
    postgres, valkey = stores
    async with proxied(postgres.port) as to_postgres, proxied(valkey.port) as to_valkey:
        proxy = to_valkey if word == b"EVALSHA" else to_postgres
        with deployed(tmp_path, to_postgres.through(postgres.url), to_valkey.through(valkey.url)) as through:
            through.start_api()
            await through.workers_started(through.start_worker())
            await through.ready()
            async with working(through, "lost" + word.decode()[:4].lower()) as history:
                await lose_again_and_again(proxy, word, history)

            await assert_consistent(through, history)
            # In a thread, because processes that stop still talk through the proxies, which run in this event loop.
            await asyncio.to_thread(through.stop)


async def lose_again_and_again(proxy: Proxy, word: bytes, history: History) -> None:
    """Loses a reply or a request repeatedly, with some acknowledged operations in between."""
    for number in range(1, LOSSES + 1):
        proxy.lose(word, random.choice(list(Loss)))
        await history.grows(random.randrange(1, 6))
        async with asyncio.timeout(30):
            while proxy.lost < number:
                await asyncio.sleep(0.01)
