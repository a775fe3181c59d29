"""The commands of docs/operate/bring-your-community.md move a community, from an export to the first day."""

import asyncio
import shutil
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from settings import Settings
from tests.archive.archives import shown
from tests.support.comments import added, seen
from tests.support.deployment import ROOT
from tests.support.guide_pages import blocks
from tests.support.system import System, running

pytestmark = [pytest.mark.parametrize("redis_mode", ["standalone"]), pytest.mark.timeout(120)]

PAGE = "bring-your-community.md"
EXPORT = Path(__file__).parent / "exports" / "disqus.xml"
ANN = "auth0|65f1c0ffee"
LATE = """<post dsq:id="5492538740"><id /><message><![CDATA[<p>My last words here</p>]]></message>
<createdAt>2019-05-01T09:00:00Z</createdAt><isDeleted>false</isDeleted><isSpam>false</isSpam>
<author><name>Bob Baker</name><isAnonymous>false</isAnonymous><username>bob.baker</username></author>
<thread dsq:id="8100051760" /></post></disqus>"""


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """Starts the application with the rules of a new deployment."""
    async with running(make_settings(local_cache_seconds=0)) as one:
        yield one


class Operator:
    """Somebody in a folder with the export and the converters, who follows the guide."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.folder = folder
        assert settings.jwt_secret
        self._environment = {
            "PATH": f"{folder / 'bin'}:{Path(sys.executable).parent}:/usr/bin:/bin",
            "PYTHONPATH": str(ROOT),
            "DATABASE_URL": settings.database_url,
            "REDIS_URL": settings.redis_url,
            "PLAUDIT_ENV": "development",
            "PLAUDIT_BUSINESSES_FILE": str(settings.businesses_file),
            "PLAUDIT_PARTITIONS": str(settings.partitions),
            "PLAUDIT_JWT_SECRET": settings.jwt_secret.get_secret_value(),
        }
        shutil.copytree(ROOT / "docs" / "operate" / "converters", folder / "converters")
        program = folder / "bin" / "plaudit"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nexec {sys.executable} -m plaudit "$@"\n')
        program.chmod(0o755)

    async def follow(self, heading: str) -> str:
        """Runs the commands of a section, which must succeed. Returns what they print."""
        script = "\n".join(blocks(PAGE, heading))
        assert script
        process = await asyncio.create_subprocess_exec(
            *("bash", "-euo", "pipefail", "-c", script),
            cwd=self.folder,
            env=self._environment,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        printed, _ = await process.communicate()
        assert process.returncode == 0, f"{script}\n{printed.decode()}"
        return printed.decode()


async def answer(system: System, viewer: str, *scopes: str, heading: str, **variables: Any) -> Any:
    """Returns the answer to the query of a section."""
    (query,) = blocks(PAGE, heading, "graphql")
    return await system.person(viewer, *scopes).ask(query, **variables)


async def comments(system: System) -> list[tuple[str, int]]:
    """Returns the texts of the comments on the page, as the app reads them, with their numbers of replies."""
    page = await answer(system, "reader", heading="6. Switch reads", key="loaf")
    return [(one["text"], one["replyCount"]) for one in page["entity"]["comments"]["nodes"] if not one["deleted"]]


@pytest.mark.prove
async def test_the_guide_brings_a_community(system: System, tmp_path: Path) -> None:
    operator = Operator(tmp_path, system.settings)
    (names,) = blocks(PAGE, "1. Convert", "csv")
    (tmp_path / "names.csv").write_text(names)
    shutil.copy(EXPORT, tmp_path / "export.xml")
    await system.person("annmartin").id()  # somebody else has the handle

    assert "left out: 2 texts" in await operator.follow("1. Convert")
    await operator.follow("2. Check")
    assert await system.rows("SELECT 1 FROM comment_contents") == []
    await operator.follow("3. Import")

    ann = (await answer(system, ANN, heading="4. Try the sign-in"))["viewer"]["user"]
    assert ann["createdAt"] == "2019-03-02T07:08:48.000Z"
    assert ann["handle"] != "annmartin"
    assert f"The handle of the user is {ann['handle']}." in await operator.follow("5. Redirect old links")
    (found,) = (await answer(system, "app", "users:read", heading="5. Redirect old links", ids=[ANN]))["users"]
    assert found["handle"] == ann["handle"]
    (great, replies) = (await comments(system))[0]
    assert (great.splitlines()[0], replies) == ("It looks great.", 1)

    member, (first, *_) = system.person(ANN), await shown(system.person("reader"), "Entity:article:loaf", "OLDEST")
    for number in range(6):  # more than a new account may write in an hour, with links
        await added(member, "Entity:article:loaf", f"see https://example.com/{number}", first["id"])
    await member.like(first["id"])
    await system.drain()
    assert (await comments(system))[0] == (great, 7), "none of them waits for a moderator"

    (tmp_path / "export-2.xml").write_text(EXPORT.read_text().replace("</disqus>", LATE))
    await operator.follow("7. Import the last days")

    assert ("My last words here", 0) in await comments(system)
    assert (await comments(system))[0] == (great, 7), "what she wrote meanwhile is there"
    assert (await seen(member, first["id"]))["viewerReaction"] == "LIKE"


@pytest.mark.prove
async def test_members_without_a_line_in_the_file_keep_their_content(system: System, tmp_path: Path) -> None:
    operator = Operator(tmp_path, system.settings)
    (tmp_path / "names.csv").write_text("")
    shutil.copy(EXPORT, tmp_path / "export.xml")

    for heading in ("1. Convert", "2. Check", "3. Import"):
        await operator.follow(heading)

    assert (await answer(system, ANN, heading="4. Try the sign-in"))["viewer"]["user"]["createdAt"] > "2026"
    assert len(await comments(system)) == 1
