"""A subject whose comments change, and readers who page through its hottest comments."""

from dataclasses import dataclass, field
from typing import NamedTuple

from models.counters import EntityRef
from store import keys
from tests.support.comments import COMMENTS, MODERATE, add, added, delete, many, number, page, seen
from tests.support.system import Person, System

OLD, NEW = 25, 3
"""The numbers of old and of new comments at the beginning. The old comments are not ranked."""


class ReadPage(NamedTuple):
    """A page that a reader has received."""

    after: str | None
    first: int
    ids: list[str]
    end: str | None
    more: bool


@dataclass
class Reading:
    """The pages that a reader has read of one list."""

    reader: Person
    expected: set[str]
    """The comments at the start of the reading. The reader must find them all, unless they are hidden meanwhile."""
    pages: list[ReadPage]
    lapsed: bool = False
    """Whether Redis has lost the snapshot of the cursors."""
    dead: list[ReadPage] = field(default_factory=list)
    """Pages of a lost snapshot. The reader has begun again from the cursor of page one."""


class HotCommentReaders:
    """One application for any number of examples. Each example has its own subject and its own users."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.examples = 0

    async def begin(self) -> None:
        self.examples += 1
        (self.video,) = await self.system.videos(f"v{self.examples}")
        self.people = [self.system.person(f"{name}{self.examples}") for name in ("alice", "bob", "carol")]
        self.readers = [*self.people[:2], self.system.person(None)]
        self.judge = self.system.person(f"judge{self.examples}", "moderate")
        self.readings: list[Reading] = []
        self.hidden: set[str] = set()
        """The comments that were deleted or moderated at some time, so that a page may lack them."""
        self.comments = [await added(self.people[n % 3], self.video, f"said {n}") for n in range(NEW)]
        await self.system.drain()
        self.comments += await many(self.system, OLD, first=1000 * self.examples)

    # Actions of readers.

    async def open(self, who: int, first: int) -> None:
        reader = self.readers[who]
        expected = await self._public() | await self._own(reader)
        self.readings.append(Reading(reader, expected, [await self._read(reader, first, None)]))

    async def read_on(self, which: int, first: int) -> None:
        open_ = [reading for reading in self.readings if reading.pages[-1].more]
        if not open_:
            return
        reading = open_[which % len(open_)]
        after = reading.pages[-1].end
        if reading.lapsed and await self._is_dead(reading, after):
            reading.dead += reading.pages[2:]
            reading.pages = reading.pages[:1]
            after = reading.pages[0].end
        reading.lapsed = False
        reading.pages.append(await self._read(reading.reader, first, after))
        found = [id_ for page in reading.pages for id_ in page.ids]
        assert len(found) == len(set(found)), "no comment comes twice"
        if not reading.pages[-1].more:
            assert reading.expected - self.hidden <= set(found), "no lasting comment is missing"
        for dead in reading.dead:
            if not await self._is_dead(reading, dead.after):
                await self._check_same(reading, dead)

    async def read_again(self, which: int) -> None:
        """Reads a page again and expects the same comments, except those that were deleted or moderated."""
        later = [(reading, page) for reading in self.readings if not reading.lapsed for page in reading.pages[1:]]
        if not later:
            return
        await self._check_same(*later[which % len(later)])

    async def _check_same(self, reading: Reading, before: ReadPage) -> None:
        again = await self._read(reading.reader, before.first, before.after)
        steady = [[id_ for id_ in page.ids if id_ not in self.hidden] for page in (before, again)]
        both = min(map(len, steady))
        assert steady[0][:both] == steady[1][:both]
        assert len(steady[0]) - both <= len(again.ids) - len(steady[1]), (
            "a comment that is back takes the place of another"
        )

    async def finish(self) -> None:
        """Reads all lists to the end."""
        while any(reading.pages[-1].more for reading in self.readings):
            await self.read_on(0, 10)

    async def _read(self, reader: Person, first: int, after: str | None) -> ReadPage:
        answer = await page(reader, self.video, "HOT", first, after)
        ids, info = [node["id"] for node in answer["nodes"]], answer["pageInfo"]
        assert len(ids) == first or not info["hasNextPage"], "no page is short"
        return ReadPage(after, first, ids, info["endCursor"], info["hasNextPage"])

    async def _is_dead(self, reading: Reading, cursor: str | None) -> bool:
        """Returns whether the cursor is refused.

        The cursor of a lost snapshot is refused, unless another reader has pinned a snapshot with the same comments.
        """
        errors = await reading.reader.errors(COMMENTS, id=self.video, after=cursor)
        assert errors in ([], [("BAD_CURSOR", ["node", "comments"])])
        return bool(errors)

    async def _public(self) -> set[str]:
        rows = await self.system.rows(
            """SELECT comment_id FROM comments WHERE root_id = 0 AND state = 1 AND comment_id = ANY(:ids)""",
            ids=[number(id_) for id_ in self.comments],
        )
        public = {row[0] for row in rows}
        return {id_ for id_ in self.comments if number(id_) in public}

    async def _own(self, reader: Person) -> set[str]:
        """Returns the reader's own comments, public or not."""
        shown = [await seen(reader, id_) for id_ in self.comments if reader.handle]
        return {
            comment["id"]
            for comment in shown
            if comment and not comment["deleted"] and comment["author"]["handle"] == reader.handle
        }

    # Actions of authors and moderators.

    async def say(self, who: int) -> None:
        self.comments.append(await added(self.people[who], self.video, f"said {len(self.comments)}"))

    async def reply(self, who: int, to: int) -> None:
        await add(self.people[who], self.video, "a reply", self._one(to))

    async def react(self, verb: str, who: int, which: int) -> None:
        await self.people[who].react(verb, self._one(which))

    async def delete(self, which: int) -> None:
        self.hidden.add(self._one(which))
        await delete(self.judge, self._one(which))

    async def moderate(self, which: int, decision: str) -> None:
        self.hidden.add(self._one(which))
        await self.judge.ask(MODERATE, id=self._one(which), decision=decision, reason="because")

    def _one(self, which: int) -> str:
        return self.comments[which % len(self.comments)]

    # Events of the stores.

    async def evict(self) -> None:
        """Removes the cached lists, but no snapshot."""
        rows = await self.system.rows(
            "SELECT subject_business, subject_id FROM comments WHERE comment_id = :id", id=number(self.comments[0])
        )
        subject = EntityRef(*rows[0])
        for key in (keys.hot_comments(subject), keys.comments(subject)):
            await self.system.state.cache.redis("DEL", key, write=True)

    async def forget(self) -> None:
        """Empties Redis after all changes are stored."""
        await self.system.drain()
        await self.system.empty_redis()
        for reading in self.readings:
            reading.lapsed = len(reading.pages) > 1
