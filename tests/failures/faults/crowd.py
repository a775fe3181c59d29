"""A community that uses every part of the API for as long as a soak test runs."""

import asyncio
import itertools
import random
from collections.abc import Awaitable, Callable
from typing import Any

import httpx

from tests.support.comments import ADD
from tests.support.deployment import Deployment
from tests.support.notifications import MARK, RECEIVE
from tests.support.notifications import PAGE as NOTIFICATIONS
from tests.support.posts import DELETE, PUBLISH, SQUARE
from tests.support.subscriptions import HOME_POST_ADDED, WATCH, ApiAtAddress
from tests.support.system import REACT, Person

PEOPLE = 40
SOCKETS = 12
KEPT = 200
"""The number of newest posts and comments that the users still read and change."""
STAYS = 20.0
"""The maximum number of seconds for which a subscription stays open."""
FOLLOW = "mutation ($id: ID!) { %s(input: {userId: $id}) { userErrors { code } } }"
VIEW = "mutation ($ids: [ID!]!) { recordViews(input: {targetIds: $ids}) { userErrors { code } } }"
HOME = "{ viewer { home { edges { node { id text likeCount commentCount viewerReaction author { handle } } } } } }"
RECOMMENDED = "{ viewer { recommended { nodes { id } } } }"
THREAD = """query ($id: ID!) { node(id: $id) { ... on Post {
    likers { nodes { handle } } comments(sort: HOT) { nodes { id text likeCount replies { nodes { id } } } } } } }"""


class Crowd:
    """Users of one API. `done` counts their requests, and `failed` holds the failed ones."""

    def __init__(self, deployment: Deployment, http: httpx.AsyncClient) -> None:
        self._api = ApiAtAddress(http, deployment.settings)
        self._api.address = deployment.url.removeprefix("http://")
        self._people = [self._api.person(f"citizen{n}") for n in range(PEOPLE)]
        self._ids: dict[str, str] = {}
        self._posts: list[str] = []
        self._comments: list[str] = []
        self._numbers = itertools.count()
        self.done = 0
        self.failed: list[str] = []
        self._acts: list[Callable[[Person], Awaitable[Any]]] = [
            *[self._reads] * 6,
            *[self._likes] * 6,
            *[self._comments_on] * 2,
            self._posts_something,
            self._follows,
            self._views,
            self._reads_notifications,
            self._deletes,
        ]

    async def sign_in(self) -> None:
        """Signs all users in, and creates posts and entities to read."""
        for person in self._people:
            self._ids[person.handle] = await person.id()
            await self._posts_something(person)

    async def live(self) -> None:
        """Runs until it is cancelled."""
        async with asyncio.TaskGroup() as group:
            for person in self._people:
                group.create_task(self._works(person))
            for number in range(SOCKETS):
                group.create_task(self._watches(number))

    async def _works(self, person: Person) -> None:
        while True:
            act = random.choice(self._acts)
            try:
                await act(person)
            except (AssertionError, httpx.TransportError) as error:
                self.failed.append(f"{act.__name__}: {error!r}"[:500])
            self.done += 1
            await asyncio.sleep(random.uniform(0.1, 0.6))

    async def _watches(self, number: int) -> None:
        """Opens one connection after the other, each with a subscription of every kind."""
        while True:
            person = self._people[number]
            async with self._api.socket(person.handle) as socket:
                for name, query in (("w", WATCH), ("h", HOME_POST_ADDED), ("n", RECEIVE)):
                    variables = {"ids": self._posts[-20:]} if query is WATCH else {}
                    await socket.send(id=name, type="subscribe", payload={"query": query, "variables": variables})
                try:
                    async with asyncio.timeout(random.uniform(STAYS / 4, STAYS)):
                        while True:
                            await socket.connection.recv()
                except TimeoutError:
                    continue

    async def _reads(self, person: Person) -> None:
        await person.ask(HOME)
        await person.ask(SQUARE, first=20)
        document = random.choice([THREAD, THREAD, NOTIFICATIONS, RECOMMENDED])
        variables: dict[str, dict[str, Any]] = {
            THREAD: {"id": self._post()},
            NOTIFICATIONS: {"first": 20},
            RECOMMENDED: {},
        }
        await person.ask(document, **variables[document])

    async def _likes(self, person: Person) -> None:
        verb = random.choice(("like", "like", "like", "unlike", "dislike", "undislike"))
        await person.ask(REACT % verb, id=random.choice([*self._posts, *self._comments]))

    async def _comments_on(self, person: Person) -> None:
        number = next(self._numbers)
        data = await person.ask(ADD, subject=self._post(), to=None, text=f"remark {number}", key=f"c{number}")
        self._keep(self._comments, data["addComment"]["comment"])

    async def _posts_something(self, person: Person) -> None:
        number = next(self._numbers)
        friend = random.choice(self._people).handle
        data = await person.ask(PUBLISH, text=f"post {number} @{friend}", topics=["soak"], images=[], key=f"p{number}")
        self._keep(self._posts, data["publishPost"]["post"])

    async def _follows(self, person: Person) -> None:
        other = random.choice([handle for handle in self._ids if handle != person.handle])
        await person.ask(FOLLOW % random.choice(("follow", "follow", "unfollow")), id=self._ids[other])

    async def _views(self, person: Person) -> None:
        await person.ask(VIEW, ids=random.sample(self._posts, min(5, len(self._posts))))

    async def _reads_notifications(self, person: Person) -> None:
        edges = (await person.ask(NOTIFICATIONS, first=20))["viewer"]["notifications"]["edges"]
        if edges:
            await person.ask(MARK, upTo=edges[0]["cursor"])

    async def _deletes(self, person: Person) -> None:
        """Deletes a post. The API may refuse that if the post belongs to another user."""
        await person.ask(DELETE, id=self._post())

    def _post(self) -> str:
        return random.choice(self._posts)

    def _keep(self, kept: list[str], made: dict[str, Any] | None) -> None:
        if made:
            kept.append(made["id"])
            del kept[:-KEPT]
