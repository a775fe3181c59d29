"""`--check`, malformed lines, and several files."""

import json
from pathlib import Path

from tests.archive.archives import Record, comment, entity, follow, load, post, reaction, save, users, video
from tests.support.stored_state import unchanged
from tests.support.system import System


async def test_a_check_changes_nothing_and_finds_no_problem_in_a_good_archive(system: System, tmp_path: Path) -> None:
    records = (
        reaction("ann", {"comment": "c2"}),
        save("ann", {"post": "p1"}, collection="k1"),
        {"kind": "collection", "id": "k1", "user": "ann", "name": "Bread", "createdAt": "2021-01-01T00:00:00Z"},
        comment("c2", "bob", {"post": "p1"}, parent="c1"),
        comment("c1", "ann", {"post": "p1"}),
        post("p1", "ann"),
        follow("ann", "bob"),
        entity("v1", owner="ann"),
        reaction("bob", video("v1")),
        *users("ann", "bob"),
    )

    async with unchanged(system):
        checked = await load(system, tmp_path, *records, check=True)

    assert checked.rejects == []
    assert checked.done == (await load(system, tmp_path, *records)).done


async def test_a_check_reports_every_problem_that_the_import_rejects(system: System, tmp_path: Path) -> None:
    records: tuple[Record | str, ...] = (
        "not json",
        "[1, 2]",
        "{}",
        '{"kind": "spaceship"}',
        json.dumps({"kind": "user", "externalId": ""}),
        json.dumps({"kind": "user", "externalId": "x", "colour": "red"}),
        json.dumps({"kind": "post", "id": "p", "author": "ann", "createdAt": "yesterday"}),
        "",
        *users("ann"),
        post("p1", "bob"),
        comment("c1", "ann", {"post": "p1"}),
        comment("c2", "ann", {"post": "p2"}, parent="c1"),
        reaction("ann", {"comment": "c1"}),
        "x" * (1 << 20) + "yz",
    )

    async with unchanged(system):
        checked = await load(system, tmp_path, *records, check=True)
    imported = await load(system, tmp_path, *records)

    assert checked.rejects == imported.rejects
    assert [line for line, _, _ in checked.rejects] == [1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14]
    assert checked.reasons[4:7] == [
        "externalId: String should have at least 1 character.",
        "colour: Extra inputs are not permitted.",
        "createdAt: The time is not in the format of RFC 3339.",
    ]


async def test_the_rejects_can_be_corrected_and_imported(system: System, tmp_path: Path) -> None:
    await load(system, tmp_path, *users("ann"), post("p1", "bob"))
    (reject,) = map(json.loads, (tmp_path / "rejects.jsonl").read_text().splitlines())
    corrected = json.loads(reject["input"]) | {"author": "ann"}

    assert (await load(system, tmp_path, corrected)).rejects == []

    assert await system.rows("SELECT text FROM posts") == [("text of p1",)]
