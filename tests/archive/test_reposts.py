"""Imports of reposts and quotes."""

from pathlib import Path

from tests.archive.archives import LONG_AGO, at, load, post, users
from tests.support.quotes import quotes
from tests.support.reconciliation import drift
from tests.support.reposts import seen
from tests.support.system import System


async def test_reposts_and_quotes_are_imported_once_in_any_order(system: System, tmp_path: Path) -> None:
    records = (
        *users("ann", "bob"),
        post("p3", "bob", quoteOf="p2", createdAt=at(3)),
        post("p2", "bob", quoteOf="p1", createdAt=at(2)),
        post("p1", "ann", createdAt=at(1)),
        post("p4", "ann", quoteOf="p9"),
        {"kind": "repost", "user": "bob", "target": {"post": "p1"}, "createdAt": LONG_AGO},
        {"kind": "repost", "user": "bob", "target": {"post": "p9"}, "createdAt": LONG_AGO},
    )
    for _ in range(2):
        imported = await load(system, tmp_path, *records)
        assert imported.reasons == ["There is no post p9."] * 2

    ((first,),) = await system.rows("SELECT entity_id FROM imports WHERE external_id = 'p1'")
    bob = system.person("bob")
    assert await seen(bob, f"Post:{first}") == (1, True, ["bob"])
    assert await quotes(bob, f"Post:{first}") == (1, ["text of p2"])
    assert await drift(system) == {}
