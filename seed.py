"""A small community to look at: people who follow each other, things to like, and likes, made through the same
commands clients use.
"""

import asyncio
import random
from dataclasses import dataclass

from rich.progress import track

import commands.entities
import commands.follows
import commands.likes
import commands.users
from auth import Claims
from commands.entities import EntityWish, OwnerRef
from context import Client, Context, Viewer
from ids import EntityId, UserId
from loaders.shared import shared_loaders
from settings import Settings
from state import State, opened
from store.likes import Verb

PEOPLE = (
    ("alice", "Alice Martin"),
    ("bob", "Bob Okafor"),
    ("carol", "Carol Jensen"),
    ("dave", "Dave Kowalski"),
    ("erin", "Erin Walsh"),
    ("mei", "李梅"),
    ("noah", "Noah Steiner"),
    ("yuki", "佐藤ゆき"),
)
_SUBJECTS = (
    "Sourdough from scratch",
    "A night train north",
    "Tiny kitchens",
    "How glaciers move",
    "城市里的花园",
    "Repairing an old radio",
    "Learning to whistle",
    "四川火锅的秘密",
    "Maps nobody needed",
    "The last lighthouse",
)
_VIDEOS, _ARTICLES = 60, 20


@dataclass(frozen=True, slots=True)
class Thing:
    """Something to like."""

    business: str
    key: str
    title: str
    owner: str

    @property
    def id(self) -> str:
        """As clients write it."""
        return str(EntityId(self.business, self.key))


def run(settings: Settings) -> None:
    """Seeds what is missing; what is there already stays as it is."""
    asyncio.run(_run(settings))


async def _run(settings: Settings) -> None:
    async with opened(settings, "seed") as state:
        people = [await _signed_in(state, handle, name) for handle, name in PEOPLE]
        things = _things()
        await _register(people[0], things)
        await _follow(people)
        await _like(people, things)


async def _signed_in(state: State, handle: str, name: str) -> Context:
    """A person's own context; seeing them for the first time makes them a user."""
    shared = shared_loaders(state)
    claims = Claims(state.settings.jwt_issuer, handle, name, handle)
    user_id = await commands.users.identify(state, shared, claims)
    viewer = Viewer(user_id, claims.issuer, frozenset({"entities:write"}), None)
    return Context(state, shared, viewer, Client(kind="seed"))


def _things() -> list[Thing]:
    chance = random.Random(1)  # noqa: S311 - the same community every time
    numbered = [("video", f"bv-{i:03}") for i in range(1, _VIDEOS + 1)]
    numbered += [("article", f"art-{i:03}") for i in range(1, _ARTICLES + 1)]
    return [
        Thing(business, key, f"{chance.choice(_SUBJECTS)}, part {i % 7 + 1}", chance.choice(PEOPLE)[0])
        for i, (business, key) in enumerate(numbered)
    ]


async def _register(context: Context, things: list[Thing]) -> None:
    for at in range(0, len(things), commands.entities.MOST_ENTITIES):
        wishes = [
            EntityWish(
                thing.business,
                thing.key,
                sets_owner=True,
                owner=OwnerRef(None, thing.owner),
                sets_title=True,
                title=thing.title,
                sets_url=True,
                url=f"https://example.com/{thing.business}/{thing.key}",
            )
            for thing in things[at : at + commands.entities.MOST_ENTITIES]
        ]
        await commands.entities.register(context, wishes)


async def _follow(people: list[Context]) -> None:
    """The earlier somebody is among the people, the more of the others follow them."""
    chance = random.Random(3)  # noqa: S311 - the same community every time
    ids = [str(UserId(person.require_viewer().user_id)) for person in people]
    for person, own in zip(people, ids, strict=True):
        for i, other in enumerate(ids):
            if other != own and chance.random() < 0.9 - 0.8 * i / len(ids):
                await commands.follows.follow(person, True, other, None)


async def _like(people: list[Context], things: list[Thing]) -> None:
    """Everybody reacts to about half of everything, the earlier the thing the likelier."""
    chance = random.Random(2)  # noqa: S311 - the same community every time
    for person in track(people, "Seeding", transient=True):
        for i, thing in enumerate(things):
            if chance.random() > 0.9 - 0.8 * i / len(things):
                continue
            disliked = thing.business == "video" and chance.random() < 0.1
            verb = Verb.DISLIKE if disliked else Verb.LIKE
            await commands.likes.react(person, verb, thing.id, "seed", None)
