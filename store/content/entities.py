"""Entities, the objects that users react to and comment on, such as videos: their rows and keys in Postgres, and their
cached form.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

import orjson
from sqlalchemy import text

from domain.ids import EntityId
from models.counters import EntityRef
from models.entities import EntityRow
from store import keys
from store.cache.values import Cache, Cached, Codec, Lease
from store.content import announcements
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns
from store.postgres.distributed import one_shard, some_shards

_FORMAT = 5
"""The number of the format in which values are cached. Increase it when the format changes (store/cache/values.py)."""
_COLUMNS = (
    "e.business_id, e.entity_id, e.key, e.owner_id, e.title, e.url, e.comments_closed, e.version, e.removed, e.custom, "
    "e.labels, e.moderator_labels, e.topics"
)
# The two tables have different distribution columns, so Citus reads the ids first, and then asks all shards for rows.
_BY_KEY = text(f"""
    WITH named AS (
        SELECT k.business_id, k.entity_id
        FROM unnest(CAST(:businesses AS smallint[]), CAST(:keys AS text[])) AS wanted(business_id, key)
        JOIN entity_keys k USING (business_id, key)
    )
    SELECT {_COLUMNS} FROM named JOIN entities e USING (business_id, entity_id)
""")  # noqa: S608 - constants
_BY_ID = some_shards(
    f"""
    SELECT {_COLUMNS}
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS wanted(business_id, entity_id)
    JOIN entities e USING (business_id, entity_id) WHERE {{in_shard}}
    """,  # noqa: S608 - constants
    column="e.entity_id",
    parameter="entities",
)
_CLAIM_KEYS = text("""
    INSERT INTO entity_keys (business_id, key, entity_id)
    SELECT * FROM unnest(CAST(:businesses AS smallint[]), CAST(:keys AS text[]), CAST(:entities AS bigint[]))
    ON CONFLICT (business_id, key) DO NOTHING
""")
_IDS = some_shards(
    """
    SELECT k.business_id, k.key, k.entity_id
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:keys AS text[])) AS wanted(business_id, key)
    JOIN entity_keys k USING (business_id, key) WHERE {in_shard}
    """,
    column="k.key",
    parameter="keys",
    type_="text",
)
_INSERT = text("""
    INSERT INTO entities (business_id, entity_id, key)
    SELECT * FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:keys AS text[]))
    ON CONFLICT (business_id, entity_id) DO NOTHING
""")
# Changes no row that is already as registered, so a repetition costs no version and no event. The names of topics come
# as one text with commas, because a distributed Postgres does not cast a text to an array in an UPDATE.
_UPDATE = text(
    announcements.followed(f"""
    UPDATE entities e SET
        owner_id = CASE WHEN n.sets_owner THEN n.owner_id ELSE e.owner_id END,
        title = CASE WHEN n.sets_title THEN n.title ELSE e.title END,
        url = CASE WHEN n.sets_url THEN n.url ELSE e.url END,
        comments_closed = coalesce(n.comments_closed, e.comments_closed),
        custom = CASE WHEN n.custom IS NULL THEN e.custom ELSE nullif(n.custom, '') END,
        topics = CASE WHEN n.topics IS NULL THEN e.topics ELSE nullif(string_to_array(n.topics, ','), '{{}}') END,
        labels = coalesce(n.labels, e.labels),
        removed = false,
        version = e.version + 1
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]),
                CAST(:sets_owner AS boolean[]), CAST(:owners AS bigint[]),
                CAST(:sets_title AS boolean[]), CAST(:titles AS text[]),
                CAST(:sets_url AS boolean[]), CAST(:urls AS text[]), CAST(:comments_closed AS boolean[]),
                CAST(:customs AS text[]), CAST(:topics AS text[]), CAST(:labels AS bigint[]))
         AS n(business_id, entity_id, sets_owner, owner_id, sets_title, title, sets_url, url, comments_closed, custom,
              topics, labels)
    WHERE e.business_id = n.business_id AND e.entity_id = n.entity_id
      AND (e.version = 0 OR e.removed OR e.erased
           OR n.sets_owner AND n.owner_id IS DISTINCT FROM e.owner_id
           OR n.sets_title AND n.title IS DISTINCT FROM e.title
           OR n.sets_url AND n.url IS DISTINCT FROM e.url
           OR n.comments_closed <> e.comments_closed
           OR n.custom <> coalesce(e.custom, '')
           OR string_to_array(n.topics, ',') <> coalesce(e.topics, '{{}}')
           OR n.labels <> e.labels)
    RETURNING {_COLUMNS}, e.erased
    """)  # noqa: S608 - constants
)
_LABEL = text(
    announcements.followed(f"""
    UPDATE entities e SET moderator_labels = :labels, labels_version = :change, version = e.version + 1
    WHERE e.business_id = :business AND e.entity_id = :entity AND e.labels_version < :change
    RETURNING {_COLUMNS}
    """)  # noqa: S608 - constants
)
_REMOVE = text(
    announcements.followed(f"""
    UPDATE entities e SET removed = true, version = e.version + 1
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS gone(business_id, entity_id)
    WHERE e.business_id = gone.business_id AND e.entity_id = gone.entity_id AND NOT e.removed
    RETURNING {_COLUMNS}
    """)  # noqa: S608 - constants
)
_LOCK = one_shard(
    f"""
    SELECT {_COLUMNS}
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS wanted(business_id, entity_id)
    JOIN entities e USING (business_id, entity_id) WHERE {{in_shard}}
    ORDER BY e.business_id, e.entity_id FOR UPDATE OF e
    """,  # noqa: S608 - constants
    table="entities",
    column="e.entity_id",
    parameter="entities",
)

_ERASE = text(
    announcements.followed(f"""
    UPDATE entities e SET removed = true, erased = true, version = e.version + 1
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS gone(business_id, entity_id)
    WHERE e.business_id = gone.business_id AND e.entity_id = gone.entity_id AND NOT e.erased
    RETURNING {_COLUMNS}
    """)  # noqa: S608 - constants
)
_ERASED = text("""
    SELECT DISTINCT e.business_id, e.key
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:keys AS text[])) AS wanted(business_id, key)
    JOIN entities e USING (business_id, key) WHERE e.erased
""")
_EMPTY = text("""
    UPDATE entities SET owner_id = NULL, title = NULL, url = NULL, topics = NULL, custom = NULL, version = version + 1
    WHERE business_id = :business AND entity_id = :entity AND erased
""")
_FREE = text("DELETE FROM entity_keys WHERE business_id = :business AND key = :key AND entity_id = :entity")
_FORGET_SETTINGS = text("DELETE FROM comment_settings WHERE business_id = :business AND key = :key")

EntityKey = tuple[int, str]
"""The number of a business (a line of content, such as videos), and the key of the entity in the owner's system."""


class Registration(NamedTuple):
    """An entity to create or update, and the fields to set. The flags `sets_*` distinguish an explicit null, which
    clears a field, from an absent field. None in `comments_closed` and `custom` changes nothing; an empty text clears
    `custom`. `new_id` is the id of the entity if it is new.
    """

    business_id: int
    key: str
    new_id: int
    sets_owner: bool
    owner_id: int | None
    sets_title: bool
    title: str | None
    sets_url: bool
    url: str | None
    comments_closed: bool | None
    custom: str | None = None
    topics: Sequence[str] | None = None
    """The names of topics; None changes nothing."""
    labels: int | None = None
    """The labels as bits (domain/labels.py); None changes nothing."""
    post_id: int = 0
    """The id of the post that announces the entity, if it is to be announced; 0 if it is not."""


class BeingErased(Exception):
    """Raised if entities are being erased, and so cannot be registered. Has their numbers of the business and keys."""

    def __init__(self, keys: Sequence[EntityKey]) -> None:
        super().__init__(*keys)
        self.keys = keys


class EntityStore:
    """Reads and writes entities in Postgres. Reads return removed entities too. `business_names` has the names of
    businesses (lines of content, such as videos) by number, because rows contain only numbers. Entities of businesses
    that are not in `business_names` are left out of all results.
    """

    def __init__(self, postgres: Postgres, business_names: dict[int, str]) -> None:
        self._postgres = postgres
        self._names = business_names

    async def by_key(self, keys: Sequence[EntityKey]) -> dict[EntityKey, EntityRow]:
        """Reads entities by key, also removed ones. Keys without an entity are left out.

        Runs one query on a plain Postgres, and two on Citus, so that each asks only the shards with its rows.
        """
        wanted = columns(keys, "businesses", "keys")
        if self._postgres.is_distributed:
            found = await self._postgres.read(_IDS, **wanted)
            entities = (
                await self._by_id([EntityRef(business, entity) for business, _, entity in found]) if found else []
            )
        else:
            entities = self._rows(await self._postgres.read(_BY_KEY, **wanted))
        return {(entity.business_id, entity.key): entity for entity in entities}

    async def by_id(self, refs: Sequence[EntityRef]) -> dict[EntityRef, EntityRow]:
        """Reads entities by their business number and internal id, also removed ones, in one query. References without
        an entity are left out.
        """
        return {entity.ref: entity for entity in await self._by_id(refs)}

    async def register(self, transaction: Transaction, registrations: Sequence[Registration]) -> list[EntityRow]:
        """Creates new entities, updates existing ones and restores removed ones. Returns the entities that have
        changed, with their new values; entities that were already as registered are left out. Also adds the
        announcements of entities that are ready for one (store/content/announcements.py). Raises BeingErased; the
        transaction must then be rolled back.
        """
        ordered = sorted(registrations, key=lambda new: new[:2])
        names = "businesses", "keys"
        await transaction.execute(_CLAIM_KEYS, **columns([new[:3] for new in ordered], *names, "entities"))
        claimed = await transaction.execute(_IDS, **columns([new[:2] for new in ordered], *names))
        ids = {(business, key): entity for business, key, entity in claimed}
        if freed := [new[:2] for new in ordered if new[:2] not in ids]:  # between the two statements
            raise BeingErased(freed)
        await transaction.execute(_INSERT, **columns([(*new[:2], ids[new[:2]]) for new in ordered], *names, "entities"))
        posts = {EntityRef(new.business_id, ids[new[:2]]): new.post_id for new in ordered if new.post_id}
        before = await self.lock(transaction, posts) if posts else {}
        values = sorted(
            (new.business_id, ids[new[:2]], *new[3:-3], _joined(new.topics), new.labels) for new in ordered
        )  # as in `remove`
        fields = [
            "sets_owner",
            "owners",
            "sets_title",
            "titles",
            "sets_url",
            "urls",
            "comments_closed",
            "customs",
            "topics",
            "labels",
        ]
        rows = await transaction.execute(_UPDATE, **columns(values, "businesses", "entities", *fields))
        if erased := [(row.business_id, row.key) for row in rows if row.erased]:
            raise BeingErased(erased)
        changed = self._rows(row[:-1] for row in rows)
        if posts:
            await announcements.add(transaction, changed, before, posts)
        return changed

    async def remove(self, transaction: Transaction, wanted: Sequence[EntityKey]) -> list[EntityRow]:
        """Marks entities as removed. Returns the entities that this call has removed, not those that were removed
        before.
        """
        found = await transaction.execute(_IDS, **columns(sorted(wanted), "businesses", "keys"))
        ids = sorted((business, entity_id) for business, _, entity_id in found)
        if not ids:
            return []
        return self._rows(await transaction.execute(_REMOVE, **columns(ids, "businesses", "entities")))

    async def label(self, transaction: Transaction, ref: EntityRef, labels: int, version: int) -> EntityRow | None:
        """Sets the labels of moderators on an entity, as bits. `version` is that of the change. Returns the entity with
        its new labels; None if there is no such entity, or if it has a newer change of these labels.
        """
        about = {"business": ref.business_id, "entity": ref.entity_id}
        rows = self._rows(await transaction.execute(_LABEL, **about, labels=labels, change=version))
        return rows[0] if rows else None

    async def lock(self, transaction: Transaction, refs: Iterable[EntityRef]) -> dict[EntityRef, EntityRow]:
        """Locks the rows of entities until the transaction ends. Returns them."""
        rows = await transaction.execute(_LOCK, **columns(sorted(refs), "businesses", "entities"))
        return {entity.ref: entity for entity in self._rows(rows)}

    async def erase(
        self, transaction: Transaction, wanted: Sequence[EntityKey]
    ) -> tuple[list[EntityRow], set[EntityKey]]:
        """Marks entities as removed and as erased. Returns the entities that this call has marked, and those of the
        keys that belong to no entity and belonged to none that was erased.
        """
        found = await transaction.execute(_IDS, **columns(sorted(wanted), "businesses", "keys"))
        unknown = {*wanted} - {(business, key) for business, key, _ in found}
        if unknown:
            erased = await transaction.execute(_ERASED, **columns(sorted(unknown), "businesses", "keys"))
            unknown -= {(business, key) for business, key in erased}
        ids = sorted((business, entity_id) for business, _, entity_id in found)
        rows = await transaction.execute(_ERASE, **columns(ids, "businesses", "entities")) if ids else ()
        return self._rows(rows), unknown

    async def empty(self, transaction: Transaction, ref: EntityRef, key: str) -> str:
        """Removes the contents of an erased entity and the settings of its comments, and frees its key. The row stays,
        as removed. Returns the id that clients used; with the number of the business if the business was removed from
        the businesses file.
        """
        for statement in (_EMPTY, _FREE, _FORGET_SETTINGS):
            await transaction.execute(statement, business=ref.business_id, entity=ref.entity_id, key=key)
        return EntityId.text(self._names.get(ref.business_id, str(ref.business_id)), key)

    async def _by_id(self, refs: Sequence[EntityRef]) -> list[EntityRow]:
        return self._rows(await self._postgres.read(_BY_ID, **columns(refs, "businesses", "entities")))

    def _rows(self, rows: Iterable[Sequence[Any]]) -> list[EntityRow]:
        return [
            EntityRow(business_id, entity_id, self._names[business_id], *[*rest, tuple(topics or ())])
            for business_id, entity_id, *rest, topics in rows
            if business_id in self._names
        ]


def _joined(topics: Sequence[str] | None) -> str | None:
    return None if topics is None else ",".join(topics)


def encode(entity: EntityRow | None) -> Cached:
    """Encodes an entity for the cache. None, which means that there is no such entity, is cached too."""
    return Cached(entity.version if entity else 0, orjson.dumps(entity and asdict(entity)), format=_FORMAT)


def decode(cached: Cached) -> EntityRow | None:
    """Returns the entity that `encode` has encoded, or None. Raises OtherFormat if the value is encoded in another
    format.
    """
    fields = orjson.loads(cached.body_in(_FORMAT))
    return EntityRow(**{**fields, "topic_names": tuple(fields["topic_names"])}) if fields else None


CODEC: Codec[EntityKey, EntityRow | None] = Codec(
    "entities", lambda entity: keys.entity(*entity), encode, decode, absent=None
)
"""How entities are cached by business and key in the owner's system."""

ID_CODEC = Codec("entities_by_id", keys.entity_by_id, encode, decode, absent=None)
"""How entities are cached by internal id."""


async def fence(cache: Cache, transaction: Transaction, rows: Iterable[EntityRow]) -> Lease:
    """Removes the cached copies of these entities, and prevents all processes from caching them until `Cache.unfence`.
    Returns the fence, to pass to `unfence`. `Cache.fence` says when to call this function, and what it raises.
    """
    return await cache.fence(transaction, cache_keys(rows))


def cache_keys(rows: Iterable[EntityRow]) -> list[str]:
    """Returns the keys under which these entities are cached."""
    return [name for row in rows for name in (keys.entity(row.business_id, row.key), keys.entity_by_id(row.ref))]
