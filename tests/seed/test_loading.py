"""Loading the community into a deployment: all of it is stored once and visible, with past times if possible.

Only the first test loads the whole community. The others load fewer people.
"""

import asyncio
from collections import Counter
from functools import cached_property

import pytest

import seed.loading
from domain.ids import CommentId, EntityId, born_ms
from domain.moderation.verdicts import AuditStatus
from domain.ranking import hot_comment
from domain.versions import moment_ms
from seed.community import OBJECTIONABLE_KEY, Community
from seed.loading import NoWorker, _unread
from seed.people import Person
from seed.saves import COLLECTIONS
from settings import ModerationSettings
from state import opened
from tests.support.comments import add, counts, read
from tests.support.fallback_mode import begin, end, worker_apart
from tests.support.posts import on_square, publish, seen
from tests.support.reconciliation import drift
from tests.support.stores import standalone
from tests.support.system import REACT, System

DAY = 86_400_000
ALL = ("users", "entities", "posts", "comments", "comment_contents", "comment_subjects", "notifications", "claims",
       "outboxes", "topic_posts", "following", "followers", "reactions", "saves", "collections", "like_log", "records",
       "counters", "reports", "cases")  # fmt: skip
PERSON = """query ($handle: String!) { user(handle: $handle) {
  id displayName bio postCount followerCount followingCount likesReceivedCount } }"""
QUEUE = """query ($source: ModerationSource) {
  moderationQueue(source: $source) { nodes { id } edges { case { reportCount } } } }"""
LIKED_BY_ALICE = """
    SELECT r.entity_id,
           (SELECT count(*) FROM reactions o WHERE (o.business_id, o.entity_id, o.state) = (2, r.entity_id, 1))
    FROM reactions r JOIN users USING (user_id) WHERE handle = 'alice' AND business_id = 2 ORDER BY entity_id LIMIT 1
"""
WRITTEN = """
    SELECT c.comment_id, c.subject_business, c.subject_id, c.root_id, c.moment, c.score, t.floor, t.answered
    FROM comments c JOIN comment_contents t USING (comment_id) WHERE c.state = 1 AND t.status = 1
"""
COUNTED = """
    SELECT business_id, entity_id, kind, value FROM counters
    WHERE value > 0 AND (kind IN (10, 11, 12) OR (business_id, kind) = (4, 1))
"""
FAVOURITES = "{ viewer { saved { nodes { targetId } } collections { nodes { name items { nodes { targetId } } } } } }"
HOME = """{ viewer { home(first: 50) { edges {
  repostedBy(first: 1) { nodes { handle } } node { author { handle } } } } } }"""


async def everything(system: System) -> dict[str, str]:
    """Returns a fingerprint of every table."""
    found = {}
    for table in ALL:
        sql = f"SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) FROM {table} t"  # noqa: S608 - constants
        ((found[table],),) = await system.rows(sql)
    return found


async def statuses(system: System, table: str = "posts") -> Counter[AuditStatus]:
    rows = await system.rows(f"SELECT status, count(*) FROM {table} GROUP BY status")  # noqa: S608 - constants
    return Counter({AuditStatus(status): count for status, count in rows})


async def assert_complete(system: System, community: Community) -> None:
    judged = {AuditStatus.PENDING: 4, AuditStatus.REJECTED: 3, AuditStatus.APPROVED: len(community.posts) - 7}
    assert await statuses(system) == judged
    shown = sum(bool(post.images) for post in community.posts)
    assert await system.rows("SELECT count(*) FROM posts WHERE images <> '[]'") == [(shown,)]
    assert shown
    assert await system.rows("SELECT count(*) FROM users WHERE avatar_url IS NULL") == [(0,)]
    for table, count in {
        "dead_letters": 0,
        "fanouts": 0,
        "claims": len(community.posts) + len(community.comments),
        "comments": len(community.comments),
        "following": len(community.follows),
        "reactions": len(community.likes) + len(community.reactions) + len(community.comment_likes),
        "reposts": len(community.reposts),
        "saves": len(community.saves),
        "collections": len(COLLECTIONS),
        "entities": len(community.things),
        "reports": len(community.reports),
    }.items():
        assert await system.rows(f"SELECT count(*) FROM {table}") == [(count,)], table  # noqa: S608 - constants


async def assert_past(system: System, now_ms: int) -> None:
    """Checks that events have past times."""
    ((oldest, newest),) = await system.rows("SELECT min(moment), max(moment) FROM posts")
    assert 25 * DAY < now_ms - moment_ms(oldest) < 31 * DAY
    assert 0 < now_ms - moment_ms(newest) < DAY
    ((updated, moment),) = await system.rows("SELECT max(updated_ms), max(moment) FROM notifications")
    assert updated < now_ms
    assert moment_ms(moment) < now_ms
    ((youngest,),) = await system.rows("SELECT max(user_id) FROM users")
    assert now_ms - born_ms(youngest) > 60 * DAY
    assert await system.rows("SELECT count(*) FROM posts WHERE moment >> 10 <> (post_id >> 22) + 1546300800000") == [
        (0,)
    ]


async def assert_counted(system: System, community: Community) -> None:
    """Checks that counters and lists agree with the community."""
    followers = Counter(followee for _, followee, _ in community.follows)
    for one in (0, 5, 8, 9, 150):
        person = community.people[one]
        written = sum(post.author == one and post.key != OBJECTIONABLE_KEY for post in community.posts)
        user = (await system.person("bob").ask(PERSON, handle=person.handle))["user"]
        assert (user["displayName"], user["bio"]) == (person.name, person.bio)
        assert (user["postCount"], user["followerCount"]) == (written, followers[one])
    assert len(set(await on_square(system.person(None), 100))) == 100


async def assert_talked(system: System, community: Community) -> None:
    """Checks counters, floors, marks and scores of comments."""
    written = await system.rows(WRITTEN)
    assert len(written) == len(community.comments)
    sql = "SELECT entity_id, count(*) FROM reactions WHERE business_id = 4 GROUP BY 1"
    likes = Counter(dict(await system.rows(sql)))
    counted = Counter({(4, comment_id, 1): count for comment_id, count in likes.items()})
    floors: dict[tuple[int, int], list[int]] = {}
    for _, business_id, subject_id, root_id, _, _, floor, _ in written:
        place, kind = ((4, root_id), 12) if root_id else ((business_id, subject_id), 11)
        counted.update([(business_id, subject_id, 10), (*place, kind)])
        floors.setdefault(place, []).append(floor)
    assert {(*ref, kind): value for *ref, kind, value in await system.rows(COUNTED)} == counted
    assert all(sorted(given) == list(range(1, len(given) + 1)) for given in floors.values())
    issued = await system.rows("SELECT business_id, entity_id, floors FROM comment_subjects")
    assert {(business, entity): last for business, entity, last in issued} == {
        place: len(given) for place, given in floors.items()
    }
    for comment_id, _, _, root_id, moment, score, _, answered in written:
        replies = counted[4, comment_id, 12]
        assert not answered or replies
        assert root_id or score == hot_comment(moment, likes[comment_id], 0, replies)


async def assert_threads_go_on(system: System, community: Community) -> None:
    """Checks that the longest thread is readable in every order, and that a new reply has the next floor."""
    below_things = (one.subject for one in community.comments if one.subject >= len(community.posts))
    ((subject, size),) = Counter(below_things).most_common(1)
    thing = community.things[subject - len(community.posts)]
    video, bob = EntityId.text(thing.business, thing.key), system.person("bob")
    roots = [one for one in community.comments if one.subject == subject and one.root is None]
    assert await counts(bob, video) == (size, len(roots))
    for sort in ("HOT", "NEWEST", "OLDEST"):
        assert sorted(await read(bob, video, sort)) == sorted(root.text for root in roots)
    ((business, entity, root, replies),) = await system.rows(
        """SELECT subject_business, subject_id, root_id, count(*) FROM comments
           WHERE root_id <> 0 GROUP BY 1, 2, 3 ORDER BY 4 DESC LIMIT 1"""
    )
    subject_id = f"Post:{entity}" if business == 2 else video
    reply = await add(bob, subject_id, "One more.", to=CommentId.text(business, root))
    assert reply["userErrors"] == []
    await system.drain()
    assert await system.rows("SELECT floor FROM comment_contents ORDER BY moment DESC LIMIT 1") == [(replies + 1,)]


async def assert_favourites(system: System, community: Community) -> None:
    """Checks that alice has her saves, and her collections with what is in them."""
    own = [save for save in community.saves if save.person == 0]
    inside = Counter(COLLECTIONS[save.collection].name for save in own if save.collection is not None)
    viewer = (await system.person("alice").ask(FAVOURITES))["viewer"]
    assert len(viewer["saved"]["nodes"]) == len(own)
    assert {node["name"]: len(node["items"]["nodes"]) for node in viewer["collections"]["nodes"]} == inside


async def assert_likes_can_be_taken_back(system: System) -> None:
    ((liked, likes),) = await system.rows(LIKED_BY_ALICE)
    alice, post = system.person("alice"), f"Post:{liked}"
    payload = (await alice.ask(REACT % "like", id=post))["like"]
    assert (payload["target"]["likeCount"], payload["target"]["viewerReaction"]) == (likes, "LIKE")
    payload = (await alice.ask(REACT % "unlike", id=post))["unlike"]
    assert (payload["target"]["likeCount"], payload["target"]["viewerReaction"]) == (likes - 1, None)


async def assert_something_waits(system: System) -> None:
    """Checks that moderators see waiting posts and others do not, and what is reported."""
    mod = system.person("mod", "moderate")
    queue = (await mod.ask(QUEUE, source="WORDS"))["moderationQueue"]["nodes"]
    assert len(queue) == 4
    assert await seen(system.person("bob"), queue[0]["id"]) is None
    cases = (await mod.ask(QUEUE, source="REPORTS"))["moderationQueue"]
    assert Counter(one["id"].split(":")[0] for one in cases["nodes"]) == {
        "Post": 6,
        "Comment": 1,
        "Entity": 1,
        "User": 1,
    }
    assert sorted(one["case"]["reportCount"] for one in cases["edges"]) == [1, 1, 1, 1, 1, 2, 2, 3, 4]


async def assert_home(system: System, community: Community) -> None:
    """Checks that users with follows have a home page: posts by themselves and by those whom they follow, and posts
    that these have reposted.
    """
    edges = (await system.person("alice").ask(HOME))["viewer"]["home"]["edges"]
    reposted = [one["repostedBy"] for one in edges]
    at_home = {
        (by["nodes"][0] if by else one["node"]["author"])["handle"] for one, by in zip(edges, reposted, strict=True)
    }
    followed = {community.people[followee].handle for one, followee, _ in community.follows if one == 0}
    assert at_home <= followed | {"alice"}
    assert len(at_home) > 5


class SmallCommunity(Community):
    """A community with fewer people."""

    @cached_property
    def people(self) -> list[Person]:
        return super().people[:40]


@pytest.fixture
def small_community(monkeypatch: pytest.MonkeyPatch) -> Community:
    monkeypatch.setattr(seed.loading, "Community", SmallCommunity)
    return SmallCommunity()


@pytest.mark.prove
@pytest.mark.parametrize("redis_mode", ["standalone", "cluster"])
async def test_an_empty_deployment_gets_events_with_past_times_once(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seed.loading, "_PATIENCE", 0.2)
    with pytest.raises(NoWorker):
        await asyncio.to_thread(seed.loading.run, system.settings)
    monkeypatch.undo()
    await system.seed()  # the deployment has a worker now
    await system.drain()
    before, now_ms, community = await everything(system), system.state.now_ms(), Community()
    await system.seed()
    assert await everything(system) == before
    assert await drift(system) == {}
    await assert_complete(system, community)
    await assert_past(system, now_ms)
    await assert_counted(system, community)
    await assert_talked(system, community)
    await assert_threads_go_on(system, community)
    await assert_favourites(system, community)
    await assert_likes_can_be_taken_back(system)
    await assert_something_waits(system)
    await assert_home(system, community)


@standalone
async def test_loading_waits_for_a_redis_that_has_just_started(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    await begin(system)
    await end(system)
    await system.rows("UPDATE modes SET servers = '{another}' RETURNING 1")
    with monkeypatch.context() as hurried, pytest.raises(NoWorker):
        hurried.setattr(seed.loading, "_PATIENCE", 0.2)
        await asyncio.to_thread(seed.loading.run, system.settings)

    async with worker_apart(system) as worker:
        await worker.direct_writes.check()

    async with opened(system.settings, "seed") as state:
        assert await _unread(state) == 0


@standalone
async def test_events_happen_now_in_a_deployment_with_data(system: System, small_community: Community) -> None:
    await publish(system.person("zoe"), "I was here first.")
    await system.person("alice").ask('mutation { updateProfile(input: {bio: "Myself."}) { user { bio } } }')
    await system.drain()
    before_ms = system.state.now_ms()
    ((zoe,),) = await system.rows("SELECT post_id FROM posts")

    await system.seed()

    ((oldest,),) = await system.rows("SELECT min(moment) FROM posts WHERE post_id <> :zoe", zoe=zoe)
    assert moment_ms(oldest) >= before_ms
    assert await system.rows("SELECT text FROM posts WHERE post_id = :zoe", zoe=zoe) == [("I was here first.",)]
    assert (await system.person("bob").ask(PERSON, handle="alice"))["user"]["bio"] == "Myself."
    authors = [one.author for one in small_community.posts] + [one.author for one in small_community.comments]
    waiting = 4 + authors.count(0) - ModerationSettings().new_posts_per_hour  # alice's account is new
    judged = await statuses(system) + await statuses(system, "comment_contents")
    assert judged[AuditStatus.REJECTED] == 3
    assert judged.total() == 1 + len(authors)
    # Moderation sees the posts of a batch before its comments, so the comments are not among earlier texts.
    assert 0 <= waiting - judged[AuditStatus.PENDING] <= ModerationSettings().new_posts_per_hour
    before = await everything(system)
    await system.seed()
    assert await everything(system) == before


@standalone
async def test_loading_beside_another_loader_adds_events_in_the_present(
    system: System, small_community: Community
) -> None:
    journal = system.state.keys.journal(0)
    await system.state.redis(
        "XDEL", journal, await system.state.redis("XADD", journal, "*", "kind", "none", write=True)
    )

    await system.seed()
    await system.drain()

    await assert_complete(system, small_community)
    ((past,),) = await system.rows("SELECT count(*) FROM posts WHERE moment >> 10 = (post_id >> 22) + 1546300800000")
    assert past < len(small_community.posts)
