"""Notifications against a model: after random likes, follows and mentions, which two workers deliver that stop between
commit and publication, overtake each other and publish twice, every user has every notification once, in one order. The
unread count agrees with the list, and exactly the notifications that the user has seen are read.
"""

import asyncio
import random
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import pytest

from domain.ids import wall_clock_ms
from projections.events import Event
from tests.support.follows import FOLLOW_BRIEF, id_of
from tests.support.notifications import Page, everything, mark, ms, page, people, unread
from tests.support.posts import publish
from tests.support.random_walk import walk
from tests.support.system import Person, System
from workers.persist import parsed
from workers.publish import publish as publish_again
from workers.worker import Worker

PEOPLE, THINGS = 5, 2
Group = tuple[str, str]
"""The key of one notification: its kind, and the id of its subject."""


@dataclass
class NotificationModel:
    """The users with their videos, and the notifications that each user must have after the next drain."""

    system: System
    random: random.Random
    people: dict[str, Person]
    ids: dict[str, str]
    things: dict[str, str]
    """The owner of each video."""
    workers: list[Worker] = field(default_factory=list)
    active: set[tuple[str, str]] = field(default_factory=set)
    """The present likes and follows: actor and target."""
    changed: set[tuple[str, str]] = field(default_factory=set)
    """The likes and follows that changed since the last drain. A second change would cancel the first."""
    expected: dict[str, dict[Group, set[str]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(set)))
    times: dict[tuple[str, Group], tuple[int, int]] = field(default_factory=dict)
    """The earliest and the latest possible time of the newest event of each notification, in ms."""
    seen: dict[str, set[tuple[str, int]]] = field(default_factory=lambda: defaultdict(set))
    """The notifications that each user has marked as read, each with its number of actors."""
    published: list[list[Event]] = field(default_factory=list)
    history: list[str] = field(default_factory=list)

    async def step(self) -> None:
        verbs = (
            [self.like] * 6 + [self.follow] * 3 + [self.mention, self.work, self.work, self.read_page, self.read_page]
        )
        await self.random.choice([*verbs, self.stop_before_publication, self.publish_late, self.work_concurrently])()

    # Actions of users.

    async def like(self) -> None:
        actor, (thing, owner) = self._random_user(), self.random.choice(sorted(self.things.items()))
        if (actor, thing) not in self.changed:
            began = wall_clock_ms()
            await self.people[actor].react(self._toggled(actor, thing, "unlike", "like"), thing)
            if (actor, thing) in self.active and actor != owner:
                self._expect(owner, ("LIKE", thing), actor, began)

    async def follow(self) -> None:
        actor, target = self.random.sample(sorted(self.people), 2)
        if (actor, target) not in self.changed:
            verb = self._toggled(actor, target, "unfollow", "follow")
            began = wall_clock_ms()
            await self.people[actor].ask(FOLLOW_BRIEF % verb, id=self.ids[target])
            if (actor, target) in self.active:
                self._expect(target, ("FOLLOW", self.ids[target]), actor, began)

    async def mention(self) -> None:
        actor, target = self.random.sample(sorted(self.people), 2)
        self.history.append(f"{actor} mentions {target}")
        began = wall_clock_ms()
        post = (await publish(self.people[actor], f"{len(self.history)} @{target}"))["post"]["id"]
        self._expect(target, ("MENTION", post), actor, began)

    async def read_page(self) -> None:
        """Reads a page, and perhaps marks a part as read. Expects that the marked notifications are read at once."""
        name = self._random_user()
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
            unchanged = {(node["id"], node["actorCount"]) for node in shown.nodes[at:]}
            assert all(node["read"] for node in now.nodes if (node["id"], node["actorCount"]) in unchanged), (
                self.history
            )

    async def _below(self, name: str, shown: Page, at: int) -> list[Any]:
        """Returns the notification at a position and all older ones, which a mark covers too."""
        rest = (await page(self.people[name], 100, shown.cursors[at])).nodes
        return [shown.nodes[at], *shown.nodes[at:], *rest]

    def _check_read(self, name: str, shown: Page) -> None:
        for node in shown.nodes:
            assert not node["read"] or (node["id"], node["actorCount"]) in self.seen[name], (name, node, self.history)

    def _expect(self, target: str, group: Group, actor: str, began: int) -> None:
        if actor not in self.expected[target][group]:
            self.expected[target][group].add(actor)
            self.times[target, group] = began, wall_clock_ms()

    def _toggled(self, actor: str, target: str, off: str, on: str) -> str:
        verb = off if (actor, target) in self.active else on
        self.active ^= {(actor, target)}
        self.changed.add((actor, target))
        self.history.append(f"{actor} {verb} {target}")
        return verb

    def _random_user(self) -> str:
        return self.random.choice(sorted(self.people))

    # Actions of workers.

    async def work(self) -> None:
        worker = self.random.choice(self.workers)
        await self._handle(worker)

    async def work_concurrently(self) -> None:
        await asyncio.gather(*map(self._handle, self.workers))

    async def _handle(self, worker: Worker) -> None:
        owned = dict(worker.owned)
        entries = await worker.read(owned)
        await worker.handle(owned, entries)
        self.published.append(parsed(entries)[0])

    async def stop_before_publication(self) -> None:
        """Commits a batch without publishing. The next worker finds the entries in the journal."""
        self.history.append("a worker stops before publication")
        worker = self.random.choice(self.workers)
        owned = dict(worker.owned)
        await worker._persist(owned, await worker.read(owned))

    async def publish_late(self) -> None:
        """Publishes an old batch again, as a worker that was suspended."""
        if self.published:
            await publish_again(self.system.state, self.random.choice(self.published), set())

    async def drain(self) -> None:
        for worker in self.workers:
            while await worker.step():
                pass
        self.changed.clear()

    async def check(self) -> None:
        """Drains the system and expects that notifications and unread counts of all users agree with the model."""
        await self.drain()
        assert await self.system.rows("SELECT * FROM untold") == []
        if self.random.random() < 0.5:
            await self.system.empty_redis()
        for name, person in self.people.items():
            nodes = await everything(person, self.random.randint(1, 9))
            shown = {(node["kind"], node["subject"]["id"]): node for node in nodes}
            assert len(shown) == len(nodes), self.history
            assert {group: node["actorCount"] for group, node in shown.items()} == {
                group: len(actors) for group, actors in self.expected[name].items()
            }, (name, self.history)
            for group, node in shown.items():
                assert {actor["handle"] for actor in node["actors"]} <= self.expected[name][group]
                began, ended = self.times[name, group]
                assert began <= ms(node["updatedAt"]) <= ended, (name, group, self.history)
            assert await unread(person) == sum(not node["read"] for node in nodes), (name, self.history)


async def new_model(system: System, seed: int) -> NotificationModel:
    users = {person.handle: person for person in await people(system, *(f"p{n}" for n in range(PEOPLE)))}
    things = {
        video: name
        for name in users
        for video in await system.videos(*(f"{name}-{n}" for n in range(THINGS)), owner=name)
    }
    ids = {name: await id_of(person) for name, person in users.items()}
    model = NotificationModel(system, random.Random(seed), users, ids, things, [system.worker(), system.worker()])
    for _ in range(2):  # the first worker takes all partitions and then gives half of them away
        for worker in model.workers:
            await worker.ownership.renew()
    assert all(worker.owned for worker in model.workers)
    return model


@pytest.mark.parametrize("seed", range(3))
async def test_notifications_agree_with_the_model(system: System, seed: int) -> None:
    await walk(await new_model(system, seed), rounds=6, steps=25)


@pytest.mark.prove
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", range(100, 120))
async def test_notifications_agree_with_the_model_in_long_histories(system: System, seed: int) -> None:
    await walk(await new_model(system, seed), rounds=12, steps=60)
