"""The queries and mutations of README.md, the tour and the guide to reactions have the shown responses in the community
of `make run`.
"""

import json
import re
from pathlib import Path

import pytest

from runner.readme import README, commands
from tests.support.stores import standalone
from tests.support.system import System

ROOT = Path(__file__).parents[2]
PAGES = (
    ROOT / "README.md",
    ROOT / "docs" / "start" / "tour.md",
    ROOT / "docs" / "build" / "reactions-and-follows.md",
)
SHOWN = [
    shown
    for page in PAGES
    for shown in re.findall(r"```graphql\n(.*?)```\s+```json\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
]


@pytest.mark.parametrize("purpose", ["run", "test"])
def test_a_newcomer_finds_the_command(purpose: str) -> None:
    assert commands(README.read_text(encoding="utf-8"), purpose) == [f"make {purpose}"]


@standalone
async def test_the_queries_of_the_pages_have_the_shown_responses(system: System) -> None:
    await system.seed()
    alice, anonymous = system.person("alice"), system.person(None)

    for query, answer in SHOWN:
        asking = alice if query.startswith("mutation") else anonymous
        assert (await asking.send(query)).json() == json.loads(answer)
