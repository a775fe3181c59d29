"""The removal of keys that earlier generations left in Redis."""

from store.redis import generations
from tests.support.cancellation import ends_once_cancelled
from tests.support.stores import standalone
from tests.support.system import System


@standalone
async def test_a_cancelled_removal_ends_although_the_cancellation_was_lost(system: System) -> None:
    assert await ends_once_cancelled(generations.remove_earlier(system.state.redis))
