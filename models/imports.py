"""Imports: the posts, comments and collections that `plaudit import` has created, by their ids in the archive."""

from sqlalchemy import BigInteger, Index, Text

from models.base import column, key, table

IMPORTS_TABLE = table(
    "imports",
    # `post`, `comment` or `collection`.
    key("kind", Text),
    key("external_id", Text),
    column("internal_id", BigInteger),
    Index("imports_internal_idx", "kind", "internal_id"),
    shard="external_id",
)
"""The id that each imported post, comment or collection has in Plaudit. So an import that is repeated, or resumed,
creates nothing twice, and an export names an object as the archive did. Users are found by their identities, and
entities by their keys.
"""
