"""Muted words: the words, phrases and topics that a user does not want to see. All words of a user are stored together,
as one text, so that a change of many words is one change.
"""

from sqlalchemy import BigInteger, Text

from models.base import column, key, table
from models.counters import EntityRef
from settings import USERS

MUTED_WORDS = "muted_words"
"""The value of `kind` of changes of muted words: in pending changes, in journal entries, and in the names of own sets
(models/own_sets.py).
"""
WORDS_REF = EntityRef(USERS, 1)
"""The only member of the own set of a user's muted words. All words are in its text."""

MUTED_WORDS_TABLE = table(
    "muted_words",
    key("user_id", BigInteger),
    # All words of the user (domain/muted_words.py). Empty after the account was deleted.
    column("words", Text),
    column("version", BigInteger),
    shard="user_id",
)
"""One row for each user who has ever muted a word. A change with a newer version replaces the row."""
