"""Lines about profile texts that the external reviewer rejects."""

from collections.abc import Callable

from settings import ModerationSettings, Settings
from tests.support import reports
from tests.support.external_reviewer import json_response, listening
from tests.support.stores import standalone
from tests.support.system import running
from workers import external_reviewer, profile_reviews

UPDATE = """mutation ($input: UpdateProfileInput!) { updateProfile(input: $input) { userErrors { code } } }"""
LOG = """{ moderationLog(first: 10) { nodes {
  action role actor { handle } target { id } user { id } before after reason } } }"""


@standalone
async def test_a_rejected_profile_text_has_a_line_and_does_not_count_as_a_post(
    make_settings: Callable[..., Settings],
) -> None:
    async with (
        listening() as server,
        external_reviewer.opened(server.settings()) as external,
        running(make_settings(moderation=ModerationSettings(reviewer=server.settings()))) as system,
    ):
        alice, mia = system.person("alice"), system.person("mia", "moderate")
        a = await alice.id()
        partitions = range(system.settings.partitions)
        server.answer = json_response({"decision": "approve"})
        await profile_reviews.step(system.state, external, partitions)
        for fields in ({"bio": "buy followers"}, {"bio": "rude", "displayName": "Rude"}):
            await alice.ask(UPDATE, input=fields)
        server.answer = json_response({"decision": "reject", "reason": "Insult"})
        at_once = system.state.now_ms() + 1000
        object.__setattr__(system.state, "now_ms", lambda: at_once)
        await profile_reviews.step(system.state, external, partitions)

        found = (await mia.ask(LOG))["moderationLog"]["nodes"]
        assert sorted(found, key=lambda line: line["before"]) == [
            {
                "action": "REJECTED",
                "role": "REVIEWER",
                "actor": None,
                "target": {"id": a},
                "user": {"id": a},
                "before": f'{{"field":"{field}"}}',
                "after": f'{{"field":"{field}","replaced":true}}',
                "reason": "Insult",
            }
            for field in ("bio", "display_name")
        ]
        object.__setattr__(system.state, "now_ms", lambda: at_once + 1000)
        await alice.ask(UPDATE, input={"bio": "kind"})
        await profile_reviews.step(system.state, external, partitions)
        assert server.requests[-1].json["author"]["rejections"] == 0
        await reports.reported(system.person("bob"), a)
        await system.drain()
        (edge,) = await reports.queue(mia)
        assert edge["case"]["authorRecord"]["rejectedCount"] == 0
