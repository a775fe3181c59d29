"""A DataLoader that also takes whole lists: one future for all keys of a tick, not one for each."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Any, TypeVar

from aiodataloader import DataLoader

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Loader(DataLoader[K, V]):
    """Answers each key once per request; `load` and `load_many` share what has been answered."""

    def __init__(self, fetch: Callable[[list[K]], Awaitable[Sequence[V]]]) -> None:
        super().__init__(self.load_many)
        self._fetch = fetch
        self._known: dict[K, V] = {}
        self._asked: dict[K, None] = {}
        self._answer: asyncio.Future[None] | None = None

    async def load_many(self, keys: Sequence[K]) -> list[V]:  # type: ignore[override]
        """Values in the order of their keys, in one trip with whatever else is asked for in this tick."""
        known = self._known
        if missing := [key for key in keys if key not in known]:
            await self._batched(missing)
        return [known[key] for key in keys]

    def _batched(self, keys: list[K]) -> Awaitable[None]:
        if self._answer is None:
            loop = asyncio.get_running_loop()
            self._answer = loop.create_future()
            loop.call_soon(self._dispatch)
        self._asked.update(dict.fromkeys(keys))
        return asyncio.shield(self._answer)

    def _dispatch(self) -> None:
        assert self._answer is not None
        asked, answer = list(self._asked), self._answer
        self._asked, self._answer = {}, None
        task = asyncio.ensure_future(self._run(asked))
        task.add_done_callback(lambda done: _conclude(done, answer))

    async def _run(self, keys: list[K]) -> None:
        self._known.update(zip(keys, await self._fetch(keys), strict=True))


def _conclude(done: "asyncio.Task[Any]", answer: "asyncio.Future[None]") -> None:
    if answer.done():
        return
    if done.cancelled():
        answer.cancel()
    elif error := done.exception():
        answer.set_exception(error)
        answer.exception()  # whoever asked may have gone
    else:
        answer.set_result(None)
