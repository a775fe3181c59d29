"""Compares cached counters, documents (such as posts and profiles), handles and notifications with their rows."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from state import State
from store.cache.values import Cached, Codec, OtherFormat
from store.content import comment_settings, comments, entities, pinned_posts, posts, topics
from store.notifications import notifications
from store.people import held_handles, users
from store.reactions import counts
from store.reconcile.cached import name_of, ref_of
from workers.reconcile.cached import FindMismatches


class CachedValues(NamedTuple):
    """A kind of cached value. `read_rows` computes the values from rows, by name; a name is a part of a cache key.
    `codec` decodes a cached copy. If the copy is correct, both values are equal.
    """

    codec: Codec[Any, Any]
    read_rows: Callable[[State, Sequence[str]], Awaitable[Mapping[str, Any]]]


async def _counts(state: State, names: Sequence[str]) -> Mapping[str, Any]:
    found = await counts.read(state.postgres, list(map(ref_of, names)))
    return {name: found[ref_of(name)] for name in names}


async def _entities_by_key(state: State, names: Sequence[str]) -> Mapping[str, Any]:
    keys = [(int(business_id), key) for business_id, _, key in (name.partition(":") for name in names)]
    return {f"{business_id}:{key}": row for (business_id, key), row in (await state.entities.by_key(keys)).items()}


async def _users_by_handle(state: State, handles: Sequence[str]) -> Mapping[str, int]:
    return await held_handles.holders(state.postgres, handles, state.settings.people.handle_hold)


async def _comment_settings(state: State, names: Sequence[str]) -> Mapping[str, Any]:
    subjects = [(int(business_id), key) for business_id, _, key in (name.partition(":") for name in names)]
    found = await comment_settings.by_subject(state.postgres, subjects)
    return {f"{business_id}:{key}": settings for (business_id, key), settings in found.items()}


async def _entities_by_id(state: State, names: Sequence[str]) -> Mapping[str, Any]:
    found = await state.entities.by_id(list(map(ref_of, names)))
    return {f"{ref.business_id}:{ref.entity_id}": row for ref, row in found.items()}


def _by_id(read: Callable[..., Awaitable[Mapping[int, Any]]]) -> Callable[..., Awaitable[Mapping[str, Any]]]:
    async def read_rows(state: State, names: Sequence[str]) -> Mapping[str, Any]:
        return {str(id_): row for id_, row in (await read(state.postgres, list(map(int, names)))).items()}

    return read_rows


_KINDS = {
    "counts": CachedValues(counts.CODEC, _counts),
    "entity": CachedValues(entities.CODEC, _entities_by_key),
    "entity#": CachedValues(entities.ID_CODEC, _entities_by_id),
    "user": CachedValues(users.CODEC, _by_id(users.by_id)),
    "handle": CachedValues(held_handles.CODEC, _users_by_handle),
    "post": CachedValues(posts.CODEC, _by_id(posts.by_id)),
    "topic": CachedValues(topics.CODEC, lambda state, keys: topics.names(state.postgres, keys)),
    "comment": CachedValues(comments.CODEC, _by_id(comments.by_id)),
    "comment_settings": CachedValues(comment_settings.CODEC, _comment_settings),
    "pinned_posts": CachedValues(pinned_posts.CODEC, _by_id(pinned_posts.by_user)),
    "hidden": CachedValues(comments.HIDDEN_CODEC, _by_id(comments.hidden)),
    "notified": CachedValues(notifications.CODEC, _by_id(notifications.newest)),
}


async def _find_mismatches(values: CachedValues, state: State, keys: Sequence[str]) -> Mapping[str, Any]:
    raw = await state.cache.read_raw(keys)
    cached = {key: one for key, one in zip(keys, raw, strict=True) if one is not None}
    names = {key: name_of(key) for key in cached}
    rows = await values.read_rows(state, list(names.values())) if names else {}
    expected = {key: rows.get(name, values.codec.absent) for key, name in names.items()}
    return {key: one for key, one in cached.items() if not _agrees(values, one, expected[key])}


def _agrees(values: CachedValues, raw: bytes, expected: Any) -> bool:
    try:
        value = values.codec.decode(Cached.parse(raw))
    except OtherFormat:  # only processes of another version of the code read and write this form
        return True
    except (ValueError, TypeError, KeyError):  # not a value that Plaudit has written
        return False
    return bool(value == expected)


FINDERS: Mapping[str, FindMismatches] = {kind: partial(_find_mismatches, values) for kind, values in _KINDS.items()}
