"""Reads the posts, comments and entities that search may find, and compares the index with the documents for them."""

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import text

from models.counters import EntityRef
from models.search import Document
from settings import COMMENTS, POSTS
from store.postgres.client import Postgres
from store.postgres.columns import columns
from store.reconcile.batches import Keyset

_GIVEN = "CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])"
_STORED = text(f"""
    SELECT business_id, entity_id, d.moment = w.moment AND d.terms = CAST(w.terms AS tsvector)
    FROM unnest({_GIVEN}, CAST(:moments AS bigint[]), CAST(:terms AS text[]))
         AS w(business_id, entity_id, moment, terms)
    JOIN search_documents d USING (business_id, entity_id)
""")  # noqa: S608 - a constant
_DUE = text(f"""
    SELECT DISTINCT business_id, entity_id
    FROM unnest({_GIVEN}) AS w(business_id, entity_id) JOIN search_due s USING (business_id, entity_id)
""")  # noqa: S608 - a constant
INDEX = "search_documents"
_AFTER = "(business_id, entity_id) > (:business, :entity) ORDER BY business_id, entity_id LIMIT :count"
KEYSETS: Mapping[str, tuple[int | None, Keyset]] = {
    "posts": (POSTS, Keyset(text("SELECT post_id FROM posts WHERE post_id > :id ORDER BY 1 LIMIT :count"), ("id",))),
    "comment_contents": (
        COMMENTS,
        Keyset(text("SELECT comment_id FROM comment_contents WHERE comment_id > :id ORDER BY 1 LIMIT :count"), ("id",)),
    ),
    **{
        table: (
            None,
            Keyset(text(f"SELECT business_id, entity_id FROM {table} WHERE {_AFTER}"), ("business", "entity")),  # noqa: S608
        )
        for table in ("entities", INDEX)
    },
}
"""For each table: the number of the business of its rows (None if each row contains it), and the statement that reads
the rows in batches.
"""


def ref_of(business_id: int | None, row: Sequence[int]) -> EntityRef:
    """Returns the reference of a row of KEYSETS."""
    return EntityRef(*row) if business_id is None else EntityRef(business_id, row[0])


async def find_wrong(
    postgres: Postgres, refs: Collection[EntityRef], documents: Mapping[EntityRef, Document]
) -> set[EntityRef]:
    """Compares the documents in the index with `documents`, which the index must have. Returns those of `refs` whose
    document differs, is missing, or must not be there. Leaves out objects that workers will index anyway.
    """
    wanted = [
        (*ref, document and document.moment, document and document.terms.sql())
        for ref in sorted(refs)
        for document in [documents.get(ref)]
    ]
    rows = await postgres.read(_STORED, **columns(wanted, "businesses", "entities", "moments", "terms"))
    stored = {EntityRef(business_id, entity_id): bool(same) for business_id, entity_id, same in rows}
    wrong = {ref for ref in refs if not stored.get(ref, ref not in documents)}
    due = await postgres.read(_DUE, **columns(sorted(wrong), "businesses", "entities")) if wrong else ()
    return wrong - {EntityRef(*row) for row in due}
