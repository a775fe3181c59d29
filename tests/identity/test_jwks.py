"""Tokens of an identity provider that publishes its keys: a real, small one on loopback."""

import time
from collections.abc import AsyncIterator, Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from typing import Any

import jwt
import pytest
import pytest_asyncio
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from settings import Settings
from tests.support.identity_provider import KEYS, IdentityProvider, serving
from tests.support.system import Person, System, running
from tests.support.tokens import ME, by_hand, payload

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])


def signed(algorithm: str, kid: str | None, key: Any = None, **claims: Any) -> str:
    headers = {"kid": kid} if kid else None
    return jwt.encode(payload(**claims), key or KEYS[algorithm], algorithm=algorithm, headers=headers)


def after(seconds: float) -> SimpleNamespace:
    """Returns a time module whose clock is ahead."""
    return SimpleNamespace(monotonic=lambda: time.monotonic() + seconds)


@pytest.fixture
def provider() -> Iterator[IdentityProvider]:
    with serving() as provider:
        yield provider


@pytest_asyncio.fixture
async def trusting(make_settings: Callable[..., Settings], provider: IdentityProvider) -> AsyncIterator[System]:
    """Starts a system without shared secret that trusts the provider."""
    changes = {"jwt_secret": None, "secret_key": "k" * 32, "jwt_jwks_url": provider.url}
    async with running(make_settings(**changes)) as system:
        yield system


async def outcome(system: System, token: str) -> tuple[int, str | None]:
    """Returns the status, and the user's handle or the error code."""
    response = await Person(system.http, "", {"authorization": f"Bearer {token}"}).send(ME)
    body = response.json()
    if "errors" in body:
        return response.status_code, body["errors"][0]["extensions"]["code"]
    return response.status_code, body["data"]["viewer"]["user"]["handle"]


REFUSED = (401, "UNAUTHENTICATED")


@pytest.mark.parametrize("algorithm", ["RS256", "ES256", "EdDSA"])
async def test_a_token_signed_with_a_published_key_is_accepted(
    trusting: System, provider: IdentityProvider, algorithm: str
) -> None:
    provider.publish(k1=algorithm)

    assert await outcome(trusting, signed(algorithm, "k1")) == (200, "alice")


async def test_keys_are_fetched_once_for_many_tokens(trusting: System, provider: IdentityProvider) -> None:
    provider.publish(k1="ES256")

    for _ in range(5):
        assert await outcome(trusting, signed("ES256", "k1")) == (200, "alice")

    assert provider.fetched == 1


async def test_a_new_key_is_fetched_when_a_token_names_it(
    trusting: System, provider: IdentityProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider.publish(k1="ES256")
    assert await outcome(trusting, signed("ES256", "k1")) == (200, "alice")

    provider.publish(k1="ES256", k2="RS256")
    monkeypatch.setattr("jwt.jwks_client.time", after(60))  # keys can be fetched again, but not for every bad token

    assert await outcome(trusting, signed("RS256", "k2")) == (200, "alice")
    assert await outcome(trusting, signed("ES256", "k1")) == (200, "alice")


async def test_tokens_with_invented_key_ids_do_not_fetch_the_keys_each_time(
    trusting: System, provider: IdentityProvider
) -> None:
    provider.publish(k1="ES256")

    answers = [await outcome(trusting, signed("ES256", f"invented-{i}")) for i in range(20)]

    assert answers == [REFUSED] * 20
    assert provider.fetched <= 2


async def test_a_token_that_no_published_key_signed_is_refused(trusting: System, provider: IdentityProvider) -> None:
    provider.publish(k1="RS256", k2="ES256")
    strangers = rsa.generate_private_key(65537, 2048)
    public = (
        KEYS["RS256"]
        .public_key()
        .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    )
    good = signed("RS256", "k1")
    tokens = {
        "a stranger's key": signed("RS256", "k1", strangers),
        "an unknown key id": signed("RS256", "k3"),
        "no key id": signed("RS256", None),
        "another key of the set": signed("ES256", "k1"),
        "an elliptic key for RSA": signed("RS256", "k2"),
        "the public key as a secret": hmac_with(public, "k1"),
        "unsigned": by_hand({"alg": "none", "kid": "k1"}, payload()),
        "PS256": signed("PS256", "k1", KEYS["RS256"]),
        "another payload": ".".join(
            [good.split(".")[0], by_hand({}, payload(sub="root")).split(".")[1], good.split(".")[2]]
        ),
        "expired": signed("RS256", "k1", exp=int(time.time()) - 30),
        "another issuer": signed("RS256", "k1", iss="https://elsewhere.example"),
    }

    assert {name: await outcome(trusting, token) for name, token in tokens.items()} == dict.fromkeys(tokens, REFUSED)
    assert await outcome(trusting, good) == (200, "alice")


def hmac_with(secret: bytes, kid: str) -> str:
    """Returns a token signed with HS256 and a text that the library would refuse as a secret."""
    signing_input = by_hand({"alg": "HS256", "kid": kid}, payload()).rpartition(".")[0]
    hmac = jwt.get_algorithm_by_name("HS256")
    return f"{signing_input}.{jwt.utils.base64url_encode(hmac.sign(signing_input.encode(), secret)).decode()}"


async def test_secret_and_published_keys_are_never_mixed(
    make_settings: Callable[..., Settings], provider: IdentityProvider
) -> None:
    provider.publish(k1="RS256")
    settings = make_settings(jwt_jwks_url=provider.url)
    public = (
        KEYS["RS256"]
        .public_key()
        .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    )
    assert settings.jwt_secret is not None

    async with running(settings) as system:
        by_secret = jwt.encode(
            payload(), settings.jwt_secret.get_secret_value(), algorithm="HS256", headers={"kid": "k1"}
        )

        assert await outcome(system, by_secret) == (200, "alice")
        assert await outcome(system, signed("RS256", "k1")) == (200, "alice")
        assert await outcome(system, hmac_with(public, "k1")) == REFUSED


@pytest.mark.parametrize("algorithm", ["HS384", "HS512"])
async def test_other_hmac_algorithms_are_refused_even_with_the_secret(
    make_settings: Callable[..., Settings], provider: IdentityProvider, algorithm: str
) -> None:
    async with running(make_settings(jwt_jwks_url=provider.url, jwt_secret="s" * 64)) as system:
        assert await outcome(system, jwt.encode(payload(), "s" * 64, algorithm=algorithm)) == REFUSED


@pytest.mark.parametrize(
    "answer",
    [
        (500, b""),
        (404, b"{}"),
        (200, b""),
        (200, b"<html>"),
        (200, b"[]"),
        (200, b"null"),
        (200, b"{}"),
        (200, b"\xff"),
    ],
    ids=repr,
)
async def test_an_invalid_key_set_makes_sign_in_unavailable(
    trusting: System, provider: IdentityProvider, answer: tuple[int, bytes]
) -> None:
    provider.answer = answer

    assert await outcome(trusting, signed("RS256", "k1")) == (503, "UNAVAILABLE")
    provider.publish(k1="RS256")
    assert await outcome(trusting, signed("RS256", "k1")) == (200, "alice")


async def test_an_unreachable_provider_makes_sign_in_unavailable(make_settings: Callable[..., Settings]) -> None:
    dead = f"http://127.0.0.1:{unused_port()}/keys"
    async with running(make_settings(jwt_secret=None, secret_key="k" * 32, jwt_jwks_url=dead)) as system:
        assert await outcome(system, signed("RS256", "k1")) == (503, "UNAVAILABLE")
        assert await system.person(None).ask("{ viewer { id } }") == {"viewer": None}


def unused_port() -> int:
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        return int(server.server_address[1])


async def test_users_with_known_keys_stay_signed_in_while_the_provider_is_down(
    trusting: System, provider: IdentityProvider
) -> None:
    provider.publish(k1="RS256")
    assert await outcome(trusting, signed("RS256", "k1")) == (200, "alice")

    provider.answer = 500, b""

    assert await outcome(trusting, signed("RS256", "k1")) == (200, "alice")


async def test_a_withdrawn_key_is_refused_when_the_fetched_keys_are_old(
    trusting: System, provider: IdentityProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider.publish(k1="ES256", k2="RS256")
    withdrawn, kept = signed("ES256", "k1"), signed("RS256", "k2")
    for token in (withdrawn, kept) * 2:
        assert await outcome(trusting, token) == (200, "alice")

    provider.publish(k2="RS256")
    assert await outcome(trusting, withdrawn) == (200, "alice")
    monkeypatch.setattr("jwt.jwk_set_cache.time", after(301))

    assert await outcome(trusting, withdrawn) == REFUSED
    assert await outcome(trusting, kept) == (200, "alice")


async def test_a_withdrawn_key_is_refused_after_another_token_has_fetched_the_keys(
    trusting: System, provider: IdentityProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider.publish(k1="ES256")
    withdrawn = signed("ES256", "k1")
    for _ in range(2):
        assert await outcome(trusting, withdrawn) == (200, "alice")

    provider.publish(k2="RS256")
    monkeypatch.setattr("jwt.jwks_client.time", after(60))

    assert await outcome(trusting, signed("RS256", "k2")) == (200, "alice")
    assert await outcome(trusting, withdrawn) == REFUSED


async def test_keys_that_are_too_old_sign_no_user_in(
    trusting: System, provider: IdentityProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider.publish(k1="ES256")
    token = signed("ES256", "k1")
    for _ in range(2):
        assert await outcome(trusting, token) == (200, "alice")

    provider.answer = 500, b""
    monkeypatch.setattr("jwt.jwk_set_cache.time", after(301))

    assert await outcome(trusting, token) == (503, "UNAVAILABLE")


async def test_a_token_is_verified_once_while_the_keys_stay(
    trusting: System, provider: IdentityProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider.publish(k1="ES256")
    tokens = [signed("ES256", "k1"), signed("ES256", "k1", sub="bob", preferred_username="bob")]
    assert await outcome(trusting, tokens[0]) == (200, "alice")  # fetches the keys
    verified: list[str] = []
    decode = jwt.decode

    def counted(token: str, *args: Any, **kwargs: Any) -> Any:
        verified.append(token)
        return decode(token, *args, **kwargs)

    monkeypatch.setattr("identity.auth.jwt.decode", counted)

    for token, handle in [*zip(tokens, ("alice", "bob"), strict=True)] * 3:
        assert await outcome(trusting, token) == (200, handle)

    assert verified == tokens
