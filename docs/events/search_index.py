"""Keeps an index of all posts in a search engine of your own, made from Plaudit's outgoing events in a Redis stream.
The engine of this example is SQLite with FTS5. Run it with the URL of Redis, the name of the stream and a file.
"""

import json
import sqlite3
import sys
from typing import Any

import redis

_TABLES = """
    CREATE TABLE IF NOT EXISTS versions (post TEXT PRIMARY KEY, version INTEGER);
    CREATE TABLE IF NOT EXISTS position (one INTEGER PRIMARY KEY, place TEXT);
    CREATE VIRTUAL TABLE IF NOT EXISTS posts USING fts5 (post UNINDEXED, text, tokenize = 'trigram');
"""


class SearchIndex:
    """The texts of all public posts. An event that comes twice, or an old event after a newer one, changes nothing. The
    position in the stream is stored in the transaction of each event, so a restart continues from it.
    """

    def __init__(self, file: str) -> None:
        self._sqlite = sqlite3.connect(file)
        self._sqlite.executescript(_TABLES)

    @property
    def position(self) -> str:
        """The position of the last event in the index; "0" before the first one."""
        row = self._sqlite.execute("SELECT place FROM position").fetchone()
        return str(row[0]) if row else "0"

    def apply(self, event: dict[str, Any], position: str) -> None:
        """Writes an event to the index. `position` is its position in the stream."""
        with self._sqlite as sqlite:
            if event["kind"] in ("post.created", "post.updated", "post.deleted"):
                post, version = event["data"]["id"], int(event["version"])
                row = sqlite.execute("SELECT version FROM versions WHERE post = ?", [post]).fetchone()
                if row is None or version > row[0]:
                    sqlite.execute("REPLACE INTO versions VALUES (?, ?)", [post, version])
                    sqlite.execute("DELETE FROM posts WHERE post = ?", [post])
                    if event["kind"] != "post.deleted":
                        sqlite.execute("INSERT INTO posts VALUES (?, ?)", [post, event["data"]["text"]])
            sqlite.execute("REPLACE INTO position VALUES (1, ?)", [position])

    def find(self, words: str) -> list[str]:
        """Returns the ids of the posts with a text of at least three characters. Ask Plaudit for them with `nodes`, so
        that each viewer gets only what the viewer may see.
        """
        return [row[0] for row in self._sqlite.execute("SELECT post FROM posts WHERE text LIKE ?", [f"%{words}%"])]

    def close(self) -> None:
        """Closes the file."""
        self._sqlite.close()


if __name__ == "__main__":
    index, client = SearchIndex(sys.argv[3]), redis.Redis.from_url(sys.argv[1], decode_responses=True)
    while True:
        answer: Any = client.xread({sys.argv[2]: index.position}, count=1000, block=1000)
        for place, fields in answer[0][1] if answer else ():
            index.apply(json.loads(fields["event"]), place)
