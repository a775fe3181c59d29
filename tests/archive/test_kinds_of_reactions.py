"""Kinds of reactions in archives."""

from collections.abc import Callable
from pathlib import Path

from archive.everything import Everything
from archive.lines import joined
from settings import Settings
from tests.archive.archives import load, reaction, users
from tests.support.reactions import counts, shown, written
from tests.support.reconciliation import dismiss, drift
from tests.support.stores import standalone
from tests.support.system import LENIENT, System, running


async def exported(system: System) -> list[str]:
    pages = Everything(system.state, system.settings.issuer).pages()
    lines = b"".join([joined(records) async for records in pages]).decode().splitlines()
    return sorted(line for line in lines if '"kind":"reaction"' in line)


@standalone
async def test_an_archive_has_the_kinds_and_an_import_stores_them(
    make_settings: Callable[..., Settings], tmp_path: Path
) -> None:
    settings = make_settings(businesses_file=written(tmp_path), moderation=LENIENT)
    async with running(settings) as system:
        await imported_and_exported(system, tmp_path)


async def imported_and_exported(system: System, tmp_path: Path) -> None:
    """Imports reactions, of which some are refused, and compares an export with what is imported from it."""
    await system.videos("v1", owner="owen")
    article = {"business": "article", "key": "a1"}
    await system.videos("a1", business="article")
    lines = [
        reaction("ann", article, kinds=[1, 4], reaction="LIKE"),
        reaction("ann", {"business": "video", "key": "v1"}, kinds=[3]),
        reaction("ben", article, kinds=[2, 6], reaction="DISLIKE"),
        reaction("ben", {"business": "video", "key": "v1"}, kinds=[6], reaction="OTHER"),
    ]
    refused = [
        reaction("cat", article, kinds=[8]),
        reaction("cat", article, kinds=[1, 2]),
        reaction("cat", {"business": "video", "key": "v1"}, kinds=[3, 4]),
        reaction("cat", article, reaction="OTHER"),
    ]
    imported = await load(system, tmp_path, *users("ann", "ben", "cat"), *lines, *refused)

    assert imported.reasons == [
        "The business article has no kind of reaction with the id 8.",
        "In the business article, a user cannot give these kinds together.",
        "In the business video, a user cannot give these kinds together.",
        "A reaction that is OTHER has kinds.",
    ]
    before = await exported(system)
    assert len(before) == len(lines)
    assert (await load(system, tmp_path, *before)).rejects == []
    assert await exported(system) == before
    (video,) = await system.videos("v1")
    assert counts(await shown(system.person("ann"), video)) == {"love": 1, "sad": 1}
    await system.drain()
    await dismiss(system)
    assert await drift(system, "counters") == {}
