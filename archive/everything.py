"""Makes the records of an export of all data. Reads the tables one after the other, each in the order of its primary
key, so two exports of the same data have the same records in the same order.
"""

from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from typing import Any

from archive import rows as made
from archive.records import Block, Record
from archive.references import Lookup, References, identity_of
from models.comment_settings import CommentSettings, SubjectKey
from models.counters import EntityRef
from models.follows import Pair
from models.users import UserRow
from settings import COLLECTIONS, COMMENTS, POSTS
from state import State
from store.archive import everything as sources
from store.archive import lookups
from store.archive.pages import Source, pages
from store.content import comment_settings, comments, posts
from store.postgres.client import Rows

Records = Sequence[Record]
"""The records of one page."""


class Everything:
    """Makes the records of all data. Records and references name the issuer of a user unless the issuer is `issuer`."""

    def __init__(self, state: State, issuer: str) -> None:
        self._state, self._postgres, self._issuer = state, state.postgres, issuer
        self._lookup = Lookup(state, issuer)

    async def pages(self) -> AsyncIterator[Records]:
        """Yields all records, page by page. Pages may be empty. Raises PostgresDown."""
        parts: list[tuple[Source, Callable[[Rows], Any]]] = [
            (sources.USERS, self._users),
            (sources.ENTITIES, self._entities),
            (sources.FOLLOWS, self._follows),
            (sources.CONTENT_FOLLOWS, self._content_follows),
            (sources.REACTIONS, self._reactions),
            (sources.REPOSTS, self._reposts),
            (sources.COLLECTIONS, self._collections),
            (sources.SAVES, self._saves),
            (sources.POSTS, self._posts),
            (sources.COMMENTS, self._comments),
            (sources.BLOCKS, self._blocks),
            (sources.MUTES, self._mutes),
        ]
        now_ms = self._state.now_ms()
        for source, records_of in parts:
            parameters = {"now": now_ms} if source is sources.MUTES else {}
            async for rows in pages(self._postgres, source, **parameters):
                yield [record for record in await records_of(rows) if record]

    async def _users(self, rows: Rows) -> Records:
        ids = [row.user_id for row in rows]
        identities = await lookups.identities(self._postgres, ids)
        former = await lookups.former_handles(self._postgres, ids)
        now_ms = self._state.now_ms()
        return [
            made.user(UserRow(*row), *identity_of(row.user_id, identities), self._issuer, former, now_ms)
            for row in rows
        ]

    async def _entities(self, rows: Rows) -> Records:
        refs = await self._lookup.of([row.owner_id for row in rows if row.owner_id is not None])
        settings = await self._settings({(row.business_id, row.key) for row in rows})
        return [made.entity(row, refs, settings.get((row.business_id, row.key))) for row in rows]

    async def _follows(self, rows: Rows) -> Records:
        pairs = [Pair(*row) for row in rows]
        refs = await self._lookup.of({user for pair in pairs for user in pair[:2]})
        return [
            made.follow(follower, followee, made.time_of(version), refs, requested=requests)
            for pair in pairs
            for (follower, followee, follows, version), requests in zip(
                pair.directions, (pair.lo_requests, pair.hi_requests), strict=True
            )
            if follows or requests
        ]

    async def _content_follows(self, rows: Rows) -> Sequence[Record | None]:
        refs = await self._of_targets(rows)
        return [made.content_follow(row, refs) for row in rows]

    async def _reactions(self, rows: Rows) -> Sequence[Record | None]:
        refs = await self._of_targets(rows)
        return [made.reaction(row, refs) for row in rows]

    async def _reposts(self, rows: Rows) -> Records:
        refs = await self._lookup.of({row.user_id for row in rows}, {EntityRef(POSTS, row.post_id) for row in rows})
        return [made.repost(row, refs) for row in rows]

    async def _saves(self, rows: Rows) -> Sequence[Record | None]:
        refs = await self._of_targets(rows, {EntityRef(COLLECTIONS, row.collection_id) for row in rows})
        return [made.save(row, refs) for row in rows]

    async def _of_targets(self, rows: Rows, named: Collection[EntityRef] = ()) -> References:
        targets = {EntityRef(row.business_id, row.entity_id) for row in rows}
        return await self._lookup.of({row.user_id for row in rows}, targets, named)

    async def _collections(self, rows: Rows) -> Records:
        named = {EntityRef(COLLECTIONS, row.collection_id) for row in rows}
        refs = await self._lookup.of({row.user_id for row in rows}, named=named)
        return [made.collection(row, refs) for row in rows]

    async def _posts(self, rows: Rows) -> Records:
        found = [posts.from_columns(row) for row in rows]
        named = {ref for row in found for ref in (row.ref, row.about) if ref}
        quoted = {EntityRef(POSTS, row.quote_of) for row in found if row.quote_of}
        refs = await self._lookup.of({row.author_id for row in found}, named | quoted)
        pins = await lookups.pins(self._postgres, [(row.author_id, row.post_id) for row in found])
        settings = await self._settings({row.subject_key for row in found})
        return [made.post(row, refs, pins.get(row.post_id), settings.get(row.subject_key)) for row in found]

    async def _comments(self, rows: Rows) -> Sequence[Record | None]:
        found = [comments.from_columns(row[:-1]) for row in rows]
        ids = {id_ for row in found for id_ in (row.comment_id, row.parent_id) if id_}
        named = {EntityRef(COMMENTS, id_) for id_ in ids}
        refs = await self._lookup.of({row.author_id for row in found}, {row.subject for row in found}, named)
        keys = [made.settings_key(row.subject, refs.keys) for row in found]
        settings = await self._settings({*keys})
        return [
            made.comment(row, columns.deleted_as, refs, settings.get(key))
            for row, columns, key in zip(found, rows, keys, strict=True)
        ]

    async def _blocks(self, rows: Rows) -> Sequence[Block]:
        refs = await self._lookup.of({user for row in rows for user in (row.user_id, row.blocked_id)})
        return [made.block(row.user_id, row, refs) for row in rows]

    async def _mutes(self, rows: Rows) -> Records:
        refs = await self._lookup.of({user for row in rows for user in (row.user_id, row.muted_id)})
        return [made.mute(row.user_id, row, refs) for row in rows]

    async def _settings(self, subjects: set[SubjectKey]) -> Mapping[SubjectKey, CommentSettings]:
        return await comment_settings.by_subject(self._postgres, sorted(subjects))
