"""A subject with a lively section of comments, and people who read its hottest, a page now and a page then."""

from dataclasses import dataclass, field
from typing import NamedTuple

from models.counters import EntityRef
from store import keys
from tests.support.comments import COMMENTS, MODERATE, add, added, delete, many, number, page, seen
from tests.support.system import Person, System

OLD, SAID = 25, 3
"""How many comments there are below any rank at first, and how many of today."""


class Read(NamedTuple):
    """A page as it was answered."""

    after: str | None
    first: int
    ids: list[str]
    end: str | None
    more: bool


@dataclass
class Reading:
    """A list that somebody has begun to read."""

    reader: Person
    there: set[str]
    """What was to be found when it began, so that it must be found unless it is lost meanwhile."""
    pages: list[Read]
    lapsed: bool = False
    """Whether what its cursors are of is forgotten."""
    dead: list[Read] = field(default_factory=list)
    """Pages of a snapshot that was forgotten before the reader began again from page one's cursor."""


class HotCommentReaders:
    """One application for any number of examples; each begins with a subject and people of its own."""

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
        self.lost: set[str] = set()
        """What was not to be seen by everybody for a while, at least."""
        self.said = [await added(self.people[n % 3], self.video, f"said {n}") for n in range(SAID)]
        await self.system.drain()
        self.said += await many(self.system, OLD, first=1000 * self.examples)

    # What readers do.

    async def open(self, who: int, first: int) -> None:
        reader = self.readers[who]
        there = await self._found_by_all() | await self._own(reader)
        self.readings.append(Reading(reader, there, [await self._read(reader, first, None)]))

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
        assert len(found) == len(set(found)), "nothing comes twice"
        if not reading.pages[-1].more:
            assert reading.there - self.lost <= set(found), "nothing that stays is missed"
        for dead in reading.dead:
            if not await self._is_dead(reading, dead.after):
                await self._check_same(reading, dead)

    async def read_again(self, which: int) -> None:
        """A cursor gives what it gave before, but for what comes and goes."""
        later = [(reading, page) for reading in self.readings if not reading.lapsed for page in reading.pages[1:]]
        if not later:
            return
        await self._check_same(*later[which % len(later)])

    async def _check_same(self, reading: Reading, before: Read) -> None:
        again = await self._read(reading.reader, before.first, before.after)
        steady = [[id_ for id_ in page.ids if id_ not in self.lost] for page in (before, again)]
        both = min(map(len, steady))
        assert steady[0][:both] == steady[1][:both]
        assert len(steady[0]) - both <= len(again.ids) - len(steady[1]), "what comes back takes the place of others"

    async def finish(self) -> None:
        """Everybody reads to the end."""
        while any(reading.pages[-1].more for reading in self.readings):
            await self.read_on(0, 10)

    async def _read(self, reader: Person, first: int, after: str | None) -> Read:
        one = await page(reader, self.video, "HOT", first, after)
        ids, info = [node["id"] for node in one["nodes"]], one["pageInfo"]
        assert len(ids) == first or not info["hasNextPage"], "no page is short"
        return Read(after, first, ids, info["endCursor"], info["hasNextPage"])

    async def _is_dead(self, reading: Reading, cursor: str | None) -> bool:
        """A cursor of a forgotten snapshot is bad, unless somebody has pinned one that holds the same."""
        errors = await reading.reader.errors(COMMENTS, id=self.video, after=cursor)
        assert errors in ([], [("BAD_CURSOR", ["node", "comments"])])
        return bool(errors)

    async def _found_by_all(self) -> set[str]:
        rows = await self.system.rows(
            """SELECT comment_id FROM comments WHERE root_id = 0 AND state = 1 AND comment_id = ANY(:ids)""",
            ids=[number(id_) for id_ in self.said],
        )
        public = {row[0] for row in rows}
        return {id_ for id_ in self.said if number(id_) in public}

    async def _own(self, reader: Person) -> set[str]:
        """What somebody has said, whoever else sees it."""
        shown = [await seen(reader, id_) for id_ in self.said if reader.handle]
        return {one["id"] for one in shown if one and not one["deleted"] and one["author"]["handle"] == reader.handle}

    # What people do.

    async def say(self, who: int) -> None:
        self.said.append(await added(self.people[who], self.video, f"said {len(self.said)}"))

    async def reply(self, who: int, to: int) -> None:
        await add(self.people[who], self.video, "a reply", self._one(to))

    async def react(self, verb: str, who: int, which: int) -> None:
        await self.people[who].react(verb, self._one(which))

    async def delete(self, which: int) -> None:
        self.lost.add(self._one(which))
        await delete(self.judge, self._one(which))

    async def moderate(self, which: int, decision: str) -> None:
        self.lost.add(self._one(which))
        await self.judge.ask(MODERATE, id=self._one(which), decision=decision, reason="because")

    def _one(self, which: int) -> str:
        return self.said[which % len(self.said)]

    # What stores do.

    async def evict(self) -> None:
        """Cached lists go; what is pinned stays."""
        rows = await self.system.rows(
            "SELECT subject_business, subject_id FROM comments WHERE comment_id = :id", id=number(self.said[0])
        )
        subject = EntityRef(*rows[0])
        for key in (keys.hot_comments(subject), keys.comments(subject)):
            await self.system.state.cache.redis("DEL", key, write=True)

    async def forget(self) -> None:
        """Redis comes back empty."""
        await self.system.drain()
        await self.system.empty_redis()
        for reading in self.readings:
            reading.lapsed = len(reading.pages) > 1
