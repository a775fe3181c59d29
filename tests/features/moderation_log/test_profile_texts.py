"""Profile texts that the external reviewer rejects: their lines in the log, and the record of their author."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

import pytest_asyncio

from domain.labels import Labels
from settings import LabelSettings, ModerationSettings, Settings
from tests.support import reports
from tests.support.external_reviewer import Server, json_response, listening
from tests.support.stores import standalone
from tests.support.system import Person, System, running
from workers import external_reviewer, profile_reviews
from workers.external_reviewer import Reviewer

UPDATE = """mutation ($input: UpdateProfileInput!) { updateProfile(input: $input) { userErrors { code } } }"""
LOG = """{ moderationLog(first: 10) { nodes {
  action role actor { handle } target { id } user { id } before after reason } } }"""
pytestmark = standalone


@dataclass
class Scene:
    """alice, two of whose profile texts the external reviewer has rejected at the same moment; and a moderator."""

    system: System
    server: Server
    external: Reviewer
    alice: Person
    moderator: Person

    async def review(self) -> None:
        await profile_reviews.step(self.system.state, self.external, range(self.system.settings.partitions))

    def set_clock(self, now_ms: int) -> None:
        object.__setattr__(self.system.state, "now_ms", lambda: now_ms)

    async def reject_texts(self) -> None:
        await self.alice.id()
        await self.review()
        for fields in ({"bio": "buy followers"}, {"bio": "rude", "displayName": "Rude"}):
            await self.alice.ask(UPDATE, input=fields)
        self.server.answer = json_response({"decision": "reject", "reason": "Insult"})
        self.set_clock(self.system.state.now_ms() + 1000)
        await self.review()


@pytest_asyncio.fixture
async def scene(make_settings: Callable[..., Settings]) -> AsyncIterator[Scene]:
    async with (
        listening() as server,
        external_reviewer.opened(server.settings(), Labels(LabelSettings())) as external,
        running(make_settings(moderation=ModerationSettings(reviewer=server.settings()))) as system,
    ):
        made = Scene(system, server, external, system.person("alice"), system.person("mia", "moderate"))
        await made.reject_texts()
        yield made


async def test_each_rejected_text_has_a_line(scene: Scene) -> None:
    alice = await scene.alice.id()

    found = (await scene.moderator.ask(LOG))["moderationLog"]["nodes"]
    assert sorted(found, key=lambda line: line["before"]) == [
        {
            "action": "REJECTED",
            "role": "REVIEWER",
            "actor": None,
            "target": {"id": alice},
            "user": {"id": alice},
            "before": f'{{"field":"{field}"}}',
            "after": f'{{"field":"{field}","replaced":true}}',
            "reason": "Insult",
        }
        for field in ("bio", "display_name")
    ]


async def test_rejected_texts_do_not_count_as_posts(scene: Scene) -> None:
    scene.set_clock(scene.system.state.now_ms() + 1000)
    await scene.alice.ask(UPDATE, input={"bio": "kind"})
    await scene.review()
    assert scene.server.requests[-1].json["author"]["rejections"] == 0

    await reports.reported(scene.system.person("bob"), await scene.alice.id())
    await scene.system.drain()
    (edge,) = await reports.queue(scene.moderator)
    assert edge["case"]["authorRecord"]["rejectedCount"] == 0
