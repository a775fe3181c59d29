"""Users who like, dislike and withdraw reactions, and repeat every operation until it is acknowledged.

Every operation has a name, which is its idempotency key and its `source` in the log. So the log shows
how often each operation took effect. A user works in several lanes at once, each with its own entities, so that
the order of changes to one (user, entity) is known.
"""

import asyncio
import itertools
import random
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any, Protocol

import httpx

from tests.failures.faults.authors import Author, OutcomeUnknown
from tests.failures.faults.changing import Changing, changing
from tests.failures.faults.client import Client, PatientApi, Violations
from tests.failures.faults.deleting import Deleting, Leaver
from tests.failures.faults.follow_requests import Asking
from tests.failures.faults.history import DISLIKE, LIKE, NAMES, NONE, Fate, History, Op, User
from tests.failures.faults.moderating import Moderated, Moderating
from tests.failures.faults.pairs import QUARRELS, SUSPENSIONS, Pair
from tests.failures.faults.reacting import Reacting, reactor
from tests.failures.faults.reposting import Reposting
from tests.failures.faults.restricting import Restricting, restricting
from tests.failures.faults.saving import Saving, saver
from tests.support.deployment import Deployment
from tests.support.follows import follow
from tests.support.posts import published
from tests.support.private_accounts import make_private
from tests.support.reaction_model import OUTCOMES
from tests.support.system import REACT, SEEN, Person

VERBS = ("like", "like", "like", "unlike", "unlike", "dislike", "undislike")
NODE = "query ($id: ID!) { node(id: $id) { id } }"
AUTHORS_PAUSE = 0.6
"""The maximum number of seconds between two actions of an author."""
LANES = 2
"""The lanes of each user."""
PAIRS = (QUARRELS, QUARRELS, QUARRELS, SUSPENSIONS)
"""The actions from which the users of each pair choose."""


class Actor(Protocol):
    """A user, or several users who act one after the other."""

    async def act(self) -> None: ...


class Load:
    """Users and their lanes. `pause` is the longest wait of a lane between two operations, in seconds.

    Each user calls one API with its client in `http` until a request fails, then the next API.
    """

    def __init__(self, deployment: Deployment, http: list[httpx.AsyncClient], prefix: str, pause: float) -> None:
        self._api = PatientApi(http[0], deployment.settings)
        self._http = http
        self._prefix = prefix
        self._pause = pause
        self._random = random.Random(prefix)
        self._stopping = False
        self._count = 0
        self._names = (f"{prefix}w{number}" for number in itertools.count())
        self._clients: list[Client] = []

    async def population(self, users: int, shared: int) -> tuple[History, list[tuple[User, list[str]]]]:
        """Registers people and entities. Returns an empty history, and the user and targets of each lane."""
        owner = f"{self._prefix}_owner"
        shared_targets = await self._api.videos(*(f"{self._prefix}-s{n}" for n in range(shared)), owner=owner)
        own = await self._api.videos(*(f"{self._prefix}-o{n}" for n in range(users * LANES)), owner=owner)
        people, broken = [], Violations()
        for n in range(users):
            person = self._api.person(f"{self._prefix}_u{n}")
            user_id = _number(await person.id())
            person.http = self._http[n % len(self._http)]
            people.append(User(self._client(person, broken), user_id, own[n * LANES : (n + 1) * LANES]))
        history = History(people, [*shared_targets, *own], owner, broken=broken)
        work = [
            (user, [user.own[lane], *shared_targets[lane::LANES]]) for user in people for lane in range(LANES)
        ]  # one lane for each (user, entity), so that the order of its changes is known
        return history, work

    async def pairs(self, history: History) -> list[Pair]:
        """Registers pairs of users, and their moderator. No other user has relations with them."""
        moderator = self._client(await self._registered("mod", "moderate"), history.broken)
        found = []
        for n, verbs in enumerate(PAIRS):
            people = [self._api.person(f"{self._prefix}_p{n}{which}") for which in "ab"]
            clients = {_number(await person.id()): self._client(person, history.broken) for person in people}
            history.relations.add(*clients)
            found.append(Pair(clients, moderator, history.relations, self._names, verbs))
        return found

    async def asking(self, history: History) -> Asking:
        """Registers a private user, and a user who asks to follow them."""
        asking, asked = (self._api.person(f"{self._prefix}_{name}") for name in ("asking", "asked"))
        there = _number(await asking.id()), _number(await asked.id())
        await make_private(asked)
        history.relations.add(*there)
        clients = [self._client(person, history.broken) for person in (asking, asked)]
        return Asking(clients[0], clients[1], there, history.relations, self._names)

    async def moderating(self, history: History) -> Moderating:
        """Registers an author, a reporter and two moderators, and publishes the author's post."""
        names = ("author", "reporter", "mod_a", "mod_b")
        people = [await self._registered(name, *["moderate"][: name[:3] == "mod"]) for name in names]
        (post,) = await published(people[0], "judge me")
        await _shown(people[2], post)
        moderated = Moderated(_number(post), _number(await people[1].id()))
        history.moderated.append(moderated)
        author, reporter, *moderators = [self._client(person, history.broken) for person in people]
        return Moderating(author, reporter, moderators, moderated, self._names)

    async def saving(self, history: History) -> Saving:
        """Registers a user who saves."""
        person = self._api.person(f"{self._prefix}_saver")
        client = self._client(person, history.broken)
        history.saving.append(await saver(self._api, client, self._prefix, self._names))
        return history.saving[-1]

    async def reposting(self, history: History) -> Reposting:
        """Registers an author with three posts, a user who reposts them, and a follower of this user."""
        author, user, fan = [await self._registered(name) for name in ("reposted", "reposter", "fan")]
        posts = await published(author, *(f"repost me {n}" for n in range(3)))
        user_id = await user.id()
        await follow(fan, user_id)
        async with asyncio.timeout(60):
            while None in [(await fan.ask(NODE, id=post))["node"] for post in posts]:  # until they are approved
                await asyncio.sleep(0.05)
        client = self._client(user, history.broken)
        stands = {post: {False} for post in posts}
        history.reposting.append(Reposting(client, _number(user_id), fan.handle, stands, self._names))
        return history.reposting[-1]

    async def reacting(self, history: History) -> Reacting:
        """Registers a user who gives several kinds of reactions."""
        person = self._api.person(f"{self._prefix}_reactor")
        client = self._client(person, history.broken)
        history.reacting.append(await reactor(self._api, client, self._prefix, self._names))
        return history.reacting[-1]

    async def restricting(self, history: History) -> Restricting:
        """Registers an author and a guest."""
        people = [await self._registered(name) for name in ("host", "guest")]
        author, guest = [self._client(person, history.broken) for person in people]
        history.restricting.append(await restricting(author, guest, self._names))
        return history.restricting[-1]

    async def changing(self, history: History) -> Changing:
        """Registers the users who change the values of all entries."""
        scopes = {
            "user": (),
            "person": (),
            "moderator": ("moderate",),
            "judge": ("moderate",),
            "service": ("entities:write", "users:write"),
            "operator": ("admin",),
        }
        people = {role: await self._registered(role, *some) for role, some in scopes.items()}
        clients = {role: self._client(person, history.broken) for role, person in people.items()}
        history.changing.append(await changing(clients, self._prefix, self._names))
        return history.changing[-1]

    async def deleting(self, history: History, count: int) -> Deleting:
        """Registers `count` users who delete their accounts, and a friend with a post."""
        friend = await self._registered("friend")
        leavers = []
        for number in range(count):
            person = await self._registered(f"{number:02}leaver")
            client = self._client(person, history.broken)
            leavers.append(Leaver(client, _number(await person.id()), ("ERASE", "ANONYMIZE")[number % 2]))
        (post,) = await published(friend, "stay with me")
        (target,) = await self._api.videos(f"{self._prefix}-left")
        await _shown(leavers[0].client.person, post)
        friend_id = await friend.id()
        there = self._client(friend, history.broken)
        history.deleting.append(Deleting(leavers, there, friend_id, post, target, self._names))
        return history.deleting[-1]

    def spread(self) -> None:
        """Lets the next requests of each second client go to the last API."""
        for client in self._clients[::2]:
            client.person.http = self._http[-1]

    def _client(self, person: Person, broken: Violations) -> Client:
        self._clients.append(Client(person, self._http, broken))
        return self._clients[-1]

    async def _registered(self, name: str, *scopes: str) -> Person:
        """Returns a user who has signed in. A standby that is promoted during the load may lose a first sign-in."""
        person = self._api.person(f"{self._prefix}_{name}", *scopes)
        await person.id()
        return person

    def stop(self) -> None:
        """Lets no lane begin another operation."""
        self._stopping = True

    async def lane(self, history: History, user: User, targets: list[str]) -> None:
        """Sends one operation after another until `stop` is called."""
        states = dict.fromkeys(targets, NONE)
        while not self._stopping:
            await history.going.wait()
            target, verb = self._random.choice(targets), self._random.choice(VERBS)
            self._count += 1
            was = states[target]
            op = Op(f"{self._prefix}.{self._count}", user.user_id, target, verb, was, OUTCOMES[verb][was])
            history.ops.append(op)
            op.began_at = time.time()
            await self._insist(history, user, op)
            if op.fate is Fate.UNKNOWN:
                return
            if op.fate is Fate.ACKNOWLEDGED:
                states[target] = op.state
            if self._random.random() < 0.3:
                await self._read_back(history, user, target, states[target])
            await asyncio.sleep(self._random.random() * self._pause)

    async def write(self, history: History, user: User) -> None:
        """Lets a user act as an author."""
        others = [one.user_id for one in history.users if one is not user]
        await self.repeat(history, Author(user.client, user.user_id, others, history.library, self._names))

    async def repeat(self, history: History, actor: Actor) -> None:
        """Lets users act until `stop` is called or the outcome of a write stays unknown."""
        with suppress(OutcomeUnknown):
            while not self._stopping:
                await history.going.wait()
                await actor.act()
                await asyncio.sleep(self._random.random() * AUTHORS_PAUSE)

    async def _insist(self, history: History, user: User, op: Op) -> None:
        answer = await user.client.insist(op.name, REACT % op.verb, id=op.target, key=op.name, source=op.name)
        if answer is None:
            return
        op.fate = Fate.REFUSED if answer.value["userErrors"] else Fate.ACKNOWLEDGED
        op.acknowledged_at = time.time()
        if op.fate is Fate.ACKNOWLEDGED and answer.whole:
            self._check_response(
                history, user, op.target, op.state, answer.value["target"], f"the answer to {op.name} ({op.verb})"
            )

    async def _read_back(self, history: History, user: User, target: str, state: int) -> None:
        """Reads an entity after a write and checks the response."""
        began = time.time()
        answer = await user.client.read(SEEN, id=target)
        history.reads.append((began, time.time(), answer is not None))
        if answer and answer.whole:
            self._check_response(history, user, target, state, answer.value, f"a read after operation {self._count}")

    def _check_response(
        self, history: History, user: User, target: str, state: int, seen: dict[str, Any], where: str
    ) -> None:
        """Checks that a response shows the user's own state, and counts that include it once."""
        if NAMES[seen["viewerReaction"]] != state:
            history.broken.append(f"{where} shows {seen['viewerReaction']} to a user whose state is {state}")
        likes, dislikes = seen["likeCount"], seen["dislikeCount"]
        mine = (int(state == LIKE), int(state == DISLIKE))
        if target in user.own:
            if (likes, dislikes) != mine:
                history.broken.append(f"{where} counts {likes, dislikes} where only {mine} can be")
        elif likes < mine[0] or dislikes < mine[1] or likes + dislikes > len(history.users):
            history.broken.append(f"{where} counts {likes, dislikes} of {len(history.users)} users with {mine} in it")


async def _shown(reader: Person, post: str) -> None:
    """Returns when a worker has stored a post."""
    async with asyncio.timeout(60):
        while (await reader.ask(NODE, id=post))["node"] is None:
            await asyncio.sleep(0.05)


def _number(id_: str) -> int:
    return int(id_.split(":")[1])


@asynccontextmanager
async def working(
    deployment: Deployment,
    prefix: str,
    *,
    users: int = 8,
    shared: int = 6,
    pause: float = 0.05,
    authors: bool = True,
    leavers: int = 0,
    changes: bool = False,
    everywhere: bool = False,
) -> AsyncIterator[History]:
    """Lets users work while the block runs. Afterwards waits until all operations have an outcome.

    If `authors` is true, all users are authors too, there are pairs of users who block or ask each other, users who
    report, decide and appeal, a user who saves into collections, one who reposts, one who gives several kinds of
    reactions, and an author who restricts comments and pins posts and comments. `leavers` is the number of users who
    delete their accounts. If `changes` is true, there are users who change the values of all entries (entries.py). If
    `everywhere`, half of the clients begin at the last API; otherwise all but those of `users` begin at the first one.
    """
    limits = httpx.Limits(max_connections=users * LANES + 4)
    async with AsyncExitStack() as stack:
        clients = [
            httpx.AsyncClient(base_url=url, timeout=3, limits=limits, trust_env=False) for url in deployment.urls
        ]
        http = [await stack.enter_async_context(client) for client in clients]
        load = Load(deployment, http, prefix, pause)
        history, work = await load.population(users, shared)
        registering: list[Coroutine[Any, Any, Actor]] = []
        if authors:
            registering += [load.asking(history), load.moderating(history), load.saving(history)]
            registering += [load.restricting(history), load.reposting(history), load.reacting(history)]
        if changes:
            registering.append(load.changing(history))
        if leavers:
            registering.append(load.deleting(history, leavers))
        groups = [*(await load.pairs(history) if authors else ()), *await asyncio.gather(*registering)]
        if everywhere:
            load.spread()
        async with asyncio.TaskGroup() as group:
            for user, targets in work:
                group.create_task(load.lane(history, user, targets))
            for user in history.users if authors else ():
                group.create_task(load.write(history, user))
            for acting in groups:
                group.create_task(load.repeat(history, acting))
            try:
                yield history
            finally:
                load.stop()
