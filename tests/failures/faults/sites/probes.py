"""Probes: users who change something at the write site, while others look when the reading site shows it; and users at
the reading site who look for their own changes in every list.

What a read may show is decided when it begins. So a client, a proxy or an API that the machine stalls counts nothing.
Only a stall of the write site counts, as far as `Watch` saw it: the reading site cannot know what is not recorded yet.
"""

import asyncio
import itertools
import random
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import httpx

from domain.errors import Unavailable
from state import State
from store.cache import log, repeated
from tests.failures.faults.authors import FOLLOW
from tests.failures.faults.client import Client, PatientApi, Violations
from tests.support.boundaries import CHANGE
from tests.support.comments import ADD
from tests.support.posts import PUBLISH, published
from tests.support.saves import SAVE
from tests.support.system import REACT, Person

PROMISED = 2.0
"""Seconds after which the reading site shows a change of another user."""
PROMISED_BLOCK = 1.0
"""Seconds after which a block holds at the reading site."""
_POLL, _PAUSE = 0.04, 0.3
_PATIENCE = 60
_STALL = 0.1
"""The shortest pause of the event loop that counts as a stall, in seconds."""
_BEAT = 0.3
"""The most seconds between two entries of the log, if nothing stalls."""
_NODE = "query ($id: ID!) { node(id: $id) { ... on %s } }"
_LIKES = _NODE % "Reactable { likeCount }"
_POST = _NODE % "Post { text }"
_COMMENT = _NODE % "Comment { text }"
_FOLLOWERS = _NODE % "User { followerCount }"
KINDS = ("like", "post", "comment", "follow", "block")


class Age(NamedTuple):
    """How old the newest entry of the log was at a moment: at the write site, at the reading site, and repeated in the
    cache of the reading site; in seconds.
    """

    at: float
    written: float
    received: float
    repeated: float


@dataclass
class Watch:
    """The ages of the log, and the stalls of this process: when each ended, and its seconds."""

    ages: list[Age] = field(default_factory=list)
    stalls: list[tuple[float, float]] = field(default_factory=list)

    async def beat(self) -> None:
        """Records stalls, until this task is cancelled."""
        while True:
            began = time.monotonic()
            await asyncio.sleep(0.02)
            if (stall := time.monotonic() - began - 0.02) > _STALL:
                self.stalls.append((time.time(), stall))

    async def look(self, write: State, read: State) -> None:
        """Records the ages of the log, until this task is cancelled."""
        while True:
            with suppress(Unavailable):
                newest, received = await log.newest_ms(write.redis), await log.newest_ms(read.redis)
                reached = await repeated.reached(read.cache.redis)
                if reached:
                    now = time.time()
                    self.ages.append(Age(now, *(now - ms / 1000 for ms in (newest, received, reached.ms))))
            await asyncio.sleep(0.1)

    def stalled(self, began: float, ended: float) -> float:
        """Returns for how many seconds the write site, or this process, has stood still between two moments."""
        written = [age.written - _BEAT for age in self.ages if began <= age.at <= ended + 1]
        here = sum(seconds for at, seconds in self.stalls if began <= at <= ended + seconds)
        return max([0.0, *written]) + here


@dataclass(slots=True)
class Change:
    """One change at the write site: when it was acknowledged, when each site showed it, and all answers of the reading
    site until then that did not show it and were not marked as incomplete or stale.
    """

    kind: str
    acknowledged: float
    first: float | None = None
    second: float | None = None
    missed: list[float] = field(default_factory=list)
    """When the requests of these answers were sent."""
    marked: int = 0
    """The answers that did not show the change, and said that they may be stale or incomplete."""

    def late(self, watch: Watch) -> int:
        """Returns how many answers were older than promised."""
        if self.kind == "block":
            until = self.acknowledged + PROMISED_BLOCK
        else:
            until = max(self.acknowledged, self.first or time.time()) + PROMISED
        return sum(began > until + watch.stalled(self.acknowledged, began) for began in self.missed)


@dataclass
class Probes:
    """All probes of a round, and what they found."""

    changes: list[Change] = field(default_factory=list)
    watch: Watch = field(default_factory=Watch)
    own: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    """For each list, whether it had the own change of its reader at once, at the reading site."""
    missing: list[str] = field(default_factory=list)
    """A sentence for each own change that a list lacked."""
    answers: list[tuple[float, bool]] = field(default_factory=list)
    """Of each read at the reading site, the seconds, and whether it was answered."""
    stopping: bool = False

    @property
    def stale(self) -> int:
        """The number of answers that were older than promised, except those after blocks."""
        return sum(one.late(self.watch) for one in self.changes if one.kind != "block")

    @property
    def leaks(self) -> int:
        """The number of answers that showed the content of a user who had blocked the reader long enough."""
        return sum(one.late(self.watch) for one in self.changes if one.kind == "block")

    def lags(self, kind: str) -> list[float]:
        """Returns how long after its acknowledgement the reading site showed each change, in seconds, sorted."""
        return sorted(one.second - one.acknowledged for one in self.changes if one.kind == kind and one.second)

    def behind(self, kind: str) -> list[float]:
        """Returns how long after the write site the reading site showed each change, in seconds, sorted. Zero if it was
        not later.
        """
        both = [(one.first, one.second) for one in self.changes if one.kind == kind]
        return sorted(max(0.0, second - first) for first, second in both if first and second)


@dataclass
class Prober:
    """Users for all probes. `writer` acts at the write site; `first` and `second` look at each site."""

    probes: Probes
    writer: Client
    first: Client
    second: Client
    names: Iterable[str]
    video: str
    post: str
    user: str
    """The user that the writer follows."""
    reader: str
    """The reader `second`, whom the writer blocks."""

    async def run(self) -> None:
        """Probes until it is stopped."""
        async with asyncio.TaskGroup() as group:
            for kind in (self._likes, self._posts, self._comments, self._follows):
                group.create_task(self._repeat(kind))

    async def _repeat(self, probe: Callable[[], Awaitable[None]]) -> None:
        while not self.probes.stopping:
            await probe()
            await asyncio.sleep(random.uniform(0.5, 1.5) * _PAUSE)

    async def _likes(self) -> None:
        for verb, count in (("like", 1), ("unlike", 0)):
            await self._probe("like", REACT % verb, _LIKES, self.video, {"likeCount": count}, id=self.video)

    async def _posts(self) -> None:
        text = self._name()
        await self._probe("post", PUBLISH, _POST, "post", {"text": text}, text=text, topics=[], images=[])

    async def _comments(self) -> None:
        text = self._name()
        await self._probe("comment", ADD, _COMMENT, "comment", {"text": text}, subject=self.post, text=text)

    async def _follows(self) -> None:
        for verb, count in (("follow", 1), ("unfollow", 0)):
            await self._probe("follow", FOLLOW % verb, _FOLLOWERS, self.user, {"followerCount": count}, id=self.user)

    async def _probe(
        self, kind: str, mutation: str, query: str, place: str, expected: Mapping[str, Any] | None, **variables: Any
    ) -> None:
        name = self._name()
        sent = {**variables, "key": name, **({"source": name} if kind == "like" else {})}
        answer = await self.writer.insist(f"probe {name}", mutation, **sent)
        if answer is None or answer.value["userErrors"]:
            return
        change = Change(kind, time.time())
        self.probes.changes.append(change)
        target = answer.value[place]["id"] if place in ("post", "comment") else place
        await self.see(change, query, target, expected)

    async def see(self, change: Change, query: str, target: str, expected: Mapping[str, Any] | None) -> None:
        """Looks at both sites until they show a change, for at most a minute."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE), asyncio.TaskGroup() as group:
                group.create_task(self._first(change, query, target, expected))
                group.create_task(self._second(change, query, target, expected))

    async def _first(self, change: Change, query: str, target: str, expected: Mapping[str, Any] | None) -> None:
        while change.first is None:
            answer = await self.first.read(query, id=target)
            if answer and answer.whole and answer.value == expected:
                change.first = time.time()
            await asyncio.sleep(_POLL)

    async def _second(self, change: Change, query: str, target: str, expected: Mapping[str, Any] | None) -> None:
        while change.second is None:
            began = time.time()
            answer = await self.second.read(query, id=target)
            self.probes.answers.append((time.time() - began, answer is not None))
            if answer and answer.value == expected:
                change.second = time.time()
            elif answer and (answer.whole or (change.kind == "block" and answer.value)):
                change.missed.append(began)
            elif answer:
                change.marked += 1
            await asyncio.sleep(_POLL)

    def _name(self) -> str:
        return next(iter(self.names))


@dataclass
class Blocker(Prober):
    """A user who blocks and unblocks a reader, who may not see the post of the blocker after a block."""

    async def run(self) -> None:
        await self._repeat(self._block)

    async def _block(self) -> None:
        variables = {"id": self.reader}
        await self._probe("block", CHANGE % "block", _POST, self.post, None, **variables)
        name = self._name()
        await self.writer.insist(name, CHANGE % "unblock", key=name, **variables)
        shown = Change("unblock", time.time())
        await self.see(shown, _POST, self.post, {"text": "see me"})


@dataclass
class Own:
    """A user at the reading site, who looks for each own change in the lists that must show it at once."""

    probes: Probes
    client: Client
    names: Iterable[str]
    videos: Sequence[str]
    post: str
    users: Sequence[str]
    me: str
    """The id of the user."""

    async def run(self) -> None:
        """Changes and looks until it is stopped."""
        places = itertools.cycle(zip(self.videos, self.users, strict=True))
        while not self.probes.stopping:
            video, user = next(places)
            for act in (self._like, self._save, self._follow, self._block):
                await act(video, user)
                await asyncio.sleep(random.uniform(0.1, 0.3))
            await self._publish()
            await self._comment()

    async def _like(self, video: str, _: str) -> None:
        for verb, there in (("like", True), ("unlike", False)):
            if await self._send(REACT % verb, id=video, source=None):
                likes = 'viewer { user { likes(business: "video", first: 50) { nodes { id } } } }'
                await self._look("likes", likes, video, there)
                await self._look(
                    "likers",
                    f'node(id: "{video}") {{ ... on Entity {{ likers {{ nodes {{ id }} }} }} }}',
                    self.me,
                    there,
                )

    async def _save(self, video: str, _: str) -> None:
        for verb, there in (("save", True), ("unsave", False)):
            if await self._send(SAVE % verb, id=video):
                saved = "viewer { saved(first: 50) { nodes { target { ... on Node { id } } } } }"
                await self._look("saved", saved, video, there)

    async def _follow(self, _: str, user: str) -> None:
        for verb, there in (("follow", True), ("unfollow", False)):
            if await self._send(FOLLOW % verb, id=user):
                await self._look("following", "viewer { user { following { nodes { id } } } }", user, there)

    async def _block(self, _: str, user: str) -> None:
        for verb, there in (("block", True), ("unblock", False)):
            if await self._send(CHANGE % verb, id=user):
                await self._look("blocks", "viewer { blocks { nodes { id } } }", user, there)

    async def _publish(self) -> None:
        text = next(iter(self.names))
        if answer := await self._send(PUBLISH, text=text, topics=[], images=[]):
            post = answer["post"]["id"]
            await self._look("posts", "viewer { user { posts { nodes { id } } } }", post, there=True)
            await self._look("home", "viewer { home { nodes { id } } }", post, there=True)

    async def _comment(self) -> None:
        text = next(iter(self.names))
        if answer := await self._send(ADD, text=text, subject=self.post):
            lists = f'node(id: "{self.post}") {{ ... on Post {{ comments(sort: NEWEST) {{ nodes {{ id }} }} }} }}'
            await self._look("comments", lists, answer["comment"]["id"], there=True)

    async def _send(self, mutation: str, **variables: Any) -> Any:
        name = next(iter(self.names))
        answer = await self.client.insist(f"own {name}", mutation, key=name, **variables)
        return answer.value if answer and not answer.value["userErrors"] else None

    async def _look(self, name: str, selection: str, expected: str, there: bool) -> None:
        began = time.time()
        answer = await self.client.read(f"{{ {selection} }}")
        if answer and answer.whole:
            shown = (f"'{expected}'" in str(answer.value)) is there
            self.probes.own[name].append(shown)
            if not shown:
                self.probes.missing.append(f"{began:.3f} {name}: {expected} {'is missing' if there else 'is there'}")


@dataclass
class Probing:
    """The users of all probes. `api` registers them, and `http` has a client for the API of each site."""

    prober: Prober
    blocker: Blocker
    own: Own
    http: Sequence[httpx.AsyncClient]

    @asynccontextmanager
    async def running(self, write_site: int) -> AsyncIterator[Probes]:
        """Runs all probes while the block runs. Returns what they find."""
        probes = Probes()
        here, there = self.http[write_site], self.http[1 - write_site]
        for prober in (self.prober, self.blocker):
            prober.probes = probes
            for client, http in ((prober.writer, here), (prober.first, here), (prober.second, there)):
                _move(client, http)
        self.own.probes = probes
        _move(self.own.client, there)
        async with asyncio.TaskGroup() as group:
            for one in (self.prober, self.blocker, self.own):
                group.create_task(one.run())
            try:
                yield probes
            finally:
                probes.stopping = True


def _move(client: Client, http: httpx.AsyncClient) -> None:
    client.http = [http]
    client.person.http = http


async def probing(api: PatientApi, http: Sequence[httpx.AsyncClient], prefix: str, broken: Violations) -> Probing:
    """Registers the users of all probes."""
    names = (f"{prefix}n{number}" for number in itertools.count())
    handles = ("writer", "first", "second", "followed", "blocker", "blocked", "own", "x", "y", "z")
    people = {name: api.person(f"{prefix}_{name}") for name in handles}
    ids = dict(zip(handles, await asyncio.gather(*(one.id() for one in people.values())), strict=True))
    (post,), (visible,) = await asyncio.gather(
        published(people["writer"], "talk to me"), published(people["blocker"], "see me")
    )
    videos = await api.videos(*(f"{prefix}-probe{n}" for n in range(4)))
    await _shown(people["own"], post, visible)

    def client(name: str) -> Client:
        return Client(api.person(people[name].handle), http, broken)

    nothing = Probes()
    looks = client("writer"), client("first"), client("second")
    blocks = client("blocker"), client("blocked"), client("blocked")
    return Probing(
        Prober(nothing, *looks, names, videos[3], post, ids["followed"], ids["second"]),
        Blocker(nothing, *blocks, names, "", visible, "", ids["blocked"]),
        Own(nothing, client("own"), names, videos[:3], post, [ids[name] for name in "xyz"], ids["own"]),
        http,
    )


async def _shown(reader: Person, *posts: str) -> None:
    async with asyncio.timeout(_PATIENCE):
        while None in (await reader.ask("query ($ids: [ID!]!) { nodes(ids: $ids) { id } }", ids=posts))["nodes"]:
            await asyncio.sleep(0.05)
