"""The words by which searches find users."""

from sqlalchemy import BigInteger, Index, SmallInteger, Text

from models.base import column, key, table

USER_TERMS_TABLE = table(
    "user_terms",
    key("user_id", BigInteger),
    # In the order of code points, so that an index finds the terms with a prefix.
    key("term", Text(collation="C")),
    # Grows by one when the user's followers grow fourfold (store/content/user_terms.py).
    column("tier", SmallInteger),
    Index("user_terms_tier_idx", "tier", "term", "user_id"),
    Index(
        "user_terms_similar_idx",
        "term",
        postgresql_using="gin",
        postgresql_ops={"term": "gin_trgm_ops"},
        postgresql_with={"fastupdate": "off"},
    ),
    shard="user_id",
)
"""The terms of each user who is not deleted: one for each word of the handle and of the display name. A term is the
text from the beginning of a word to the next space, folded for comparison (domain/search_terms.py).
"""
