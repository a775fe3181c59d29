"""Sends Web Push messages about notifications, made from Plaudit's outgoing events in a Redis stream. Run it with the
URL of Redis, the stream, a file, the file of your VAPID key (PEM) and your address, such as `mailto:ops@example.com`.
"""

import json
import sqlite3
import sys
import time
from datetime import datetime
from functools import partial
from typing import Any

import redis
from pywebpush import WebPushException, webpush

_TABLES = """
    CREATE TABLE IF NOT EXISTS subscriptions (user, subscription PRIMARY KEY);
    CREATE TABLE IF NOT EXISTS messages (id PRIMARY KEY, user, topic, version INTEGER, due REAL, body);
    CREATE TABLE IF NOT EXISTS position (one PRIMARY KEY, place);
"""
_READ = "DELETE FROM messages WHERE user = ? AND (version <= ? OR id = ? AND version <= ?)"


class PushSender:
    """The messages that are not sent yet. A message replaces an earlier one of its topic, here and in browsers."""

    def __init__(self, file: str, key_file: str, address: str) -> None:
        self._push = partial(webpush, vapid_private_key=key_file, ttl=86_400)
        self.sqlite, self._address = sqlite3.connect(file, isolation_level=None), address
        self.sqlite.executescript(_TABLES)

    def subscribe(self, user: str, subscription: dict[str, Any]) -> None:
        """Stores what `PushManager.subscribe` returned in a browser of a user, such as `User:7`."""
        self.sqlite.execute("REPLACE INTO subscriptions VALUES (?, ?)", [user, json.dumps(subscription)])

    def apply(self, event: dict[str, Any], place: str) -> None:
        """Stores the message of an event, or removes messages that the user has read meanwhile."""
        data, version = event["data"], int(event["version"])
        if event["kind"] == "notification.created":
            due = datetime.fromisoformat(data["quietUntil"]).timestamp() if data["quietUntil"] else 0
            body = json.dumps({"title": data["text"], "lang": data["language"], "badge": data["unseenCount"]})
            row = data["id"], data["userId"], data["collapseKey"], version, due, body
            self.sqlite.execute("REPLACE INTO messages VALUES (?, ?, ?, ?, ?, ?)", row)
        elif event["kind"] == "notification.read":
            read = data["userId"], int(data["readThrough"]), data["notificationId"], version
            self.sqlite.execute(_READ, read)
        self.sqlite.execute("REPLACE INTO position VALUES (1, ?)", [place])

    def send(self) -> None:
        """Sends all messages that are due. Forgets a subscription that the push service does not know any more."""
        due = "SELECT * FROM messages JOIN subscriptions USING (user) WHERE due <= ?"
        for id_, _, topic, _, _, body, to in self.sqlite.execute(due, [time.time()]).fetchall():
            try:
                self._push(json.loads(to), body, vapid_claims={"sub": self._address}, headers={"Topic": topic})
            except WebPushException as error:
                if error.response is None or error.response.status_code not in (404, 410):
                    raise  # the message stays, so that a later call sends it
                self.sqlite.execute("DELETE FROM subscriptions WHERE subscription = ?", [to])
            self.sqlite.execute("DELETE FROM messages WHERE id = ?", [id_])


if __name__ == "__main__":
    sender, client = PushSender(*sys.argv[3:6]), redis.Redis.from_url(sys.argv[1], decode_responses=True)
    while True:
        at = sender.sqlite.execute("SELECT place FROM position").fetchone() or ["0"]
        answer: Any = client.xread({sys.argv[2]: at[0]}, count=1000, block=1000)
        for position, fields in answer[0][1] if answer else ():
            sender.apply(json.loads(fields["event"]), position)
        sender.send()
