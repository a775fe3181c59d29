"""Readers who poll lists while a user changes the lists and a worker publishes the changes."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from math import inf
from typing import NamedTuple

from tests.features.read_your_writes.list_queries import document, found
from tests.support.comments import added
from tests.support.content_follows import follow_topics
from tests.support.follows import follow
from tests.support.posts import publish
from tests.support.system import Person, System
from tests.support.workers import ready, until

POLL_SECONDS = 0.015
"""The seconds between two polls of one reader."""


class Poll(NamedTuple):
    """The ids that one request of a reader found in each list, with the times of request and answer."""

    asked: float
    answered: float
    found: Mapping[str, set[str]]


class ListReaders:
    """The readers: Alice, who makes the changes; Bob, who follows her; an anonymous reader. Carol owns the targets."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.alice, self.bob, self.carol = map(system.person, ("alice", "bob", "carol"))
        self.ids: dict[str, str] = {}
        self.text_count = 0

    async def begin(self) -> None:
        """Creates users, targets and follows, and publishes these changes."""
        self.worker = await ready(self.system)
        (self.ids["video"],) = await self.system.videos("v1")
        self.ids["alice"], self.ids["carol"] = await self.alice.id(), await self.carol.id()
        self.ids["post"] = (await publish(self.carol, "carol's", "cats"))["post"]["id"]
        await follow(self.bob, self.ids["alice"])
        await follow(self.carol, self.ids["alice"])
        await self.drain()
        for person in (self.alice, self.bob):
            await follow_topics(person, "cats")
        self.ids["root"] = await added(self.carol, self.ids["post"], "root")
        await added(self.carol, self.ids["video"], "another")
        await self.drain()

    async def drain(self) -> None:
        """Publishes all changes without a sweep."""
        while await self.worker.step():
            pass

    async def settle(self) -> None:
        """Publishes all changes and sweeps them."""
        await self.drain()
        await self.worker.sweeper.sweep(time.monotonic() + self.system.settings.pending_seconds)

    async def missing(self, lists: Sequence[str], item: str) -> list[str]:
        """Returns the lists in which Alice does not find an item."""
        (poll,) = await self.polls(self.alice, lists, lambda: True)
        return [name for name in lists if item not in poll.found[name]]

    async def sees(self, reader: Person, item: str) -> bool:
        """Returns whether the reader can read an object."""
        return (await reader.ask("query ($id: ID!) { node(id: $id) { id } }", id=item))["node"] is not None

    @property
    def text(self) -> str:
        """A new text at every access."""
        self.text_count += 1
        return f"text {self.text_count}"

    async def polls(self, reader: Person, lists: Sequence[str], stop: Callable[[], bool]) -> list[Poll]:
        """Polls these lists until `stop` returns true. Returns all polls."""
        query, polls = document([*lists], self.ids), list[Poll]()
        while not (polls and stop()):
            asked = time.monotonic()
            answer = await reader.ask(query)
            polls.append(Poll(asked, time.monotonic(), {name: found(answer[f"l{n}"]) for n, name in enumerate(lists)}))
            await asyncio.sleep(POLL_SECONDS)
        return polls

    async def check(
        self, act: Callable[[], Awaitable[str]], items: Mapping[str, str], seconds: float, *, present: bool = True
    ) -> None:
        """Polls while Alice makes a change, and expects that no reader sees the change and later an older list.

        Alice must find the item of each list from the acknowledgement on. Another reader who has found the item must
        find the item from then on. With `present=False`, the item must be absent instead. The item `new` stands for
        the id that `act` returns.
        """
        over, anonymous = asyncio.Event(), self.system.person(None)
        readers = [(self.bob, [*items]), (anonymous, [name for name in items if not name.startswith("Viewer.")])]
        polling = [asyncio.create_task(self.polls(reader, lists, over.is_set)) for reader, lists in readers]
        try:
            new = await act()
            end = time.monotonic() + seconds
            expected = {name: new if item == "new" else item for name, item in items.items()}
            own = await self.polls(self.alice, [*items], lambda: time.monotonic() > end)
            for reader, lists in readers if seconds else []:  # the worker publishes the change before the next one
                await until(partial(self._agrees, reader, {name: expected[name] for name in lists}, present))
        finally:
            over.set()
            others = await asyncio.gather(*polling)
        wrong = {("Alice", name): wrong_polls(own, name, item, present, since=0) for name, item in expected.items()}
        for who, polls in zip(("Bob", "an anonymous reader"), others, strict=True):
            wrong |= {(who, name): wrong_later_polls(polls, name, item, present) for name, item in expected.items()}
        assert not any(wrong.values()), {where: count for where, count in wrong.items() if count}

    async def _agrees(self, reader: Person, expected: Mapping[str, str], present: bool) -> bool:
        (poll,) = await self.polls(reader, [*expected], lambda: True)
        return all((item in poll.found[name]) == present for name, item in expected.items())


def wrong_polls(polls: Sequence[Poll], name: str, item: str, present: bool, since: float) -> str:
    """Returns how many polls of a list since a time are wrong, or an empty text."""
    agree = [(item in poll.found[name]) == present for poll in polls if poll.asked >= since and name in poll.found]
    return "" if all(agree) else f"{agree.count(False)} of {len(agree)}"


def wrong_later_polls(polls: Sequence[Poll], name: str, item: str, present: bool) -> str:
    """Returns how many polls of a list after the first right one are wrong, or an empty text."""
    agreed = (poll.answered for poll in polls if name in poll.found and (item in poll.found[name]) == present)
    return wrong_polls(polls, name, item, present, since=min(agreed, default=inf))
