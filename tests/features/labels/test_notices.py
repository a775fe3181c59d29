"""Notices about content with labels: people without an account belong to the lowest age band."""

from tests.support import notices
from tests.support.labels import aged, seen, write_comment, write_post
from tests.support.posts import published
from tests.support.stores import standalone
from tests.support.system import System

pytestmark = standalone


async def test_people_without_an_account_send_notices_about_hidden_content(system: System) -> None:
    alice, anyone = aged(system, "alice", "adult"), system.person(None)
    hidden = (await write_post(alice, "for adults", "adult"))["post"]["id"]
    (post,) = await published(alice, "for all")
    await system.drain()
    comment = (await write_comment(alice, post, "a comment for adults", "adult"))["comment"]["id"]
    below = (await write_comment(alice, hidden, "a comment"))["comment"]["id"]
    await system.drain()

    for target in (hidden, comment, below):
        assert await seen(anyone, target) is None
        assert await notices.sent(anyone, target)
        assert await seen(anyone, target) is None
    await system.drain()

    assert set(await notices.queue(system.person("mia", "moderate"))) == {hidden, comment, below}


async def test_a_notice_about_hidden_content_does_not_show_it_to_later_mutations(system: System) -> None:
    alice, child = aged(system, "alice", "adult"), aged(system, "carol", "child")
    hidden = (await write_post(alice, "for adults", "adult"))["post"]["id"]
    await system.drain()
    both = """mutation ($id: ID!) {
      notice(input: {targetId: $id, explanation: "e", law: "l", unnamed: true, goodFaith: true}) { receipt { number } }
      like(input: {targetId: $id}) { target { id } userErrors { code } } }"""

    answer = await child.ask(both, id=hidden)

    assert answer["notice"]["receipt"]["number"]
    assert answer["like"] == {"target": None, "userErrors": [{"code": "TARGET_NOT_FOUND"}]}
