"""Checks the effects of a batch on reports and cases: the order of events, the weights, and what reporters are told."""

import asyncio
import time

import pytest

from domain.moderation.reports import ReportStatus
from models.counters import EntityRef
from settings import USERS
from store.moderation.reports import Closing, reporters
from tests.support import comments, posts, reports
from tests.support.reconciliation import drift, execute
from tests.support.report_scene import Scene
from tests.support.stores import standalone
from tests.support.system import Person, System

pytestmark = standalone
DISMISSED, DELETED = "Your report was dismissed: decided", "What you reported was deleted."


async def later() -> None:
    """Lets the clock go on, so that versions of different journals are in the order of the requests."""
    await asyncio.sleep(0.005)


def number(user_id: str) -> int:
    return int(user_id.removeprefix("User:"))


async def set_ahead(system: System, person: Person) -> None:
    """Sets the clock of a person's journal ahead by a minute."""
    key = system.state.keys.journal(system.state.keys.partition_of(number(await person.id())))
    ahead = f"{int(time.time() * 1000) + 60_000}-0"
    await system.state.redis("XADD", key, ahead, "kind", "none", write=True)
    await system.state.redis("XDEL", key, ahead, write=True)


async def test_a_repeated_report_counts_once_in_the_weights_of_its_network(system: System) -> None:
    scene = await Scene(system).made()
    await reports.reported(scene.bob, scene.user)
    await system.drain()
    await reports.reported(scene.bob, scene.user, "HATE")
    await later()
    await reports.reported(scene.carol, scene.user)
    await system.drain()

    assert await system.rows("SELECT weight FROM reports ORDER BY weight DESC") == [(20,), (10,)]
    assert await drift(system, "cases") == {}


@pytest.mark.parametrize("again", ["bob", "carol"])
async def test_a_case_that_is_closed_and_opened_again_gets_the_later_moment(system: System, again: str) -> None:
    scene = await Scene(system).made()
    await reports.reported(scene.bob, scene.user)
    await system.drain()
    await reports.resolve(scene.moderator, scene.user, "DISMISS")
    await later()
    await reports.reported(system.person(again), scene.user)
    await system.drain()

    assert await reports.queued(scene.moderator) == {scene.user: 1}
    ((opened, reported),) = await system.rows(
        "SELECT moment >> 10, (SELECT max(version) >> 20 FROM reports) FROM cases"
    )
    assert opened == reported
    assert [message for message, _ in await reports.notified(scene.bob)] == [DISMISSED]
    assert await drift(system, "cases") == {}


async def test_each_decision_of_a_batch_closes_the_reports_before_it(system: System) -> None:
    scene = await Scene(system).made()
    await reports.reported(scene.bob, scene.user)
    await later()
    await reports.resolve(scene.moderator, scene.user, "DISMISS")
    await later()
    await reports.reported(scene.carol, scene.user)
    await later()
    await reports.resolve(scene.moderator, scene.user, "ACCEPT")
    await system.drain()

    assert await reports.notified(scene.bob) == [(DISMISSED, scene.user)]
    assert await reports.notified(scene.carol) == [("Your report was accepted: decided", scene.user)]
    assert await drift(system, "cases") == {}


@pytest.mark.parametrize(("first", "told"), [("decision", DISMISSED), ("deletion", DELETED)])
async def test_reporters_are_told_what_came_first(system: System, first: str, told: str) -> None:
    scene = await Scene(system).made()
    await reports.reported(scene.bob, scene.post)
    await system.drain()
    if first == "deletion":
        await posts.delete(scene.alice, scene.post)
        await later()
    await reports.resolve(scene.moderator, scene.post, "DISMISS")
    await later()
    if first == "decision":
        await posts.delete(scene.alice, scene.post)
    await system.drain()

    assert [message for message, _ in await reports.notified(scene.bob)] == [told]
    assert await reports.queued(scene.moderator) == {}
    assert await drift(system, "cases") == {}


async def test_a_deletion_and_a_decision_with_a_later_version_are_two_notifications(system: System) -> None:
    scene = await Scene(system).made()
    await set_ahead(system, scene.moderator)
    await reports.reported(scene.bob, scene.comment)
    await comments.decide(scene.moderator, scene.comment, "APPROVE")
    await system.drain()
    await reports.reported(scene.bob, scene.comment)
    await comments.delete(scene.alice, scene.comment)
    await system.drain()

    told = [message for message, _ in await reports.notified(scene.bob)]
    assert sorted(told) == [DELETED, "Your report was dismissed: because"]


async def test_a_case_whose_count_is_too_low_does_not_stay_open(system: System) -> None:
    scene = await Scene(system).made()
    await reports.reported(scene.bob, scene.user)
    await system.drain()
    await execute(system, "UPDATE cases SET reports = 0")
    await reports.resolve(scene.moderator, scene.user, "DISMISS")
    await system.drain()

    assert await reports.queued(scene.moderator) == {}


async def test_reports_without_a_case_wait_until_it_is_repaired(system: System) -> None:
    scene = await Scene(system).made()
    await reports.reported(scene.bob, scene.comment)
    await system.drain()
    cases = "SELECT business_id, about, author_id, sources FROM cases"
    ((*expected, source),) = await system.rows(cases)
    await execute(system, "DELETE FROM cases")
    await comments.decide(scene.moderator, scene.comment, "APPROVE")
    await system.drain()
    assert await system.rows(cases) == []
    await drift(system, "cases", repair=True)
    assert await system.rows(cases) == [(*expected, source)]
    await reports.resolve(scene.moderator, scene.comment, "DISMISS")
    await system.drain()

    assert await system.rows(cases) == [(*expected, 0)]
    assert [message for message, _ in await reports.notified(scene.bob)] == [DISMISSED]


async def test_only_reporters_of_closed_reports_are_looked_up_again(system: System) -> None:
    scene = await Scene(system).made()
    dave = system.person("dave")
    bob, carol, reported = [number(id_) for id_ in (await scene.bob.id(), await scene.carol.id(), scene.user)]
    await reports.reported(scene.bob, scene.user)
    await reports.resolve(scene.moderator, scene.user, "DISMISS")
    await system.drain()
    await reports.reported(scene.carol, scene.user)
    await system.drain()
    await reports.resolve(scene.moderator, scene.user, "ACCEPT")
    await system.drain()
    ((decided,),) = await system.rows("SELECT max(head) FROM partitions")
    await reports.reported(dave, scene.user)
    await system.drain()

    accepted = Closing(EntityRef(USERS, reported), decided, ReportStatus.ACCEPTED)
    assert await reporters(system.state.postgres, [accepted]) == {carol}
    assert await reporters(system.state.postgres, [accepted._replace(status=ReportStatus.DISMISSED)]) == {bob}
    assert await reporters(system.state.postgres, [accepted._replace(version=1)]) == set()
