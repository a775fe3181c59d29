"""A test harness for posts: it compares a real system with a model of authors and moderators.

Its workers may repeat work or do it out of order.
"""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from sqlalchemy import text

from domain.ids import PostId, parse_id
from domain.moderation.verdicts import AuditStatus
from models.counters import CounterKind
from models.patches import NONE
from models.posts import OutboxState
from models.topics import SQUARE as SQUARE_TOPIC
from models.topics import topic_id
from settings import TOPICS, USERS
from store.write_log.journal import Entry
from tests.support.posts import PROFILE, SQUARE, TOPIC, decide, delete, edit, publish, seen
from tests.support.reaction_harness import ReactionHarness, nothing
from tests.support.reaction_model import Model
from tests.support.system import Person, System

NOTIFICATION_TABLES = ("notifications", "notification_heads")
TABLES = ("posts", "claims", "outboxes", "topic_posts", "topics", "fanouts", "reviews", "traces", *NOTIFICATION_TABLES)
_COMMITTED = "SELECT to_jsonb(t) - 'score' - 'score_version' FROM %s t"
NAMES = ("cats", "dogs", "birds")
PAGE = 3


@dataclass
class Post:
    """A post in its author's last version, and whether it is approved."""

    id: str
    author: str
    text: str
    topics: list[str]
    key: str
    approved: bool = True
    deleted: bool = False
    edited_at: str | None = None

    def __post_init__(self) -> None:
        self.versions = [(self.text, self.topics)]

    @property
    def number(self) -> int:
        parsed = parse_id(self.id)
        assert isinstance(parsed, PostId)
        return parsed.id

    @property
    def public(self) -> bool:
        return self.approved and not self.deleted

    @property
    def outbox_state(self) -> OutboxState:
        if self.deleted:
            return OutboxState.DELETED
        return OutboxState.VISIBLE if self.approved else OutboxState.HIDDEN


class PostHarness(ReactionHarness):
    """The reaction harness with requests that write posts instead of reactions."""

    tables: ClassVar[tuple[str, ...]] = TABLES

    def __init__(self, system: System) -> None:
        super().__init__(system)
        self.posts: list[Post] = []
        self.people: dict[str, Person] = {}
        self.moderators: list[Person] = []
        self.written = 0

    async def begin(self) -> None:
        self.examples += 1
        await self._empty_stores()
        self.users = [await self._newcomer(*who) for who in (("alice", 0), ("bob", 1), ("carol", 0))]
        moderators = [await self._newcomer(*who) for who in (("max", 0), ("mia", 2))]
        self.people = {user: self.system.person(user) for user in self.users}
        self.clients = {(user, "phone"): person for user, person in self.people.items()}
        self.moderators = [self.system.person(name, "moderate") for name in moderators]
        self.posts, self.model = [], Model(())
        self.active, self.suspended, self.worker_settings = None, [], {}
        await self._learn_ids()

    async def _empty_stores(self) -> None:
        async with self.state.postgres.transaction() as transaction:
            await transaction.execute(text(f"TRUNCATE {', '.join(self.tables)}"))
        await super()._empty_stores()

    # Clients

    async def publish(self, who: int, topics: Sequence[str]) -> None:
        author, self.written = self.users[who], self.written + 1
        words, key = f"post {self.written}", f"key {self.written}"
        shown = (await publish(self.people[author], words, *topics, key=key))["post"]
        self.posts.append(Post(shown["id"], author, words, list(topics), key))
        await self.check_view(author)

    async def publish_again(self, which: int) -> None:
        """Publishes a post again under the same idempotency key."""
        if self.posts:
            post = self.posts[which % len(self.posts)]
            words, topics = post.versions[0]
            again = await publish(self.people[post.author], words, *topics, key=post.key)
            codes = [error["code"] for error in again["userErrors"]]
            assert (again["post"] and again["post"]["id"], codes) == (
                (None, ["TARGET_DELETED"]) if post.deleted else (post.id, [])
            )

    async def edit(self, which: int, topics: Sequence[str] | None, new_text: bool, working: bool) -> None:
        if not (post := self._some(which)):
            return
        self.written += new_text
        changes: dict[str, Any] = {"text": f"post {self.written}"} if new_text else {}
        if topics is not None:
            changes["topics"] = list(topics)
        payload, _ = await asyncio.gather(
            edit(self.people[post.author], post.id, **changes), self._batch() if working else nothing()
        )
        assert payload["userErrors"] == []
        version = changes.get("text", post.text), changes.get("topics", post.topics)
        if version != (post.text, post.topics):
            post.approved = True  # moderation judges the new text again
            post.versions.append(version)
        post.text, post.topics = version
        post.edited_at = payload["post"]["editedAt"]
        await self.check_view(post.author)

    async def delete(self, which: int, working: bool) -> None:
        if post := self._some(which):
            payload, _ = await asyncio.gather(
                delete(self.people[post.author], post.id), self._batch() if working else nothing()
            )
            assert payload == {"deletedId": post.id, "userErrors": []}
            post.deleted = True
            await self.check_view(post.author)

    async def judge(self, who: int, which: int, approve: bool) -> None:
        """Lets a moderator approve or reject the text that they see, which may be an older one."""
        moderator = self.moderators[who]
        if not self.posts or (shown := await seen(moderator, self.posts[which % len(self.posts)].id)) is None:
            return
        post = self.posts[which % len(self.posts)]
        await decide(moderator, post.id, "APPROVE" if approve else "REJECT")
        if shown["editedAt"] == post.edited_at:
            post.approved = approve

    def _some(self, which: int) -> Post | None:
        there = [post for post in self.posts if not post.deleted]
        return there[which % len(there)] if there else None

    async def check_view(self, user: str, _: str = "phone") -> None:
        """Checks that authors see the last text of their posts, and others any of its texts."""
        assert await self._paged(self.people[user], PROFILE, "user", handle=user) == [
            post.text for post in reversed(self.posts) if post.author == user and not post.deleted
        ]
        for post in self.posts:
            if post.author != user and (shown := await seen(self.people[user], post.id)):
                assert (shown["text"], [topic["name"] for topic in shown["topics"]]) in post.versions
                assert shown["auditStatus"] == "APPROVED"

    async def _paged(self, viewer: Person, query: str, field: str, **of: str) -> list[str]:
        """Returns the texts of all pages of a list."""
        texts: list[str] = []
        after, more = None, True
        while more:
            data = (await viewer.ask(query, first=PAGE, after=after, **of))[field]
            page = data["posts"] if data and "posts" in data else data
            if page is None:
                return []
            texts += [post["text"] for post in page["nodes"]]
            after, more = page["pageInfo"]["endCursor"], page["pageInfo"]["hasNextPage"]
            assert not more or len(page["nodes"]) == PAGE
        return texts

    # Workers

    async def work_at(self, partitions: Collection[int]) -> None:
        """Handles a batch of some partitions. The others wait."""
        worker = await self.current_worker()
        owned = {p: own for p, own in worker.owned.items() if p in partitions}
        await worker.handle(owned, await worker.read(owned))

    async def work_in_two_lanes(self) -> None:
        """Handles two batches at the same time, from different partitions."""
        worker = await self.current_worker()
        owned = sorted(worker.owned.items())
        lanes = [dict(owned[lane::2]) for lane in range(2)]
        batches = [await worker.read(lane) for lane in lanes]
        await asyncio.gather(*[worker.handle(lane, batch) for lane, batch in zip(lanes, batches, strict=True)])

    async def learn_rows(self) -> None:
        return

    def names_in(self, _: Sequence[Entry]) -> set[str]:
        return set()

    async def everything_stored(self) -> list[Any]:
        """Returns every row that a batch commits. Notifications and scores are left out: publishing writes them."""
        tables = (*(table for table in self.tables if table not in NOTIFICATION_TABLES), "counters", "dead_letters")
        stored = [sorted(await self.system.rows(_COMMITTED % table), key=str) for table in tables]
        return [*stored, await self.system.rows("SELECT p, owner, epoch, head FROM partitions ORDER BY p")]

    # Checks

    async def drain_and_check(self) -> None:
        """Drains everything and checks that model, rows, counters and responses agree."""
        await self.handle_all()
        await self.sweep()
        for user in self.users:
            assert await self.state.patches.pending(self.refs[user].entity_id) == NONE
        assert await self.system.rows("SELECT * FROM dead_letters") == []
        assert await self.system.rows("SELECT * FROM fanouts") == []
        lengths = await self.state.journals.lengths(range(4))
        assert (await self.current_worker()).state.settings.journal_tail_seconds or not any(lengths), lengths
        await self._check_rows()
        for viewer in (self.system.person(None), *self.people.values(), *self.moderators):
            await self._check_pages(viewer)

    async def _check_rows(self) -> None:
        found = await self.system.rows("SELECT post_id, text, topics, status, deleted FROM posts ORDER BY post_id")
        status = (AuditStatus.REJECTED, AuditStatus.APPROVED)
        # A deleted post keeps its status. A decision that arrived late may or may not have changed the status.
        assert [(*row[:3], row[4]) for row in found] == [
            (post.number, post.text, post.topics, post.deleted) for post in self._in_order
        ]
        for row, post in zip(found, self._in_order, strict=True):
            assert post.deleted or row[3] == status[post.approved], (row, post)
        assert await self.system.rows("SELECT post_id, state FROM outboxes ORDER BY post_id") == [
            (post.number, post.outbox_state) for post in self._in_order
        ]
        public = [post for post in self.posts if post.public]
        assert sorted(await self.system.rows("SELECT topic_id, post_id FROM topic_posts")) == sorted(
            (topic_id(name), post.number) for post in public for name in (SQUARE_TOPIC, *post.topics)
        )
        counted = [(USERS, ref.entity_id, [post.author for post in public].count(u)) for u, ref in self.refs.items()]
        counted += [(TOPICS, topic_id(name), sum(name in post.topics for post in public)) for name in NAMES]
        counters = "SELECT business_id, entity_id, value FROM counters WHERE kind = :kind AND value <> 0"
        rows = await self.system.rows(counters, kind=int(CounterKind.POSTS))
        assert sorted(rows) == sorted(one for one in counted if one[2])

    @property
    def _in_order(self) -> list[Post]:
        return sorted(self.posts, key=lambda post: post.number)

    async def _check_pages(self, viewer: Person) -> None:
        """Checks every post as a viewer sees it, alone and in lists."""
        newest = [post for post in reversed(self.posts) if not post.deleted]
        moderates = viewer in self.moderators
        for post in self.posts:
            visible = not post.deleted and (post.approved or moderates or post.author == viewer.handle)
            shown = await seen(viewer, post.id)
            assert (shown and shown["text"]) == (post.text if visible else None), (viewer.handle, post)
        if moderates:
            return  # their cached lists may or may not have posts that were rejected since
        mine = [post for post in newest if post.approved or post.author == viewer.handle]
        assert await self._paged(viewer, SQUARE, "square") == [post.text for post in mine]
        for user in self.users:
            theirs = [post for post in mine if post.author == user]
            assert await self._paged(viewer, PROFILE, "user", handle=user) == [post.text for post in theirs]
            count = (await viewer.ask(PROFILE, handle=user, first=1))["user"]["postCount"]
            assert count == sum(post.approved for post in theirs)
        for name in NAMES:
            about = [post.text for post in newest if name in post.topics and post.approved]
            shown = await self._paged(viewer, TOPIC, "topic", name=name)
            assert [shown_text for shown_text in shown if shown_text in about] == about
            # An author's rejected post may still be in the cached list of a topic.
            rest = {post.text for post in newest if post.author == viewer.handle and name in post.topics}
            assert set(shown) - set(about) <= rest
            if topic := (await viewer.ask(TOPIC, name=name, first=1))["topic"]:
                assert topic["postCount"] == len(about)

    async def forget_redis(self) -> None:
        """Drains everything and empties Redis."""
        await self.drain_and_check()
        await self.system.empty_redis()
