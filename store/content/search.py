"""The index for search in Postgres: its documents, and which of them a worker must write again.

An index of all terms (GIN) finds documents. So a condition about an author, a topic or a subject is a term, too.
"""

import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import text

from domain.digests import digest
from models.counters import EntityRef
from models.search import Document
from store import keys
from store.cache.lists import Item
from store.cache.values import Cache
from store.content import items
from store.postgres.client import Postgres, Reader, Transaction, replanned
from store.postgres.columns import columns

MOST_RANKED = 1000
"""The most documents that are ordered by how well they match: the newest ones that match."""
LIFE_MS = 600_000
"""Milliseconds for which a ranked list is kept for its later pages."""
_ASK = text("""
    INSERT INTO search_due (business_id, entity_id, version)
    SELECT * FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:versions AS bigint[]))
    ON CONFLICT (business_id, entity_id, version) DO NOTHING
""")
_DUE = text("SELECT business_id, entity_id, version FROM search_due ORDER BY 1, 2, 3 LIMIT :most")
_WAITING = text("SELECT count(*), min(version) FILTER (WHERE version > 0) FROM search_due")
_DONE = text("""
    DELETE FROM search_due s
    USING unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:versions AS bigint[]))
          AS w(business_id, entity_id, version)
    WHERE (s.business_id, s.entity_id, s.version) = (w.business_id, w.entity_id, w.version)
""")
_WRITE = text("""
    INSERT INTO search_documents AS d (business_id, entity_id, moment, terms)
    SELECT business_id, entity_id, moment, CAST(terms AS tsvector)
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:moments AS bigint[]),
                CAST(:terms AS text[])) AS w(business_id, entity_id, moment, terms)
    ON CONFLICT (business_id, entity_id) DO UPDATE SET moment = excluded.moment, terms = excluded.terms
    WHERE (d.moment, d.terms) IS DISTINCT FROM (excluded.moment, excluded.terms)
""")
_REMOVE = text("""
    DELETE FROM search_documents d
    USING unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS w(business_id, entity_id)
    WHERE d.business_id = w.business_id AND d.entity_id = w.entity_id
""")
_HOLD = text("SELECT pg_advisory_xact_lock(:lock)")
_LOCK = 7_310_214_002
"""The number of the lock of those who write documents. It has no meaning of its own."""
_MATCHES = """
    business_id = :business AND (CAST(:terms AS text) = '' OR terms @@ CAST(CAST(:terms AS text) AS tsquery))
    AND moment >= :since AND moment < :until
"""
# The best plan depends on how common the words are.
_NEWEST = replanned(
    text(f"""
        SELECT moment, entity_id FROM search_documents
        WHERE {_MATCHES} AND (moment, entity_id) < (:moment, :member)
        ORDER BY moment DESC, entity_id DESC LIMIT :count
    """)  # noqa: S608 - a constant
)
_RANKED = replanned(
    text(f"""
        SELECT d.entity_id, d.moment, CASE WHEN CAST(:words AS text) = '' THEN 1
               ELSE ts_rank(d.terms, CAST(CAST(:words AS text) AS tsquery), 1) END AS rank
        FROM (
            SELECT business_id, entity_id FROM search_documents WHERE {_MATCHES}
            ORDER BY moment DESC, entity_id DESC LIMIT {MOST_RANKED}
        ) AS n JOIN search_documents d USING (business_id, entity_id)
    """)  # noqa: S608 - constants
)
_SIMILAR = replanned(
    text("""
        SELECT lexeme FROM (
            SELECT terms FROM search_documents
            WHERE business_id = :business AND terms @@ CAST(CAST(:terms AS text) AS tsquery)
            ORDER BY moment DESC, entity_id DESC LIMIT 1000
        ) AS d CROSS JOIN LATERAL unnest(d.terms) AS u(lexeme, positions, weights)
        WHERE starts_with(lexeme, :beginning) AND length(lexeme) BETWEEN :least AND :most
        GROUP BY lexeme ORDER BY count(*) DESC, lexeme
    """)
)
_STEMS = text("""
    SELECT word, (ts_lexize(CAST(CAST(:dictionary AS text) AS regdictionary), word))[1]
    FROM unnest(CAST(:words AS text[])) AS w(word)
""")


class Due(NamedTuple):
    """A post, comment or entity whose document a worker must write again, because of the change with this version."""

    business_id: int
    entity_id: int
    version: int

    @property
    def ref(self) -> EntityRef:
        """Returns the reference of the post, comment or entity."""
        return EntityRef(self.business_id, self.entity_id)


class Waiting(NamedTuple):
    """How many requests wait for workers, and the version of the oldest change among them. The version is None if no
    change waits. Requests of a rebuild have none.
    """

    number: int
    oldest: int | None


class Search(NamedTuple):
    """What to search for: documents of a business with these terms, in the syntax of `tsquery`, and a moment of at
    least `since` and less than `until`. `words` has the terms that count for the rank.
    """

    business_id: int
    terms: str
    words: str
    since: int
    until: int

    @property
    def name(self) -> str:
        """Returns the digest that names the list of what is found."""
        return digest("search", str(tuple(self)))


async def ask(transaction: Transaction, changed: Iterable[tuple[EntityRef, int]]) -> None:
    """Requests that workers index these posts, comments and entities, each given with the version of its change."""
    if rows := sorted((*ref, version) for ref, version in changed):
        await transaction.execute(_ASK, **columns(rows, "businesses", "entities", "versions"))


async def due(postgres: Postgres, most: int) -> list[Due]:
    """Returns up to `most` requests of `ask`."""
    return [Due(*row) for row in await postgres.read(_DUE, most=most)]


async def waiting(postgres: Postgres) -> Waiting:
    """Returns the requests of `ask` that wait for workers."""
    ((count, oldest),) = await postgres.read(_WAITING)
    return Waiting(count, oldest)


async def hold(transaction: Transaction) -> None:
    """Waits until nobody else writes documents, and keeps others waiting until the transaction ends. Read rows after
    this call, so that no document of an older row replaces that of a newer one.
    """
    await transaction.execute(_HOLD, lock=_LOCK)


async def write(
    transaction: Transaction, documents: Iterable[Document], gone: Iterable[EntityRef], done: Iterable[Due]
) -> None:
    """Writes documents, removes those of `gone`, and removes the requests in `done`."""
    if rows := sorted((*one.ref, one.moment, one.terms.sql()) for one in documents):
        await transaction.execute(_WRITE, **columns(rows, "businesses", "entities", "moments", "terms"))
    if refs := sorted(gone):
        await transaction.execute(_REMOVE, **columns(refs, "businesses", "entities"))
    if requests := sorted(done):
        await transaction.execute(_DONE, **columns(requests, "businesses", "entities", "versions"))


async def newest(postgres: Postgres, search: Search, before: Item | None, count: int) -> list[Item]:
    """Returns up to `count` documents that are found and are older than `before`, newest first, as (moment, id)."""
    asked = {"business": search.business_id, "terms": search.terms, "since": search.since, "until": search.until}
    return await items.page(postgres, _NEWEST, before, count, **asked)


async def ranked(postgres: Postgres, search: Search) -> list[tuple[int, int, float]]:
    """Returns the newest MOST_RANKED documents that are found, in any order: id, moment, and how well the text matches,
    a number of more than 0 and at most 1.
    """
    asked = {"business": search.business_id, "terms": search.terms, "since": search.since, "until": search.until}
    return [tuple(row) for row in await postgres.read(_RANKED, **asked, words=search.words)]


async def similar(postgres: Postgres, business_id: int, labels: Sequence[str], word: str) -> list[str]:
    """Returns words that begin with the first two letters of a word and are at most one letter longer or shorter, the
    commonest first. Reads the newest thousand documents of a business that have these labels and such a beginning.
    """
    terms = " & ".join([f"'{word[:2]}':*", *(f"'{label}'" for label in labels)])
    length = {"beginning": word[:2], "least": len(word) - 1, "most": len(word) + 1}
    return [word for (word,) in await postgres.read(_SIMILAR, business=business_id, terms=terms, **length)]


async def stems(source: Reader, language: str, words: Iterable[str]) -> Mapping[str, str]:
    """Returns the stems of words in a language that Postgres knows. Leaves out words without a stem. Returns nothing
    without a language.
    """
    if not (language and (each := sorted(words))):
        return {}
    rows = await source.read(_STEMS, dictionary=f"{language}_stem", words=each)
    return {word: stem for word, stem in rows if stem}


async def kept(cache: Cache, search: Search, token: int) -> list[int] | None:
    """Returns the ids in a ranked list, in its order, that `keep` has stored under a number; None if it has expired.
    Raises RedisDown.
    """
    packed = await cache.redis("GET", keys.found(search.name, token))
    return None if packed is None else [id_ for (id_,) in struct.iter_unpack(">q", packed)]


async def keep(cache: Cache, search: Search, token: int, ids: list[int]) -> list[int]:
    """Stores a ranked list under a number, for its later pages. Returns the list that is stored: `ids`,
    or the list that another request has stored under the number before. Raises RedisDown.
    """
    packed, key = struct.pack(f">{len(ids)}q", *ids), keys.found(search.name, token)
    if await cache.redis("SET", key, packed, "PX", LIFE_MS, "NX", write=True):
        return ids
    return await kept(cache, search, token) or ids
