"""The worker process at a site that has released the writes to the other site (ADR 104)."""

import asyncio

from observability.logs import Log
from state import State
from store.write_log import write_mode
from workers.repeating import wait_for

log = Log(__name__)

_INTERVAL = 0.2
"""Seconds between two attempts to close the journals."""


class Released:
    """Closes the journals of a site that has released the writes. Stores and trims nothing: the journals keep what the
    other site may lack.
    """

    def __init__(self, state: State) -> None:
        self._state = state

    async def run(self, stop: asyncio.Event) -> None:
        """Closes the journals, and waits until `stop` is set."""
        is_closed = False
        while not stop.is_set():
            if not is_closed and self._state.write_mode.is_settled:
                try:
                    is_closed = await self._close()
                except Exception as error:  # noqa: BLE001 - Redis may answer later
                    log.warning("the journals are not closed", error=repr(error))
            await wait_for(stop, _INTERVAL)

    async def _close(self) -> bool:
        """Opens the journals for the generation that has begun with the release. No process uses this generation. So a
        process that does not know of the release, because it cannot read Postgres, can append nothing. And a replica
        that has this generation has all entries before it.
        """
        state = self._state
        await state.journals.open(state.write_mode.current.generation, dict.fromkeys(range(state.keys.partitions), 0))
        log.warning("this site takes no writes", term=state.write_mode.current.highest_term)
        return True


async def watch_other_site(state: State) -> None:
    """Asks the other site for its term. If the other site was promoted, lets this one release the writes for good.
    Raises Unavailable if the other site or Postgres does not answer. Does nothing if there is one site.
    """
    if state.other_site is None:
        return
    report = await state.other_site.ask()
    if report.term > state.write_mode.current.term and await write_mode.release(state.postgres, report.term):
        log.warning("the other site was promoted; this site takes no writes any more", term=report.term)
        await state.write_mode.refresh()
