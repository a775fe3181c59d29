"""The moderation queue: what a case shows, filters, orders and pages."""

from identity import auth
from tests.support import posts, reports
from tests.support.posts import published
from tests.support.reconciliation import drift
from tests.support.report_scene import Scene
from tests.support.system import Person, System

PAGE = """query ($sort: CaseOrder!, $after: String) { moderationQueue(sort: $sort, after: $after, first: 1) {
  nodes { id } pageInfo { hasNextPage endCursor } } }"""


async def filled(system: System) -> tuple[Scene, str]:
    """Returns a scene with reports of everything, and a post that waits for approval."""
    scene = await Scene(system).made()
    (waiting,) = await published(scene.carol, "get rich quick")
    for target in scene.targets:
        await reports.reported(scene.bob, target)
    await reports.reported(scene.carol, scene.comment)
    await system.drain()
    return scene, waiting


async def test_a_case_shows_its_reports_and_the_record_of_the_author(system: System) -> None:
    scene = await Scene(system).made()
    for target in scene.targets:
        await reports.reported(scene.bob, target, "HATE", "look at this")
        await reports.reported(scene.carol, target)
    await system.drain()

    edges = await reports.queue(scene.moderator)
    assert [edge["node"]["id"] for edge in edges] == scene.targets
    for edge in edges:
        assert edge["reason"] is None
        assert edge["case"].pop("openedAt")
        assert edge["case"] == {
            "status": "OPEN",
            "sources": ["REPORTS"],
            "resolvedAt": None,
            "assignee": None,
            "assignedUntil": None,
            "appeal": None,
            "reportCount": 2,
            "reportReasons": [{"reason": "SPAM", "count": 1}, {"reason": "HATE", "count": 1}],
            "newestReports": [
                {"reason": "SPAM", "note": None, "reporter": {"handle": "carol"}},
                {"reason": "HATE", "note": "look at this", "reporter": {"handle": "bob"}},
            ],
            "author": {"handle": "alice"},
            "authorRecord": {
                "reportsReceivedCount": 8,
                "acceptedReportsReceivedCount": 0,
                "rejectedCount": 0,
                "warnedCount": 0,
                "suspendedCount": 0,
            },
        }


async def test_the_queue_has_filters_and_orders(system: System) -> None:
    scene, waiting = await filled(system)
    everything = [waiting, *scene.targets]
    expected: list[tuple[dict[str, str], list[str]]] = [
        ({}, everything),
        ({"sort": "NEWEST"}, everything[::-1]),
        ({"source": "REPORTS"}, scene.targets),
        ({"source": "WORDS"}, [waiting]),
        ({"source": "RULES"}, []),
        ({"kind": "POST"}, [waiting, scene.post]),
        ({"kind": "COMMENT"}, [scene.comment]),
        ({"kind": "USER"}, [scene.user]),
        ({"kind": "ENTITY"}, [scene.video]),
        ({"business": "video"}, [scene.comment, scene.video]),
        ({"business": "post"}, [waiting, scene.post]),
        ({"business": "video", "kind": "ENTITY"}, [scene.video]),
    ]
    for wanted, found in expected:
        assert list(await reports.queued(scene.moderator, **wanted)) == found
    most = list(await reports.queued(scene.moderator, sort="MOST_REPORTED"))
    assert (most[0], most[-1], set(most)) == (scene.comment, waiting, set(everything))


async def test_the_queue_has_pages_in_each_order(system: System) -> None:
    scene, _ = await filled(system)

    for sort in ("OLDEST", "NEWEST", "MOST_REPORTED"):
        whole = list(await reports.queued(scene.moderator, sort=sort))
        paged: list[str] = []
        after, page = None, {"pageInfo": {"hasNextPage": True}}
        while page["pageInfo"]["hasNextPage"]:
            page = (await scene.moderator.ask(PAGE, sort=sort, after=after))["moderationQueue"]
            paged += [node["id"] for node in page["nodes"]]
            after = page["pageInfo"]["endCursor"]
        assert paged == whole
    cursor = (await scene.moderator.ask(PAGE, sort="NEWEST", after=None))["moderationQueue"]["pageInfo"]["endCursor"]
    wrong = (await scene.moderator.send(PAGE, sort="OLDEST", after=cursor)).json()
    assert wrong["errors"][0]["extensions"]["code"] == "BAD_CURSOR"
    wrong = (await scene.moderator.send(reports.QUEUE, sort="OLDEST", business="nothing")).json()
    assert wrong["errors"][0]["extensions"]["code"] == "BAD_INPUT"


async def test_a_restricted_token_does_not_see_the_record_of_an_author(system: System) -> None:
    scene = await Scene(system).made()
    await reports.reported(scene.bob, scene.post)
    await system.drain()
    token = auth.mint(system.settings, "mia", scopes=["moderate"], businesses=["post"])
    restricted = Person(system.http, "mia", {"authorization": f"Bearer {token}"})

    for moderator, sees in ((scene.moderator, True), (restricted, False)):
        (edge,) = await reports.queue(moderator)
        assert edge["case"]["author"] == {"handle": "alice"}
        assert (edge["case"]["authorRecord"] is not None) == sees


async def test_an_edit_that_waits_again_keeps_one_case(system: System) -> None:
    scene = await Scene(system).made()
    await reports.reported(scene.bob, scene.post)
    await system.drain()
    await posts.edit(scene.alice, scene.post, text="get rich quick")
    await system.drain()
    (edge,) = await reports.queue(scene.moderator)
    assert (edge["case"]["sources"], edge["reason"] is None) == (["WORDS", "REPORTS"], False)
    await posts.edit(scene.alice, scene.post, text="harmless")
    await system.drain()
    (edge,) = await reports.queue(scene.moderator)
    assert edge["case"]["sources"] == ["REPORTS"]
    assert await drift(system, "cases") == {}
