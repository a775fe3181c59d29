"""Subscriptions of a service that acts for a user: `connection_init` or the handshake names the user."""

import pytest

from api.transports.websocket import BAD_MESSAGE, FORBIDDEN
from identity import auth
from tests.support.subscriptions import WATCH, Live


def token(live: Live, *scopes: str) -> str:
    return f"Bearer {auth.mint(live.settings, 'backend', scopes=scopes)}"


@pytest.mark.parametrize("place", ["payload", "handshake"])
async def test_a_subscription_has_the_values_of_the_user(live: Live, place: str) -> None:
    (video,) = await live.videos("v1")
    await live.person("alice").like(video)
    named, authorization = {"x-plaudit-user": "alice"}, {"authorization": token(live, "act")}
    payload, handshake = (authorization | named, {}) if place == "payload" else (authorization, named)

    async with live.raw(additional_headers=handshake) as socket:
        await socket.init(payload)
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

    async with live.raw() as socket:
        await socket.send(
            type="connection_init", payload={"authorization": token(live, *scopes), "X-Plaudit-User": user}
        )
        assert (await socket.closed())[0] == code
