"""Trends withstand one person who writes a thousand posts, and many new accounts of one network."""

from collections.abc import Callable

import pytest

from settings import ModerationSettings, PremoderationSettings, Settings
from tests.support.posts import decide, publish
from tests.support.stores import standalone
from tests.support.suspensions import moderator
from tests.support.system import System, from_address, running
from tests.support.topics import trending, write_about

pytestmark = standalone
OPEN_TO_NEW = ModerationSettings(same_text=1000, same_text_waits=1000, traces=1000, new_posts_per_hour=1000)
JOINED = "2020-01-01T00:00:00Z"
UPSERT = "mutation ($users: [UserUpsertInput!]!) { upsertUsers(users: $users) { userErrors { code } } }"


@pytest.mark.prove
async def test_a_thousand_posts_of_one_person_do_not_trend(system: System) -> None:
    eve = system.person("eve")
    for number in range(1000):
        await publish(eve, f"buy {number}", "spam", "cats")
        if number % 50 == 49:
            await system.drain()
    await write_about(system, 3, "cats")

    assert await trending(system.person(None)) == {"cats": 4}


async def test_fifty_new_accounts_of_one_network_do_not_trend(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(moderation=OPEN_TO_NEW)) as system:
        honest = [system.person(f"honest{number}") for number in range(50)]
        members = [{"externalId": one.handle, "handle": one.handle, "createdAt": JOINED} for one in honest]
        await system.person("service", "users:write").ask(UPSERT, users=members)

        for number, person in enumerate(honest):
            await publish(person, "a good day", "cats")
            bot = from_address(system, f"bot{number}", f"2001:db8:0:1::{number:x}")
            await publish(bot, f"buy {number}", "spam", "cats")
        for number in range(4):
            newcomer = from_address(system, f"newcomer{number}", f"198.51.100.{number}")
            await publish(newcomer, "hello", "newcomers")
        await system.drain()

        assert await trending(system.person(None)) == {"cats": 51, "newcomers": 4}


async def test_new_accounts_count_by_network_also_if_a_moderator_approves_their_posts(
    make_settings: Callable[..., Settings],
) -> None:
    waits = OPEN_TO_NEW.model_copy(update={"premoderate": PremoderationSettings(new_accounts=True)})
    async with running(make_settings(moderation=waits)) as system:
        mia = moderator(system)
        people = [from_address(system, f"bot{number}", f"2001:db8:0:1::{number:x}") for number in range(4)]
        people += [from_address(system, f"newcomer{number}", f"198.51.100.{number}") for number in range(3)]
        posts = [(await publish(person, f"by {person.handle}", "cats"))["post"]["id"] for person in people]
        await system.drain()
        for post in posts:
            await decide(mia, post, "APPROVE")
        await system.drain()

        assert await trending(system.person(None)) == {"cats": 4}
