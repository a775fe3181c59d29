"""Drops the cached copies that an import may have made old. Comparing them, as `plaudit reconcile` does, would not be
enough: a copy that changes all the time could never be compared.
"""

from state import State
from store.gather import gather_all
from store.own_sets.kinds import KINDS
from store.people.boundary_rows import BLOCKER
from store.reconcile.batches import BATCH
from store.reconcile.cached import kind_of, own_kind_of, owner_of, scan

_KEPT = frozenset({"notified", "pinned", "snapshot"})
"""Copies that no import makes old: notifications, and pages that readers are reading."""


async def drop(state: State) -> None:
    """Drops cached values and lists, among them all inboxes, and loads users' own sets anew. Raises RedisDown and
    PostgresDown.
    """
    async for _, keys in scan(state.cache.redis, BATCH):
        await state.cache.drop([key for key in keys if (kind := kind_of(key)) and kind not in _KEPT])
    async for _, keys in scan(state.redis, BATCH):
        await gather_all(*[_renew(state, key, kind) for key in keys if (kind := own_kind_of(key))])


async def _renew(state: State, key: str, kind: str) -> None:
    """Removes a user's own set. If the set has pending changes, which Postgres lacks, adds the members in Postgres
    instead.
    """
    user_id, business_id = owner_of(key)
    if kind == BLOCKER:
        await state.boundaries.forget_blockers(user_id)
    elif kind in KINDS and not await state.own_sets.forget_settled(kind, user_id, business_id):
        if KINDS[kind].is_boundary:
            await state.boundaries.warm(user_id, await state.own_sets.clock_ms(kind, user_id, business_id))
        else:
            await state.own_sets.warm(kind, user_id, business_id)
