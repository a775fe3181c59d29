"""`plaudit site`: the commands for one of two sites."""

from collections.abc import Awaitable, Callable

import typer

from cli.console import DataDir, exit_on_error, settings_of
from cli.failures import Commands
from settings import Settings
from store.redis.client import Redis

site = typer.Typer(cls=Commands, no_args_is_help=True, help="Two sites: one writes, and the other one only reads.")


@site.command()
def drain(data_dir: DataDir = None) -> None:
    """Send no clients to this site: `/readyz` answers 503 from now on. Requests that arrive are answered, also those of
    the other site. Open subscriptions stay.
    """
    from store.site import drain as run

    _at_cache(settings_of(data_dir), run)
    print("Load balancers that ask /readyz send no clients to this site from now on.")


@site.command()
def undrain(data_dir: DataDir = None) -> None:
    """Send clients to this site again."""
    from store.site import undrain as run

    _at_cache(settings_of(data_dir), run)
    print("Load balancers send clients to this site again.")


def _at_cache(settings: Settings, run: Callable[[Redis], Awaitable[None]]) -> None:
    """Runs a command with the client of the cache Redis, the one store that each site writes by itself."""
    import asyncio

    from store.redis.client import RedisDown, connect_both

    async def connected() -> None:
        state, cache = connect_both(settings)
        try:
            await run(cache)
        finally:
            await cache.close()
            await state.close()

    with exit_on_error(RedisDown):
        asyncio.run(connected())
