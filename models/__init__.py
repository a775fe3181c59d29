"""The tables in Postgres, and the row classes that the rest of the code uses.

A distributed Postgres spreads each table over servers by the first column of the table's primary key
(docs/operate/scale.md). So every primary key and every unique index contains this column; a test checks it.
"""

from domain.packages import modules_of
from models.base import METADATA

__all__ = ["METADATA"]

modules_of(__name__)
