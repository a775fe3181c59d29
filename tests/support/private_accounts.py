"""Makes accounts private, which the API does not offer yet."""

from dataclasses import replace

from store.people import users
from tests.support.system import System


async def make_private(system: System, user_id: str) -> None:
    """Makes the account of a user private."""
    state = system.state
    async with state.postgres.transaction() as transaction:
        before = await users.lock(transaction, int(user_id.partition(":")[2]))
        assert before
        after = replace(before, is_private=True)
        await users.update(transaction, after)
        fence = await users.fence_changed(state.cache, transaction, before, after)
    await state.cache.unfence(fence)
