"""Any history of what people do to each other, told by two workers that die between commit and publication, overtake
each other and publish again: everybody is told of everything once, in one order; the count is that of the list; what is
read is exactly what was seen.
"""

import asyncio
import random
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import pytest

from domain.ids import wall_clock_ms
from projections.events import Event, parse
from tests.support.follows import FOLLOW_BRIEF, id_of
from tests.support.notifications import Page, everything, mark, ms, page, people, unread
from tests.support.posts import publish
from tests.support.random_walk import walk
from tests.support.system import Person, System
from workers.publish import publish as publish_again
from workers.worker import Worker

PEOPLE, THINGS = 5, 2
Group = tuple[str, str]
"""What is told together: kind, and the id of what it is about."""


@dataclass
class NotificationModel:
    """Everybody, what is theirs, and what each has been told by the time it is quiet."""

    system: System
    random: random.Random
    people: dict[str, Person]
    ids: dict[str, str]
    things: dict[str, str]
    """Whose each is."""
    workers: list[Worker] = field(default_factory=list)
    on: set[tuple[str, str]] = field(default_factory=set)
    """Who likes or follows what now."""
    moved: set[tuple[str, str]] = field(default_factory=set)
    """What has changed since it was quiet: a change that is taken back at once may never have happened."""
    told: dict[str, dict[Group, set[str]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(set)))
    happened: dict[tuple[str, Group], tuple[int, int]] = field(default_factory=dict)
    """When the last that each was told of something happened: between these two, in ms."""
    seen: dict[str, set[tuple[str, int]]] = field(default_factory=lambda: defaultdict(set))
    """What each has marked as read: which notification, with how many people in it."""
    published: list[list[Event]] = field(default_factory=list)
    history: list[str] = field(default_factory=list)

    async def step(self) -> None:
        verbs = [self.like] * 6 + [self.follow] * 3 + [self.mention, self.work, self.work, self.look, self.look]
        await self.random.choice([*verbs, self.die, self.repeat, self.work_at_once])()

    # What people do.

    async def like(self) -> None:
        who, (thing, owner) = self._somebody(), self.random.choice(sorted(self.things.items()))
        if (who, thing) not in self.moved:
            began = wall_clock_ms()
            await self.people[who].react(self._toggled(who, thing, "unlike", "like"), thing)
            if (who, thing) in self.on and who != owner:
                self._tell(owner, ("LIKE", thing), who, began)

    async def follow(self) -> None:
        who, whom = self.random.sample(sorted(self.people), 2)
        if (who, whom) not in self.moved:
            verb = self._toggled(who, whom, "unfollow", "follow")
            began = wall_clock_ms()
            await self.people[who].ask(FOLLOW_BRIEF % verb, id=self.ids[whom])
            if (who, whom) in self.on:
                self._tell(whom, ("FOLLOW", self.ids[whom]), who, began)

    async def mention(self) -> None:
        who, whom = self.random.sample(sorted(self.people), 2)
        self.history.append(f"{who} mentions {whom}")
        began = wall_clock_ms()
        post = (await publish(self.people[who], f"{len(self.history)} @{whom}"))["post"]["id"]
        self._tell(whom, ("MENTION", post), who, began)

    async def look(self) -> None:
        """Somebody reads a page, and perhaps marks some of it; what they have just read is read at once."""
        name = self._somebody()
        shown = await page(self.people[name], self.random.randint(2, 8))
        self._check_read(name, shown)
        if shown.nodes and self.random.random() < 0.6:
            at = self.random.randrange(len(shown.nodes))
            self.history.append(f"{name} reads {len(shown.nodes) - at}")
            if self.random.random() < 0.5:
                await self.work()
            self.seen[name] |= {(node["id"], node["actorCount"]) for node in await self._below(name, shown, at)}
            await mark(self.people[name], shown.cursors[at])
            now = await page(self.people[name])
            self._check_read(name, now)
            unmoved = {(node["id"], node["actorCount"]) for node in shown.nodes[at:]}
            assert all(node["read"] for node in now.nodes if (node["id"], node["actorCount"]) in unmoved), self.history

    async def _below(self, name: str, shown: Page, at: int) -> list[Any]:
        """What is marked along with what was seen: all that lies below it."""
        rest = (await page(self.people[name], 100, shown.cursors[at])).nodes
        return [shown.nodes[at], *shown.nodes[at:], *rest]

    def _check_read(self, name: str, shown: Page) -> None:
        for node in shown.nodes:
            assert not node["read"] or (node["id"], node["actorCount"]) in self.seen[name], (name, node, self.history)

    def _tell(self, whom: str, group: Group, who: str, began: int) -> None:
        if who not in self.told[whom][group]:
            self.told[whom][group].add(who)
            self.happened[whom, group] = began, wall_clock_ms()

    def _toggled(self, who: str, what: str, off: str, on: str) -> str:
        verb = off if (who, what) in self.on else on
        self.on ^= {(who, what)}
        self.moved.add((who, what))
        self.history.append(f"{who} {verb} {what}")
        return verb

    def _somebody(self) -> str:
        return self.random.choice(sorted(self.people))

    # What workers do.

    async def work(self) -> None:
        worker = self.random.choice(self.workers)
        await self._handle(worker)

    async def work_at_once(self) -> None:
        await asyncio.gather(*map(self._handle, self.workers))

    async def _handle(self, worker: Worker) -> None:
        owned = dict(worker.owned)
        entries = await worker.read(owned)
        await worker.handle(owned, entries)
        self.published.append([parse(entry) for entry in entries])

    async def die(self) -> None:
        """A batch is committed and not published; whoever comes next finds it in the journal."""
        self.history.append("a worker dies")
        worker = self.random.choice(self.workers)
        owned = dict(worker.owned)
        await worker._persist(owned, await worker.read(owned))

    async def repeat(self) -> None:
        """Somebody who slept publishes what was published long ago."""
        if self.published:
            await publish_again(self.system.state, self.random.choice(self.published), set())

    async def quiet(self) -> None:
        for worker in self.workers:
            while await worker.step():
                pass
        self.moved.clear()

    async def check(self) -> None:
        """When it is quiet, everybody has been told what happened to them, once, and the count is that of the list."""
        await self.quiet()
        assert await self.system.rows("SELECT * FROM untold") == []
        if self.random.random() < 0.5:
            await self.system.empty_redis()
        for name, person in self.people.items():
            nodes = await everything(person, self.random.randint(1, 9))
            told = {(node["kind"], node["subject"]["id"]): node for node in nodes}
            assert len(told) == len(nodes), self.history
            assert {group: node["actorCount"] for group, node in told.items()} == {
                group: len(who) for group, who in self.told[name].items()
            }, (name, self.history)
            for group, node in told.items():
                assert {actor["handle"] for actor in node["actors"]} <= self.told[name][group]
                began, ended = self.happened[name, group]
                assert began <= ms(node["updatedAt"]) <= ended, (name, group, self.history)
            assert await unread(person) == sum(not node["read"] for node in nodes), (name, self.history)


async def model(system: System, seed: int) -> NotificationModel:
    everybody = {person.handle: person for person in await people(system, *(f"p{n}" for n in range(PEOPLE)))}
    things = {
        video: name
        for name in everybody
        for video in await system.videos(*(f"{name}-{n}" for n in range(THINGS)), owner=name)
    }
    ids = {name: await id_of(person) for name, person in everybody.items()}
    one = NotificationModel(system, random.Random(seed), everybody, ids, things, [system.worker(), system.worker()])
    for _ in range(2):  # the first takes everything, and gives half of it away
        for worker in one.workers:
            await worker.ownership.renew()
    assert all(worker.owned for worker in one.workers)
    return one


@pytest.mark.parametrize("seed", range(3))
async def test_everybody_is_told_what_the_model_says(system: System, seed: int) -> None:
    await walk(await model(system, seed), rounds=6, steps=25)


@pytest.mark.prove
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", range(100, 120))
async def test_everybody_is_told_what_the_model_says_for_long(system: System, seed: int) -> None:
    await walk(await model(system, seed), rounds=12, steps=60)
