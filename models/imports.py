"""Imports: the posts, comments and collections that `plaudit import` has created, by their ids in the archive."""

from sqlalchemy import BigInteger, Index, Text

from models.base import column, key, table

IMPORTS_TABLE = table(
    "imports",
    # `post`, `comment` or `collection`.
    key("kind", Text),
    key("external_id", Text),
    # The id of the post, comment or collection in Plaudit.
    column("entity_id", BigInteger),
    Index("imports_entity_idx", "kind", "entity_id"),
    shard="external_id",
)
"""The id that each imported post, comment or collection has in Plaudit. So an import that is repeated, or resumed,
creates nothing twice, and an export names an object as the archive did. Users are found by their identities, and
entities by their keys.
"""
