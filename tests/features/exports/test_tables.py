"""An export of one person reads every table with data of users, or leaves the table out for a reason."""

import re
from typing import Any

import pytest

from archive.person import Person
from models import METADATA
from store.postgres.client import Postgres
from tests.support.posts import published
from tests.support.stores import standalone
from tests.support.system import System

OF_USERS = re.compile(
    r"(user|author|actor|owner|reporter|moderator|assignee|follower|followee|blocker|blocked|muted)_id"
    r"|lo|hi|subject_owner|deleted_by|replied_to|ip|device|network"
)
"""The names of columns with ids, addresses or devices of users."""
LEFT_OUT = {
    "announcements": "says which posts announce entities, as the posts do",
    "blocked_by": "tells who blocks the person",
    "cases": "is the queue of the moderators; the decisions are exported",
    "claims": "has digests of idempotency keys",
    "collection_reviews": "says which names of collections wait; the collections are exported",
    "comments": "is an index of comment_contents",
    "deletions": "says when the account is deleted, as Viewer.deletion does",
    "entities": "belongs to the system that registers them",
    "exports": "says when the export was requested, as Viewer.export does",
    "fanouts": "is work in progress",
    "follow_requests": "tells who asks to follow the person",
    "followers": "tells who follows the person",
    "follows": "has both directions; following and requested_follows have that of the person",
    "legal_holds": "is for the operators of the system",
    "notification_actors": "tells who caused a notification",
    "operations": "has outcomes of writes, for minutes",
    "profile_reviews": "says which texts of the profile wait; the profile is exported",
    "rings": "is work in progress",
    "topic_recounts": "is work in progress",
    "traces": "has fingerprints of texts, for a day",
    "user_terms": "has the words of names for searches; the profile is exported",
    "uploads": "has keys of uploaded files until workers have looked for uses of them",
}
"""The tables that are not exported, each with what it has. Add a new table here, or export it."""


@standalone
async def test_every_table_with_data_of_users_is_exported_or_left_out(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = system.person("alice")
    user_id = int((await alice.id()).removeprefix("User:"))
    await published(alice, "hello")
    await system.drain()
    statements, read = [], Postgres.read

    async def noted(postgres: Postgres, statement: Any, **parameters: Any) -> Any:
        statements.append(statement.text)
        return await read(postgres, statement, **parameters)

    monkeypatch.setattr(Postgres, "read", noted)
    async for _ in Person(system.state, user_id).pages():
        pass

    tables = {name for name, table in METADATA.tables.items() if any(map(OF_USERS.fullmatch, table.columns.keys()))}
    exported = {name for statement in statements for name in re.findall(r"\b(?:FROM|JOIN)\s+(\w+)", statement)}
    assert tables - exported == LEFT_OUT.keys()
