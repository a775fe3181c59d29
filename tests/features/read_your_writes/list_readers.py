"""People who poll lists while somebody changes them and a worker publishes the changes."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from math import inf
from typing import NamedTuple

from tests.features.read_your_writes.list_queries import document, found
from tests.support.comments import added
from tests.support.follows import follow
from tests.support.posts import publish
from tests.support.system import Person, System
from tests.support.workers import ready

EVERY = 0.015
"""Seconds between two polls of one reader."""


class Poll(NamedTuple):
    """What a reader found, list by list."""

    asked: float
    answered: float
    found: Mapping[str, set[str]]


class ListReaders:
    """Alice, who acts; Bob, who follows her; an anonymous reader; and Carol, whose things Alice acts on."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.alice, self.bob, self.carol = map(system.person, ("alice", "bob", "carol"))
        self.ids: dict[str, str] = {}
        self.acts = 0

    async def begin(self) -> None:
        """Gives everybody something to act on."""
        self.worker = await ready(self.system)
        (self.ids["video"],) = await self.system.videos("v1")
        self.ids["alice"], self.ids["carol"] = await self.alice.id(), await self.carol.id()
        self.ids["post"] = (await publish(self.carol, "carol's", "cats"))["post"]["id"]
        await follow(self.bob, self.ids["alice"])
        await follow(self.carol, self.ids["alice"])
        await self.drain()
        self.ids["root"] = await added(self.carol, self.ids["post"], "root")
        await added(self.carol, self.ids["video"], "another")
        await self.drain()

    async def drain(self) -> None:
        """Publishes everything, and sweeps nothing."""
        while await self.worker.step():
            pass

    async def settle(self) -> None:
        """Publishes everything, and sweeps what is published."""
        await self.drain()
        await self.worker.sweeper.sweep(time.monotonic() + self.system.settings.pending_seconds)

    async def missing(self, lists: Sequence[str], item: str) -> list[str]:
        """Returns the lists in which Alice does not find an item."""
        (poll,) = await self.polls(self.alice, lists, lambda: True)
        return [one for one in lists if item not in poll.found[one]]

    async def sees(self, reader: Person, item: str) -> bool:
        """Whether somebody may read something."""
        return (await reader.ask("query ($id: ID!) { node(id: $id) { id } }", id=item))["node"] is not None

    @property
    def text(self) -> str:
        """Something that nobody has said before."""
        self.acts += 1
        return f"act {self.acts}"

    async def polls(self, reader: Person, lists: Sequence[str], stop: Callable[[], bool]) -> list[Poll]:
        """Reads these lists until told to stop."""
        query, polls = document([*lists], self.ids), list[Poll]()
        while not (polls and stop()):
            asked = time.monotonic()
            answer = await reader.ask(query)
            polls.append(Poll(asked, time.monotonic(), {one: found(answer[f"l{n}"]) for n, one in enumerate(lists)}))
            await asyncio.sleep(EVERY)
        return polls

    async def check(
        self, act: Callable[[], Awaitable[str]], items: Mapping[str, str], seconds: float, *, there: bool = True
    ) -> None:
        """Polls while Alice acts. She must find the item of each list from the acknowledgement on, or no more. Others
        must find it, or find it no more, once they have done so.

        The item `new` is what the act returns.
        """
        over, nobody = asyncio.Event(), self.system.person(None)
        readers = [(self.bob, [*items]), (nobody, [one for one in items if one != "Viewer.home"])]
        polling = [asyncio.create_task(self.polls(who, lists, over.is_set)) for who, lists in readers]
        try:
            new = await act()
            until = time.monotonic() + seconds
            own = await self.polls(self.alice, [*items], lambda: time.monotonic() > until)
        finally:
            over.set()
            others = await asyncio.gather(*polling)
        wanted = {one: new if item == "new" else item for one, item in items.items()}
        wrong = {("Alice", one): missed(own, one, item, there, since=0) for one, item in wanted.items()}
        for who, polls in zip(("Bob", "an anonymous reader"), others, strict=True):
            wrong |= {(who, one): vanished(polls, one, item, there) for one, item in wanted.items()}
        assert not any(wrong.values()), {where: misses for where, misses in wrong.items() if misses}


def missed(polls: Sequence[Poll], one: str, item: str, there: bool, since: float) -> str:
    """Tells how many of the polls of a list that began since some moment do not agree with what should be there."""
    agree = [(item in poll.found[one]) == there for poll in polls if poll.asked >= since and one in poll.found]
    return "" if all(agree) else f"{agree.count(False)} of {len(agree)}"


def vanished(polls: Sequence[Poll], one: str, item: str, there: bool) -> str:
    """Tells how many do not agree with an earlier one that was as it should be."""
    agreed = (poll.answered for poll in polls if one in poll.found and (item in poll.found[one]) == there)
    return missed(polls, one, item, there, since=min(agreed, default=inf))
