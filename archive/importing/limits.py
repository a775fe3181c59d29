"""Rejects records that would give a user more follows, blocks, mutes or collections than the settings allow."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from archive.importing.known import Known
from archive.importing.patience import patiently
from archive.importing.run import Import, Invalid, Item
from store.archive import sizes
from store.groups import grouped
from store.postgres.client import Transaction

Row = TypeVar("Row")
Pair = tuple[int, Any]
"""A user, and the member of the user's set."""


class _TooMany(Exception):
    """Raised to roll back a transaction. `beyond` has, for each user, the number of members above the limit."""

    def __init__(self, beyond: Mapping[int, int]) -> None:
        super().__init__()
        self.beyond = beyond


async def write(
    run: Import,
    known: Known,
    kind: str,
    most: int,
    rows: dict[Pair, tuple[Item[Any], Row]],
    store: Callable[[Transaction, Mapping[Pair, Row]], Awaitable[None]],
) -> None:
    """Writes members of users' sets, such as follows, by calling `store` in a transaction. If a user would have more
    than `most` members, rejects the last records of this user, and writes the others. `known` has the objects to which
    the records refer. `kind` says which sets are counted (`sizes.beyond`).
    """

    async def attempt() -> None:
        async with run.writing(known) as transaction:
            await store(transaction, {pair: row for pair, (_, row) in rows.items()})
            if beyond := await sizes.beyond(transaction, kind, {user for user, _ in rows}, most):
                raise _TooMany(beyond)

    while rows:
        try:
            await patiently(attempt)
        except _TooMany as error:
            of_user = grouped((pair[0], pair) for pair in rows)
            for user, count in error.beyond.items():
                for pair in of_user[user][-count:]:
                    run.reject(rows.pop(pair)[0], Invalid(f"A user may have at most {most} records of this kind."))
        else:
            return
