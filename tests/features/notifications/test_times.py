"""Two workers deliver the events of hours without a worker: notifications have the times of their events and the order
of their delivery, and marked notifications stay read.
"""

import random
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson
import pytest
import pytest_asyncio

from domain.ids import wall_clock_ms
from domain.versions import moment_ms
from models.follows import FOLLOW
from models.likes import REACT
from settings import USERS, Settings
from tests.support.notifications import Page, mark, ms, page, people
from tests.support.stores import standalone
from tests.support.system import LENIENT, Person, System, running
from workers.worker import Worker

FANS, THINGS = 12, 8
OUTAGE_MS = 6 * 3_600_000
"""The length of the time without a worker."""


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """Yields a system whose workers store few entries per batch."""
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=0, batches={"entries": 6})) as system:
        yield system


@dataclass
class ReaderState:
    """The notifications that Alice read last and those that she marked as read, each with its number of actors."""

    alice: Person
    order: list[tuple[str, int]] = field(default_factory=list)
    read: set[tuple[str, int]] = field(default_factory=set)

    async def read_page(self) -> Page:
        """Reads a page and expects the order and the read marks of the model."""
        shown = await page(self.alice, 100)
        now = wall_clock_ms()
        assert all(ms(node["createdAt"]) <= ms(node["updatedAt"]) <= now for node in shown.nodes)
        order = [id_and_actors(node) for node in shown.nodes]
        unchanged = [one for one in self.order if one in order]
        assert order[len(order) - len(unchanged) :] == unchanged, "unchanged notifications stay below changed ones"
        assert [node["read"] for node in shown.nodes] == [one in self.read for one in order]
        assert shown.unread == len(set(order) - self.read)
        self.order = order
        return shown

    async def mark(self, shown: Page, at: int) -> None:
        await mark(self.alice, shown.cursors[at])
        self.read |= set(self.order[at:])
        await self.read_page()


def id_and_actors(node: Any) -> tuple[str, int]:
    return node["id"], node["actorCount"]


async def likes_and_follows(system: System, alice: Person, chance: random.Random) -> dict[str, list[int]]:
    """Fills the journals with hours of likes and follows. Returns the times of the likes or follows of each subject."""
    videos = await system.videos(*(f"v{n}" for n in range(THINGS)), owner="alice")
    refs = dict(await system.rows("SELECT key, entity_id FROM entities"))
    fans = [number(await fan.id()) for fan in await people(system, *(f"fan{n}" for n in range(FANS)))]
    owner = number(await alice.id())
    targets = [(USERS, owner), *((100, refs[f"v{n}"]) for n in range(THINGS))]
    subjects = [await alice.id(), *videos]
    now, times, entries = system.state.now_ms(), defaultdict[str, list[int]](list), []
    for fan in fans:
        for subject, (business, entity) in zip(subjects, targets, strict=True):
            at = now - chance.randrange(OUTAGE_MS)
            times[subject].append(at)
            entries.append((at, fan, fields(fan, business, entity, owner)))
    entries.sort(key=lambda entry: entry[:2])
    partition = system.state.keys.partition_of
    await system.state.journals.append([(partition(fan), at, entry) for at, fan, entry in entries])
    return times


def number(user_id: str) -> int:
    return int(user_id.removeprefix("User:"))


def fields(fan: int, business: int, entity: int, owner: int) -> dict[str, Any]:
    """Returns a journal entry, of a follow or a like."""
    if business == USERS:
        return {"kind": FOLLOW, "state": 1, "data": orjson.dumps({"actor": fan, "followee": entity})}
    about = {"actor": fan, "business": business, "entity": entity, "owner": owner, "verb": "like"}
    return {"kind": REACT, "state": 1, "was": 0, "data": orjson.dumps(about)}


async def two_workers(system: System) -> Sequence[Worker]:
    """Returns two workers with half of the partitions each."""
    workers = [system.worker(), system.worker()]
    for worker in workers * 2:  # the first worker takes all partitions and then gives half of them away
        await worker.ownership.renew()
    assert all(worker.owned for worker in workers)
    return workers


@standalone
@pytest.mark.parametrize("seed", range(2))
async def test_after_an_outage_notifications_have_event_times_and_the_order_of_delivery(
    system: System, seed: int
) -> None:
    chance = random.Random(seed)
    (alice,) = await people(system, "alice")
    times = await likes_and_follows(system, alice, chance)
    workers, reader = await two_workers(system), ReaderState(alice)
    busy = True
    while busy:
        busy = False
        for worker in chance.sample(workers, 2):
            entries = await worker.read(owned := dict(worker.owned))
            await worker.handle(owned, entries)
            busy |= bool(entries)
            if chance.random() < 0.5:
                shown = await reader.read_page()
                if shown.nodes and chance.random() < 0.5:
                    await reader.mark(shown, chance.randrange(len(shown.nodes)))

    nodes = (await reader.read_page()).nodes

    assert {node["subject"]["id"]: (ms(node["createdAt"]), ms(node["updatedAt"])) for node in nodes} == {
        subject: (min(times), max(times)) for subject, times in times.items()
    }
    assert {node["actorCount"] for node in nodes} == {FANS}
    ((head,),) = await system.rows("SELECT moment FROM notification_heads")
    assert moment_ms(head) - max(map(max, times.values())) <= 1, "moments do not drift away from the times"
