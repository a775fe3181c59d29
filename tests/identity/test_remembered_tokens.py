"""Verified tokens are cached. The cache accepts no token that a new verification would refuse."""

import asyncio
import time
from typing import Any

import jwt
import pytest
from pydantic import SecretStr

from domain.errors import Unauthenticated
from identity import auth
from identity.auth import Verifier
from identity.claims import LEEWAY
from settings import Settings
from tests.support.tokens import SECRET, token

DECODE = jwt.decode


@pytest.fixture
def verified(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Returns a list of all verified tokens, in order."""
    seen: list[str] = []

    def decode(sent: str, *args: Any, **kwargs: Any) -> Any:
        seen.append(sent)
        return DECODE(sent, *args, **kwargs)

    monkeypatch.setattr("identity.auth.jwt.decode", decode)
    return seen


@pytest.fixture
def verifier() -> Verifier:
    return Verifier(Settings(database_url="postgresql://none", redis_url="redis://none", jwt_secret=SecretStr(SECRET)))


async def accepted(verifier: Verifier, sent: str) -> bool:
    try:
        await verifier.verify(sent)
    except Unauthenticated:
        return False
    return True


async def test_a_good_token_is_verified_once(verifier: Verifier, verified: list[str]) -> None:
    alices, bobs = token(name="Alice", scope="a b"), token(sub="bob")

    first = [await verifier.verify(sent) for sent in (alices, bobs)]
    later = [await verifier.verify(sent) for sent in (alices, bobs, alices)]

    assert later == [*first, first[0]]
    assert [(one.subject, one.name, sorted(one.scopes)) for one in first] == [
        ("alice", "Alice", ["a", "b"]),
        ("bob", None, []),
    ]
    assert verified == [alices, bobs]


async def test_a_bad_token_is_verified_each_time(verifier: Verifier, verified: list[str]) -> None:
    bad = [token(key="another-secret-of-thirty-2-bytes"), token(exp=int(time.time()) - 30), token(sub="")]

    answers = [await accepted(verifier, sent) for sent in bad * 3]

    assert answers == [False] * 9
    assert verified == bad * 3


async def test_an_altered_token_is_not_found_in_the_cache(verifier: Verifier) -> None:
    good, another = token(), token(sub="root", key="another-secret-of-thirty-2-bytes")
    (header, claims, signature), forged = good.split("."), another.split(".")[1]
    assert await accepted(verifier, good)

    alike = [f"{header}.{forged}.{signature}", f"{header}.{claims}.", f"{header}.{claims}.{signature[:-2]}", another]

    assert not any([await accepted(verifier, sent) for sent in alike])
    assert await accepted(verifier, good)


async def test_a_cached_token_expires_on_time(verifier: Verifier, verified: list[str]) -> None:
    expires = int(time.time()) + 2.0
    sent = token(exp=int(expires - LEEWAY))
    answers: set[tuple[bool, bool]] = set()

    while (before := time.time()) < expires + 0.2:
        answer, after = await accepted(verifier, sent), time.time()
        if after < expires or before >= expires:
            answers.add((before >= expires, answer))
        await asyncio.sleep(0.01)

    assert answers == {(False, True), (True, False)}
    assert verified.count(sent) >= 2


@pytest.mark.parametrize("claim", ["nbf", "iat"])
async def test_a_cached_token_is_not_valid_yet_after_the_clock_is_set_back(
    verifier: Verifier, verified: list[str], monkeypatch: pytest.MonkeyPatch, claim: str
) -> None:
    now = int(time.time())
    changes: dict[str, Any] = {claim: now}
    sent = token(**changes)
    assert await accepted(verifier, sent)

    for back, times in (0, 1), (4, 1), (60, 2):
        monkeypatch.setattr("identity.auth.time.time", lambda back=back: now - back)
        await accepted(verifier, sent)  # the library's own clock is unchanged
        assert len(verified) == times


async def test_the_cache_of_tokens_is_bounded(verifier: Verifier, verified: list[str]) -> None:
    long, short = [token(sub=f"long{i}", name="x" * 5000) for i in range(700)], token()
    entry = auth._MIN_TOKEN_BYTES + 4 * len(long[0])
    assert 700 * entry > auth._CACHE_BYTES

    for sent in [short, *long, short, long[-1]]:
        assert await accepted(verifier, sent)

    assert verified == [short, *long, short]
