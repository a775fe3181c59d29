"""Removes cached copies at the end of an import, because the import has changed rows without changing the copies. To
compare the copies with the rows, as `plaudit reconcile` does, would not be enough: a copy that changes between the two
reads cannot be compared.
"""

from state import State
from store.gather import gather_all
from store.own_sets.kinds import KINDS
from store.people.boundary_rows import BLOCKER
from store.reconcile.batches import BATCH
from store.reconcile.cached import kind_of, own_kind_of, owner_of, scan

_KEPT = frozenset({"notified", "pinned", "snapshot"})
"""The kinds of copies that an import does not change: notifications, and lists through which readers are paging."""


async def drop(state: State) -> None:
    """Removes cached values and lists, among them all inboxes, and users' own sets. Own sets that have pending changes
    are loaded from Postgres instead. Raises RedisDown and PostgresDown.
    """
    async for _, keys in scan(state.cache.redis, BATCH):
        await state.cache.drop([key for key in keys if (kind := kind_of(key)) and kind not in _KEPT])
    async for _, keys in scan(state.redis, BATCH):
        await gather_all(*[_renew(state, key, kind) for key in keys if (kind := own_kind_of(key))])


async def _renew(state: State, key: str, kind: str) -> None:
    """Removes a user's own set. If the set has pending changes, which are not in Postgres yet, keeps the set, and adds
    the members that Postgres has.
    """
    user_id, business_id = owner_of(key)
    if kind == BLOCKER:
        await state.boundaries.forget_blockers(user_id)
    elif kind in KINDS and not await state.own_sets.forget_settled(kind, user_id, business_id):
        if KINDS[kind].is_boundary:
            await state.boundaries.warm(user_id, await state.own_sets.clock_ms(kind, user_id, business_id))
        else:
            await state.own_sets.warm(kind, user_id, business_id)
