"""Answers a like and stores it, without traces. Prints which modules of OpenTelemetry the process has loaded.

Run it with `python -m tests.observability.otel_modules`. DATABASE_URL and REDIS_URL name the stores.
"""

import asyncio
import os
import sys

import server  # noqa: F401 - as an API process does
from observability import logs
from tests.support.system import running, settings_for_tests


async def _like() -> None:
    urls = {"database_url": os.environ["DATABASE_URL"], "redis_url": os.environ["REDIS_URL"]}
    async with running(settings_for_tests(**urls)) as system:
        (video,) = await system.videos("v1")
        alice = system.person("alice")
        alice.headers["traceparent"] = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        await alice.like(video)
        await system.drain()


if __name__ == "__main__":
    logs.configure()
    asyncio.run(_like())
    print([name for name in sys.modules if name.partition(".")[0] == "opentelemetry"])
