"""Dead letters: entries of journals, which are changes, that Postgres refused to store. A dead letter contains the
complete entry, and is kept until an operator applies it again or removes it.
"""

from sqlalchemy import BigInteger, DateTime, SmallInteger, Text, text
from sqlalchemy.dialects.postgresql import BYTEA

from models.base import column, key, table

DEAD_LETTERS_TABLE = table(
    "dead_letters",
    key("p", SmallInteger),
    key("version", BigInteger),
    column("entry", BYTEA),
    column("error", Text),
    column("refused_at", DateTime(timezone=True), server_default=text("now()")),
    local="few rows, read only by operators",
)
"""One journal entry that Postgres refused. `entry` contains the fields of the entry as JSON in bytes, so that any
content fits.
"""
