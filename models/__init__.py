"""Tables, and the row classes that the rest of the code uses.

A distributed Postgres shards each table by the first column of its primary key (docs/operate/scale.md). Every primary
key and unique index contains that column; a test checks this.
"""

from domain.packages import modules_of
from models.base import METADATA

__all__ = ["METADATA"]

modules_of(__name__)
