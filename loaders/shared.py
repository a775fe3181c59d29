"""The read-throughs of a process, one per kind of cached value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from loaders.read_through import Kind, ReadThrough
from models.counters import Counts, EntityRef
from models.entities import EntityRow
from models.users import UserRow
from state import State
from store import counts, entities, keys, users
from store.entities import EntityKey
from store.users import Identity

_DAY_MS = 86_400_000
NEGATIVE_MS = 30_000
"""How long a miss is remembered: long enough to stop a stampede, short enough to be forgotten."""


@dataclass(frozen=True, slots=True)
class SharedLoaders:
    """Safe to use from any number of requests at once; they hold nothing that belongs to one."""

    counts: ReadThrough[EntityRef, Counts]
    entities: ReadThrough[EntityKey, EntityRow | None]
    entities_by_id: ReadThrough[EntityRef, EntityRow | None]
    users: ReadThrough[int, UserRow | None]
    handles: ReadThrough[str, int | None]
    identities: ReadThrough[Identity, int | None]


def counts_life_ms(state: State, business_id: int) -> int:
    """How long a business's counters stay cached after they were last needed (L9)."""
    business = state.businesses_by_id.get(business_id)
    return (business.counts_days if business else 7) * _DAY_MS


def shared_loaders(state: State) -> SharedLoaders:
    """Built once per process, over its state."""
    postgres = state.postgres

    def document_ms(business_id: int, entity: EntityRow | None) -> int:
        return state.businesses_by_id[business_id].document_days * _DAY_MS if entity else NEGATIVE_MS

    def id_ms(life_ms: int, user_id: int | None) -> int:
        return life_ms if user_id else NEGATIVE_MS

    async def counts_truth(refs: Sequence[EntityRef]) -> Mapping[EntityRef, Counts]:
        return await counts.read(postgres, refs)

    async def users_truth(ids: Sequence[int]) -> Mapping[int, UserRow | None]:
        return dict(await users.by_id(postgres, ids))

    async def entities_truth(wanted: Sequence[EntityKey]) -> Mapping[EntityKey, EntityRow | None]:
        return dict(await state.entities.by_key(wanted))

    async def entities_by_id_truth(refs: Sequence[EntityRef]) -> Mapping[EntityRef, EntityRow | None]:
        return dict(await state.entities.by_id(refs))

    async def handles_truth(handles: Sequence[str]) -> Mapping[str, int | None]:
        return dict(await users.by_handle(postgres, handles))

    async def identities_truth(identities: Sequence[Identity]) -> Mapping[Identity, int | None]:
        return dict(await users.by_identity(postgres, identities))

    cache = state.cache
    return SharedLoaders(
        counts=ReadThrough(
            cache,
            Kind(
                "counts", keys.counts, counts.decode, counts.encode, counts_truth, Counts(0, {}),
                lambda ref, _: counts_life_ms(state, ref.business_id),
            ),
        ),
        entities=ReadThrough(
            cache,
            Kind(
                "entities", lambda key: keys.entity(*key), entities.decode, entities.encode, entities_truth, None,
                lambda key, entity: document_ms(key[0], entity),
            ),
        ),
        entities_by_id=ReadThrough(
            cache,
            Kind(
                "entities_by_id", keys.entity_by_id, entities.decode, entities.encode, entities_by_id_truth, None,
                lambda ref, entity: document_ms(ref.business_id, entity),
            ),
        ),
        users=ReadThrough(
            cache,
            Kind(
                "users", keys.user, users.decode, users.encode, users_truth, None,
                lambda _, user: _DAY_MS if user else NEGATIVE_MS,
            ),
        ),
        handles=ReadThrough(
            cache,
            Kind(
                "handles", keys.handle, users.decode_id, users.encode_id, handles_truth, None,
                lambda _, user_id: id_ms(_DAY_MS, user_id),
            ),
        ),
        identities=ReadThrough(
            cache,
            Kind(
                "identities", lambda identity: keys.identity(*identity), users.decode_id, users.encode_id,
                identities_truth, None, lambda _, user_id: id_ms(7 * _DAY_MS, user_id),
            ),
        ),
    )  # fmt: skip


__all__ = ["NEGATIVE_MS", "SharedLoaders", "counts_life_ms", "shared_loaders"]
