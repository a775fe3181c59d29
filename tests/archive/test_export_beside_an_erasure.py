"""Exports that run while an entity is erased."""

import json
from pathlib import Path

import pytest

from archive.everything import Everything
from archive.lines import joined
from tests.archive.archives import Record, comment, load, reaction, save, users, video
from tests.support.erasing import erase, finish, step
from tests.support.registration import registrar
from tests.support.stores import standalone
from tests.support.system import System

pytestmark = [standalone, pytest.mark.prove]


async def exported(system: System) -> list[Record]:
    """Returns the records of an export of everything."""
    pages = Everything(system.state, system.settings.issuer).pages()
    return [json.loads(line) for page in [joined(one) async for one in pages] for line in page.splitlines()]


async def test_an_export_during_an_erasure_refers_only_to_what_it_has(system: System, tmp_path: Path) -> None:
    """The erasure takes several steps; each of them stands between two exports, and some between two pages of one."""
    (erased,) = await system.videos("v1")
    await system.videos("v2")
    await load(
        system,
        tmp_path,
        *users("ann", "bob"),
        *(comment(f"c{n}", "ann", video("v1")) for n in range(3)),
        *(comment(f"r{n}", "bob", video("v1"), parent=f"c{n}") for n in range(3)),
        reaction("bob", {"comment": "c0"}),
        reaction("bob", video("v1")),
        save("bob", video("v1")),
        reaction("bob", video("v2")),
    )
    pages = Everything(system.state, system.settings.issuer).pages()
    cut = [json.loads(line) for line in joined(await anext(pages)).splitlines()]
    await erase(registrar(system), erased)
    found = []
    while await step(system):
        found.append(await exported(system))
    async for page in pages:
        cut += [json.loads(line) for line in joined(page).splitlines()]
    await finish(system)
    found += [cut, await exported(system)]

    assert len(found) > 3
    for records in found:
        entities = {(one["business"], one["key"]) for one in records if one["kind"] == "entity"}
        said = {one["id"] for one in records if one["kind"] == "comment"}
        for one in records:
            place = one.get("subject") or one.get("target") or {}
            if "business" in place:
                assert (place["business"], place["key"]) in entities, one
            if "comment" in place:
                assert place["comment"] in said, one
            if one.get("parent"):
                assert one["parent"] in said, one
    assert [one["key"] for one in found[-1] if one["kind"] == "entity"] == ["v2"]
