"""Registers users with tokens, and entities with owners. Yields pairs of a user and an entity that no section has used
yet.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import commands.entities
import commands.users
from bench.sizes import Sizes
from commands.entities import EntityData, OwnerRef
from commands.users import NewUser
from context import Client, Context, Viewer
from domain.ids import UserId
from identity import auth
from loaders.shared import SharedLoaders
from models.entities import EntityRow
from state import State

BUSINESS = "video"
_AT_ONCE = 100
_CREATORS = 100
"""The number of people who own entities."""


@dataclass(frozen=True, slots=True)
class Person:
    """A registered user. `subject` is the user's id at the identity provider, and `token` signs the user in."""

    user_id: int
    subject: str
    token: str


Pair = tuple[Person, EntityRow]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Community:
    """All users and entities of a run.

    `pairs` and `hot_pairs` yield users with entities to like. Neighbours in `pairs` have different people and different
    entities. `hot_pairs` has all people with one entity, then with the next. No pair occurs twice.
    """

    people: Sequence[Person]
    entities: Sequence[EntityRow]
    """The entities that occur in `pairs`."""
    pairs: Iterator[Pair]
    hot_pairs: Iterator[Pair]
    shown: Sequence[EntityRow]
    """The entities of the section `page`, which occur in no pair."""


async def gathered(state: State, sizes: Sizes) -> Community:
    """Registers as many users and entities as `sizes` says, through the commands of the API. Returns them."""
    people = await _people(state, sizes.users)
    entities = await _entities(state, people, "bench", sizes.entities)
    hot = await _entities(state, people, "hot", sizes.hot_entities)
    shown = await _entities(state, people, "page", sizes.page_entities)
    return Community(people, entities, _pairs(people, entities), _hot_pairs(people, hot), shown)


def _pairs(people: Sequence[Person], entities: Sequence[EntityRow]) -> Iterator[Pair]:
    for shift in range(len(entities)):
        for i, person in enumerate(people):
            yield person, entities[(i + shift) % len(entities)]


def _hot_pairs(people: Sequence[Person], hot: Sequence[EntityRow]) -> Iterator[Pair]:
    for entity in hot:
        for person in people:
            yield person, entity


async def _people(state: State, count: int) -> list[Person]:
    issuer, people = state.settings.issuer, list[Person]()
    for subjects in _chunks([f"user{i:05}" for i in range(count)]):
        wishes = [NewUser((issuer, subject), [subject], None, None) for subject in subjects]
        ids = await commands.users.ensure(state, wishes)
        people += [
            Person(id_, s, auth.mint(state.settings, s, scopes=["users:read"]))
            for id_, s in zip(ids, subjects, strict=True)
        ]
    return people


async def _entities(state: State, people: Sequence[Person], prefix: str, count: int) -> list[EntityRow]:
    scopes = frozenset({"entities:write"})
    viewer = Viewer(people[0].user_id, state.settings.issuer, scopes, None)
    context, entities = Context(state, SharedLoaders(state), viewer, Client()), list[EntityRow]()
    wishes = [_wish(f"{prefix}{i:05}", people[i % min(len(people), _CREATORS)]) for i in range(count)]
    for some in _chunks(wishes):
        entities += await commands.entities.register(context, some)
    return entities


def _wish(key: str, owner: Person) -> EntityData:
    ref = OwnerRef(str(UserId(owner.user_id)), None)
    return EntityData(BUSINESS, key, sets_owner=True, owner=ref, sets_title=True, title=f"The story of {key}")


def _chunks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    for at in range(0, len(items), _AT_ONCE):
        yield items[at : at + _AT_ONCE]
