"""Chunks of imports that stall while an entity is erased or an account is deleted."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from archive.importing.known import Known, Library
from archive.importing.run import Import
from store.people import account_rows, remains
from store.people.remains import Searched
from store.postgres.client import Transaction
from tests.archive.archives import LONG_AGO, Record, at, comment, follow, load, post, reaction, save, users, video
from tests.support import deletions, erasing
from tests.support.interrupting import run_after
from tests.support.reconciliation import drift
from tests.support.registration import registrar
from tests.support.stores import standalone
from tests.support.system import System

pytestmark = [standalone, pytest.mark.prove, pytest.mark.timeout(240)]

SECRET = "text of c2"
ABOUT_ENTITY: dict[str, Record] = {
    "a reaction": reaction("ann", video("v1")),
    "a save": save("ann", video("v1")),
    "a comment": comment("c2", "ann", video("v1")),
    "a reply": comment("c2", "ann", video("v1"), parent="c1"),
    "a reaction to a comment": reaction("ann", {"comment": "c1"}),
    "a follow": {"kind": "contentFollow", "user": "ann", "target": video("v1"), "createdAt": LONG_AGO},
}
ABOUT_USER: dict[str, Record] = {
    "a reaction": reaction("bob", video("v2")),
    "a follow": follow("bob", "ann"),
    "a follower": follow("ann", "bob"),
    "a block": {"kind": "block", "user": "bob", "blocked": "ann", "createdAt": LONG_AGO},
    "a mute": {"kind": "mute", "user": "bob", "muted": "ann", "createdAt": LONG_AGO},
    "a collection": {"kind": "collection", "id": "k1", "user": "bob", "name": "secret", "createdAt": LONG_AGO},
    "a post": post("p1", "bob"),
    "a comment": comment("c2", "bob", video("v2")),
    "a repost": {"kind": "repost", "user": "bob", "target": {"post": "p0"}, "createdAt": LONG_AGO},
    "an entity": {"kind": "entity", "business": "video", "key": "v3", "owner": "bob"},
}
STANDING = {
    "follows": ":id IN (lo, hi) AND (lo_follows OR hi_follows)",
    "blocks": ":id IN (user_id, blocked_id) AND stands",
    "posts": "author_id = :id AND NOT deleted",
    "comment_contents": "author_id = :id AND NOT deleted",
    "entities": "owner_id = :id",
    "mutes": "user_id = :id",
}
"""The tables that may keep rows of a deleted user, and which of their rows must not be kept."""
WAITING = "SELECT 1 FROM pg_locks WHERE NOT granted"


def in_transaction(monkeypatch: pytest.MonkeyPatch, act: Callable[[], Awaitable[None]]) -> None:
    """Lets the next transaction of a chunk run `act` before it commits."""
    original = Import.writing

    @asynccontextmanager
    async def writing(run: Import, known: Known | None = None) -> AsyncIterator[Transaction]:
        async with original(run, known) as transaction:
            yield transaction
            monkeypatch.undo()
            await act()

    monkeypatch.setattr(Import, "writing", writing)


class Removal:
    """A removal that `remove` does, and that begins in the middle of an import, which has an event loop of its own."""

    def __init__(self, system: System, remove: Callable[[], Awaitable[None]]) -> None:
        self._system = system
        self._remove = remove
        self._loop = asyncio.get_running_loop()
        self._task: asyncio.Task[None] | None = None

    async def go(self) -> None:
        """Begins the removal. Returns when it has ended, or when it waits for the chunk."""
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._go(), self._loop))

    async def _go(self) -> None:
        self._task = asyncio.ensure_future(self._remove())
        while not self._task.done() and not await self._system.rows(WAITING):
            await asyncio.sleep(0.05)

    async def end(self) -> None:
        """Waits until the removal has ended."""
        assert self._task
        await self._task


def stall(monkeypatch: pytest.MonkeyPatch, where: str, act: Callable[[], Awaitable[None]]) -> None:
    if where == "before its transaction":
        run_after(monkeypatch, Library, "known", act)
    else:
        in_transaction(monkeypatch, act)


moments = pytest.mark.parametrize("where", ["before its transaction", "before its commit"])


@moments
@pytest.mark.parametrize("chunk", ABOUT_ENTITY.values(), ids=ABOUT_ENTITY)
async def test_a_chunk_that_stalls_while_its_entity_is_erased_brings_nothing_back(
    chunk: Record, where: str, system: System, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (erased,) = await system.videos("v1")
    await load(system, tmp_path, comment("c1", "ann", video("v1")), *users("ann"))

    async def remove() -> None:
        assert (await erasing.erase(registrar(system), erased))["userErrors"] == []
        await erasing.finish(system)

    removal = Removal(system, remove)
    stall(monkeypatch, where, removal.go)
    imported = await load(system, tmp_path, chunk)
    await removal.end()

    assert len(imported.rejects) == 1 or where == "before its commit"
    ((number,),) = await system.rows("SELECT entity_id FROM erasures WHERE finished_ms IS NOT NULL")
    assert await erasing.left(system, number, SECRET) == []
    for table in ("reactions", "saves", "comments", "comment_contents", "content_follows"):
        assert await system.rows(f"SELECT 1 FROM {table}") == [], table  # noqa: S608 - constants
    assert await drift(system) == {}


@moments
@pytest.mark.parametrize("chunk", ABOUT_USER.values(), ids=ABOUT_USER)
async def test_a_chunk_that_stalls_while_a_user_is_deleted_brings_nothing_back(
    chunk: Record, where: str, system: System, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await system.videos("v2")
    await load(system, tmp_path, post("p0", "ann", createdAt=at(1)), *users("ann", "bob"))
    ((number,),) = await system.rows("SELECT user_id FROM users WHERE handle = 'bob'")

    async def remove() -> None:
        assert (await deletions.delete(system.person("bob")))["userErrors"] == []
        await system.drain()
        await deletions.finish(system)

    removal = Removal(system, remove)
    stall(monkeypatch, where, removal.go)
    imported = await load(system, tmp_path, chunk)
    await removal.end()

    assert len(imported.rejects) == 1 or where == "before its commit"
    assert await system.rows("SELECT 1 FROM deletions WHERE finished_ms IS NULL") == []
    state, searched = system.state, Searched.user(number, [SECRET])
    found = await remains.in_tables(state.postgres, searched, await account_rows.left(state.postgres, number))
    assert [one for one in found if one.reason is None] == []
    for table, column in STANDING.items():
        sql = f"SELECT 1 FROM {table} WHERE {column}"  # noqa: S608 - constants
        assert await system.rows(sql.replace(":id", str(number))) == [], table
    assert await drift(system) == {}


async def test_the_other_records_of_a_stalled_chunk_are_imported_once(
    system: System, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (erased, _) = await system.videos("v1", "v2")
    await load(system, tmp_path, *users("ann", "bob"))

    async def remove() -> None:
        await erasing.erase(registrar(system), erased)
        await erasing.finish(system)

    removal = Removal(system, remove)
    stall(monkeypatch, "before its transaction", removal.go)
    places = [(name, key) for name in ("ann", "bob") for key in ("v1", "v2")]
    chunk = [reaction("eve", video("v2")), *(reaction(name, video(key)) for name, key in places)]
    imported = await load(system, tmp_path, *chunk)
    await removal.end()

    assert imported.done == {"reaction": 2}
    assert sorted(line for line, _, _ in imported.rejects) == [1, 2, 4]
    assert await system.rows("SELECT count(*) FROM reactions") == [(2,)]
    assert await drift(system) == {}
