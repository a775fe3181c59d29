"""Loads the demo data into a deployment. People, entities and reports are added by the commands of the API. Everything
else is appended to the journals, from which workers store it.

In an empty deployment the actions get times in the past, otherwise the current time. Loading a second time changes
nothing, because the idempotency keys of posts and comments are stored permanently.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from redis.exceptions import ResponseError

import commands.entities
import commands.reports
import commands.users
from commands.entities import EntityData, OwnerRef
from commands.users import NewUser, ProfileChange
from context import Client, Context, Viewer
from domain.errors import Refused
from domain.ids import CommentId, EntityId, IdGenerator, PostId, UserId
from loaders.shared import SharedLoaders
from models.collections import COLLECTION, CollectionRow
from models.counters import EntityRef
from models.follows import FOLLOW
from models.likes import REACT
from models.reposts import REPOST
from models.saves import SAVE
from seed.community import COLLECTIONS_AGE, THINGS_AGE, Community
from seed.entries import Act, Thing, Written, acts, written
from seed.people import Person
from seed.pictures import avatar_url
from seed.reports import Target
from seed.saves import COLLECTIONS
from settings import POSTS, Settings
from state import State, opened
from store.moderation import reports
from store.people.identities import users_of
from store.reactions import collections
from store.redis.client import RedisDown
from store.write_log import claims, journal

_AT_ONCE, _PROFILES_AT_ONCE = 500, 8
_PATIENCE, _POLL = 60.0, 0.05

T = TypeVar("T")
Report = Callable[[str, float], None]
"""A function that receives the progress: the name of the current step, and the finished share of all steps, from 0 to
1.
"""


class NoWorker(Exception):
    """Raised if workers do not store what is in the journals, because none runs."""

    def __init__(self) -> None:
        super().__init__("No worker takes entries from the journals. Start a worker, and seed again.")


def run(settings: Settings, report: Report = lambda _what, _share: None) -> None:
    """Loads the demo data that is missing, and returns when workers have stored all of it. Calls `report` with the
    progress. Raises NoWorker if no worker runs.
    """
    asyncio.run(_run(settings, report))


async def _run(settings: Settings, report: Report) -> None:
    async with opened(settings, "seed") as state:
        await _until_none(partial(_unread, state), lambda _: None)
        await _Loading(state, report, past=await _is_untouched(state)).load()


async def _unread(state: State) -> int:
    """Returns the number of journals that cannot be read yet: after a start of Redis, all of them, until a worker has
    verified that Redis has lost nothing.
    """
    heads = await journal.heads(state.postgres)
    try:
        await state.journals.lengths(list(heads))
    except RedisDown:
        return len(heads)
    return 0


async def _is_untouched(state: State) -> bool:
    """Returns whether the deployment is new: the journals are empty, and no worker has ever stored a
    change from them.
    """
    heads = await journal.heads(state.postgres)
    return not any(heads.values()) and not any(await state.journals.lengths(list(heads)))


class _Loading:
    """One run of the loader. If `past` is true, actions get times in the past, otherwise the current time."""

    def __init__(self, state: State, report: Report, *, past: bool) -> None:
        self._now_ms = state.now_ms()
        self._age = 0
        self._past = past
        self._shows_images = state.settings.demo_url is not None
        self._report = report
        self._community = Community(self._now_ms)
        self._state = replace(state, new_id=self._past_ids(state.new_id))
        self._shared = SharedLoaders(self._state)

    def _past_ids(self, own: IdGenerator) -> IdGenerator:
        """Returns a generator of ids whose creation times lie `_age` milliseconds in the past. `own` is the generator
        whose node number it uses.
        """
        ids = IdGenerator(lambda: self._now_ms - self._age)
        ids.node, ids.valid_until_ms = own.node, own.valid_until_ms
        return ids

    async def load(self) -> None:
        """Loads all demo data that the deployment does not have yet, and waits until workers have stored it."""
        self._report("People", 0.0)
        user_ids = await self._people()
        await self._until_quiet()
        texts = written(self._community, user_ids)
        known = await self._known(texts)
        collection_ids = await self._collections(user_ids)
        text_ids = self._ids(texts, known)
        if len(known) < len(texts):
            await self._acts(user_ids, texts, text_ids, known, collection_ids)
        await self._reports(user_ids, text_ids)

    async def _acts(
        self,
        user_ids: Sequence[int],
        texts: Sequence[Written],
        text_ids: Sequence[int],
        known: dict[int, int],
        collection_ids: Sequence[int],
    ) -> None:
        """Loads everything but people and reports, and waits until workers have stored it. `texts` are all posts and
        comments, `text_ids` their ids, and `known` the ids of those that exist already, by index.
        """
        await self._bios(user_ids)
        self._report("Things", 0.1)
        things = await self._things(user_ids)
        self._report("Journals", 0.15)
        found = acts(self._community, user_ids, texts, text_ids, known, things, collection_ids, self._shows_images)
        places = await self._append(found)
        await self._until_taken(places)
        await self._forget(user_ids)

    async def _people(self) -> list[int]:
        """Registers the people who do not exist yet, oldest accounts first. Returns the user ids of all people, in the
        order of `Community.people`.
        """
        issuer, everybody = self._state.settings.issuer, self._community.people
        identities = [(issuer, person.handle) for person in everybody]
        found = await users_of(self._state.postgres, identities)
        for age, cohort in self._community.cohorts:
            new = [(identities[one], everybody[one]) for one in cohort if identities[one] not in found]
            if new:
                self._age = age
                data = [
                    NewUser(identity, [person.handle], person.name, self._avatar(person)) for identity, person in new
                ]
                made = await commands.users.ensure(self._state, data)
                found |= dict(zip((one.identity for one in data), made, strict=True))
        return [found[identity] for identity in identities]

    def _avatar(self, person: Person) -> str | None:
        return avatar_url(person.handle) if self._shows_images else None

    def _context(self, user_id: int, *scopes: str) -> Context:
        viewer = Viewer(user_id, self._state.settings.issuer, frozenset(scopes), None)
        return Context(self._state, self._shared, viewer, Client(kind="seed"))

    async def _bios(self, user_ids: Sequence[int]) -> None:
        """Sets the biographies of people whose profiles have none. `user_ids` are in the order of
        `Community.people`.
        """
        rows = await self._context(user_ids[0]).content.users.ask(user_ids)
        silent = [
            commands.users.update_profile(self._context(user_id), ProfileChange(bio=person.bio))
            for user_id, person, row in zip(user_ids, self._community.people, rows, strict=True)
            if row and not row.bio
        ]
        for some in _chunks(silent, _PROFILES_AT_ONCE):
            await asyncio.gather(*some)

    async def _things(self, user_ids: Sequence[int]) -> list[Thing]:
        """Registers the videos and articles of the demo data as entities, with their owners. `user_ids` are in the
        order of `Community.people`. Returns the reference and the owner of each entity.
        """
        self._age = THINGS_AGE if self._past else 0
        data = [
            EntityData(
                thing.business,
                thing.key,
                sets_owner=True,
                owner=OwnerRef(UserId.text(user_ids[thing.owner]), None),
                sets_title=True,
                title=thing.title,
                sets_url=True,
                url=f"https://example.com/{thing.business}/{thing.key}",
            )
            for thing in self._community.things
        ]
        context = self._context(user_ids[0], "entities:write")
        rows = await commands.entities.register(context, data)
        return [Thing(EntityRef(row.business_id, row.entity_id), row.owner_id) for row in rows]

    async def _collections(self, user_ids: Sequence[int]) -> list[int]:
        """Returns an id for each collection in `COLLECTIONS`: that of the owner's collection with this name, or else a
        new one. `user_ids` are in the order of `Community.people`.
        """
        self._age = COLLECTIONS_AGE if self._past else 0
        owned = await collections.of_users(self._state.postgres, [user_ids[one.owner] for one in COLLECTIONS])
        found = []
        for owner, name, _ in COLLECTIONS:
            rows = (CollectionRow.of(user_ids[owner], member) for member in owned[user_ids[owner]])
            own = {row.name: row.collection_id for row in rows}
            found.append(own.get(name) or self._state.new_id())
        return found

    async def _reports(self, user_ids: Sequence[int], text_ids: Sequence[int]) -> None:
        """Sends the reports of people who have never reported anything, and waits until workers have stored them.
        `user_ids` are the ids of all people, `text_ids` those of all posts and then of all comments.
        """
        count = len(self._community.posts)
        targets = {
            Target.POST: [PostId.text(one) for one in text_ids[:count]],
            Target.COMMENT: [CommentId.text(POSTS, one) for one in text_ids[count:]],
            Target.THING: [EntityId.text(thing.business, thing.key) for thing in self._community.things],
            Target.PERSON: [UserId.text(one) for one in user_ids],
        }
        made = await reports.made(self._state.postgres, user_ids)
        for reporter, kind, target, reason, note in self._community.reports:
            if user_ids[reporter] not in made:
                with suppress(Refused):  # rules of moderation may hide the target
                    context = self._context(user_ids[reporter])
                    await commands.reports.report(context, targets[kind][target], reason, note, None)
        await self._until_quiet()

    async def _known(self, texts: Sequence[Written]) -> dict[int, int]:
        """Returns the ids of the posts and comments that exist already, by their indexes in `texts`."""
        found = await claims.find(self._state.postgres, [text.name for text in texts])
        return {at: found[text.name].entity_id for at, text in enumerate(texts) if text.name in found}

    def _ids(self, texts: Sequence[Written], known: dict[int, int]) -> list[int]:
        """Returns an id for each post and comment in `texts`: the one in `known`, or else a new one. Older texts get
        lower new ids.
        """
        found = dict(known)
        for at, text in sorted(enumerate(texts), key=lambda one: -one[1].content.age):
            if at not in known:
                self._age = text.content.age if self._past else 0
                found[at] = self._state.new_id()
        return [found[at] for at in range(len(found))]

    async def _append(self, some: Sequence[Act]) -> list[tuple[int, int]]:
        """Appends actions to the journals of their actors. Returns (partition, version) for each, which is the place of
        its entry.
        """
        found: list[tuple[int, int]] = []
        for chunk in _chunks(some, _AT_ONCE):
            try:
                found += await self._appended(chunk, past=self._past)
            except ResponseError:  # another writer appended a newer entry, and entries must be in order
                found += await self._appended(chunk, past=False)
        return found

    async def _appended(self, some: Sequence[Act], *, past: bool) -> list[tuple[int, int]]:
        partitions = [self._state.keys.partition_of(act.actor_id) for act in some]
        times = [self._now_ms - act.age if past else None for act in some]
        entries = list(zip(partitions, times, [act.fields for act in some], strict=True))
        return list(zip(partitions, await self._state.journals.append(entries), strict=True))

    async def _until_quiet(self) -> None:
        """Waits until workers have stored all entries of the journals, so that the tables have all posts and comments
        that exist. Raises NoWorker if no worker runs.
        """

        async def waiting() -> int:
            heads = await journal.heads(self._state.postgres)
            beyond = await self._state.journals.read([(p, head, 1) for p, head in heads.items()])
            return sum(map(len, beyond))

        await _until_none(waiting, lambda _: None)

    async def _until_taken(self, places: Sequence[tuple[int, int]]) -> None:
        """Waits until workers have stored all entries at these places (partition, version). Raises NoWorker if no
        worker runs.
        """

        async def waiting() -> int:
            heads = await journal.heads(self._state.postgres)
            return sum(version > heads[partition] for partition, version in places)

        await _until_none(waiting, lambda left: self._report("Workers", 1 - 0.7 * left / len(places)))

    async def _forget(self, user_ids: Sequence[int]) -> None:
        """Deletes what Redis has cached of these users' reactions, reposts, saves, collections and follows. If the
        users sent requests during the loading, their cached sets lack the loaded changes.
        """
        state = self._state
        await asyncio.gather(
            *(state.own_sets.forget(kind, user_ids) for kind in (FOLLOW, SAVE, COLLECTION, REPOST)),
            state.own_sets.forget(REACT, user_ids, state.businesses_by_id),
        )


async def _until_none(waiting: Callable[[], Coroutine[Any, Any, int]], tell: Callable[[int], None]) -> None:
    """Calls `waiting` again and again until it returns 0, and calls `tell` with each number after the first one. Raises
    NoWorker if the number does not fall for 60 seconds.
    """
    least, moved = await waiting(), time.monotonic()
    left = least
    while left:
        if time.monotonic() - moved > _PATIENCE:
            raise NoWorker
        await asyncio.sleep(_POLL)
        left = await waiting()
        if left < least:
            least, moved = left, time.monotonic()
        tell(left)


def _chunks(some: Sequence[T], size: int) -> Iterable[Sequence[T]]:
    return (some[at : at + size] for at in range(0, len(some), size))
