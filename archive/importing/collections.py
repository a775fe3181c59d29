"""Imports collections."""

from collections import abc
from collections.abc import Mapping, Sequence
from functools import partial

from archive.importing import limits
from archive.importing.run import REJECTED, Import, Item
from archive.records import Collection
from domain import texts
from domain.versions import version_at
from store.archive import content, imported_ids, new_ids
from store.postgres.client import Transaction
from store.reactions import collections

_LONGEST_NAME = 100
_Row = tuple[Collection, str, int]
"""A record, the checked name, and the time in milliseconds since the Unix epoch."""


async def store(run: Import, items: Sequence[Item[Collection]]) -> None:
    """Imports a chunk of collections. If a collection was imported before, it gets the name in the archive, unless its
    user has changed the name in Plaudit.
    """
    known = await run.library.known(users=[one.user for _, one in items])
    rows: dict[tuple[int, str], tuple[Item[Collection], _Row]] = {}
    for item in items:
        record = item.record
        try:
            name = texts.line(record.name, _LONGEST_NAME, "name", empty=False)
            rows[known.user(record.user), record.id] = item, (record, name, run.time(record.created_at))
        except REJECTED as error:
            run.reject(item, error)
    if run.is_check:
        run.declare("collection", ((name, (run.made_up_id(), user)) for user, name in rows))
        return
    await limits.write(run, known, "collection", run.state.settings.people.collection_limit, rows, partial(_write, run))


async def _write(run: Import, transaction: Transaction, rows: Mapping[tuple[int, str], _Row]) -> None:
    await imported_ids.hold(transaction)
    stored = await run.library.collections({(name, user) for user, name in rows})
    users = {user for user, _ in rows}

    async def taken(some: abc.Collection[int]) -> set[int]:
        return {id_ for id_, _ in await content.collections_of(transaction, some, users)}

    new = {name: ms for (user, name), (_, _, ms) in rows.items() if (name, user) not in stored}
    chosen = await new_ids.choose(new, taken)
    await imported_ids.claim(transaction, "collection", chosen)
    values = [
        (user, stored.get((name, user)) or chosen[name], title, record.is_public, False, version_at(ms))
        for (user, name), (record, title, ms) in rows.items()
    ]
    await collections.write(transaction, values)
