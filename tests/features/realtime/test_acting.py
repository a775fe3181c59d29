"""Subscriptions of a service that acts for a user: the handshake names the user."""

import pytest

from api.transports.websocket import BAD_MESSAGE, FORBIDDEN
from identity import auth
from tests.support.subscriptions import WATCH, Live


def token(live: Live, *scopes: str) -> str:
    return f"Bearer {auth.mint(live.settings, 'backend', scopes=scopes)}"


async def test_a_subscription_has_the_values_of_the_user(live: Live) -> None:
    (video,) = await live.videos("v1")
    await live.person("alice").like(video)

    async with live.raw(additional_headers={"x-plaudit-user": "alice"}) as socket:
        await socket.init({"authorization": token(live, "act")})
        await socket.subscribe([video], query=WATCH)
        assert (await socket.value())["viewerReaction"] == "LIKE"


@pytest.mark.parametrize(
    ("scopes", "user", "code"),
    [((), "alice", FORBIDDEN), (("moderate",), "alice", FORBIDDEN), (("act",), "nobody", BAD_MESSAGE)],
)
async def test_a_connection_that_may_not_act_is_closed(
    live: Live, scopes: tuple[str, ...], user: str, code: int
) -> None:
    await live.person("alice").id()

    async with live.raw(additional_headers={"x-plaudit-user": user}) as socket:
        await socket.send(type="connection_init", payload={"authorization": token(live, *scopes)})
        assert (await socket.closed())[0] == code


async def test_a_message_of_a_connection_cannot_name_the_user(live: Live) -> None:
    """Proxies refuse the header from the internet, but do not read messages."""
    (video,) = await live.videos("v1")
    await live.person("alice").like(video)

    async with live.raw() as socket:
        await socket.init({"authorization": token(live, "act"), "X-Plaudit-User": "alice"})
        await socket.subscribe([video], query=WATCH)
        assert (await socket.value())["viewerReaction"] is None
