"""What notices leave: outgoing events for a mailer, rows after a deletion or an erasure, right cases."""

import pytest

from models.reports import TRUSTED_WEIGHT
from settings import FIRST_EXTERNAL
from tests.support import deletions, erasing, notices, posts, reports
from tests.support.costs import cost
from tests.support.outgoing import received, to_stream
from tests.support.reconciliation import drift, execute
from tests.support.report_scene import Scene
from tests.support.stores import standalone
from tests.support.system import System


@standalone
async def test_a_mailer_gets_the_address_of_the_person(system: System) -> None:
    scene = await Scene(system).made()
    await to_stream(system, "notice.received", "notice.decided")
    number = await notices.sent(system.person(None), scene.video)
    moot = await notices.sent(system.person("flagger", "notices:trusted"), scene.post, email="eve@example.org")
    await system.drain()
    await reports.resolve(scene.moderator, scene.video, "ACCEPT")
    await posts.delete(scene.alice, scene.post)

    events = {(event["kind"], event["data"]["number"]): event["data"] for event in await received(system)}
    assert set(events) == {(kind, one) for kind in ("notice.received", "notice.decided") for one in (number, moot)}
    assert events["notice.received", number] | {"receivedAt": ""} == {
        "number": number,
        "targetId": scene.video,
        "law": "Criminal Code, section 275",
        "explanation": "It sells forged passports.",
        "name": "Nora",
        "email": "nora@example.org",
        "isTrusted": False,
        "receivedAt": "",
    }
    decided = events["notice.decided", number]
    assert (decided["email"], decided["status"], decided["decision"]) == ("nora@example.org", "ACCEPTED", "decided")
    gone = events["notice.decided", moot]
    assert (gone["email"], gone["isTrusted"], gone["status"], gone["decision"]) == (
        *("eve@example.org", True, "MOOT", None),
    )


@standalone
async def test_a_deleted_account_takes_the_explanations_of_notices_about_it(system: System) -> None:
    scene, anyone = await Scene(system).made(), system.person(None)
    numbers = {target: await notices.sent(anyone, target) for target in (scene.user, scene.video)}
    await system.drain()
    await deletions.delete(scene.alice)
    await deletions.finish(system)

    assert (await notices.status(anyone, numbers[scene.user]))["state"] == "MOOT"
    assert (await notices.status(anyone, numbers[scene.video]))["state"] == "OPEN"
    rows = await system.rows("SELECT status, explanation FROM notices ORDER BY status")
    assert [tuple(row) for row in rows] == [(0, "It sells forged passports."), (3, "")]
    assert await drift(system, "cases") == {}


@standalone
async def test_an_erased_entity_takes_its_notices(system: System) -> None:
    scene, anyone = await Scene(system).made(), system.person(None)
    number = await notices.sent(anyone, scene.video)
    await system.drain()
    await erasing.erase(system.person("registrar", "entities:write"), scene.video)
    await erasing.finish(system)

    assert await notices.status(anyone, number) is None
    assert await system.rows(f"SELECT 1 FROM notices WHERE business_id >= {FIRST_EXTERNAL}") == []  # noqa: S608


@standalone
async def test_reading_notices_costs_one_query_for_a_page(system: System) -> None:
    scene, anyone = await Scene(system).made(), system.person(None)
    numbers = [await notices.sent(anyone, target) for target in scene.targets]
    await system.drain()
    assert await cost(anyone, notices.STATUS, number=numbers[0]) == (0, 1)

    page = notices.QUEUE
    without = page.replace("notices { number law explanation name email isTrusted receivedAt }", "")
    await notices.queue(scene.moderator)  # caches the users
    (_, plain), (_, full) = [
        await cost(scene.moderator, query, sort="OLDEST", source="NOTICES") for query in (without, page)
    ]
    assert full == plain + 1


@standalone
@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE cases SET sources = sources & ~32",
        "UPDATE cases SET weight = 0",
        f"UPDATE cases SET weight = weight + {TRUSTED_WEIGHT}",  # noqa: S608 - a constant
        "DELETE FROM cases",
        "UPDATE notices SET status = 1, decided = 1",
    ],
)
async def test_cases_that_disagree_with_notices_are_repaired(system: System, damage: str) -> None:
    scene = await Scene(system).made()
    await notices.sent(system.person("flagger", "notices:trusted"), scene.video)
    await system.drain()
    await execute(system, damage)

    assert await drift(system, "cases", repair=True) == {"cases": 1}
    assert await drift(system, "cases") == {}
    if "notices" not in damage:
        assert list(await notices.queue(scene.moderator, "MOST_REPORTED")) == [scene.video]
