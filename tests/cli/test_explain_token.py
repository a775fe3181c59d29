"""`plaudit token --explain` says why a token is accepted or refused."""

import time
from collections.abc import Callable, Iterator

import jwt
import pytest
from typer.testing import CliRunner, Result

from cli.main import app
from tests.support.identity_provider import KEYS, IdentityProvider, serving

SECRET = "test-secret-of-thirty-two-bytes!"
GOOD = {"iss": "https://plaudit.local", "sub": "s1", "name": "Alice Martin", "scope": "moderate"}

Explain = Callable[..., Result]


@pytest.fixture
def provider() -> Iterator[IdentityProvider]:
    with serving() as provider:
        provider.publish(k1="ES256")
        yield provider


@pytest.fixture
def explain(monkeypatch: pytest.MonkeyPatch) -> Explain:
    """Returns a function that runs the command for a token. Neither Redis nor Postgres is running."""
    monkeypatch.setenv("DATABASE_URL", "postgresql://user@127.0.0.1:1/none")
    monkeypatch.setenv("PLAUDIT_JWT_SECRET", SECRET)

    def run(token: str, **environment: str) -> Result:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        return CliRunner().invoke(app, ["token", "--explain", "-"], input=token)

    return run


def token(**changes: object) -> str:
    claims = GOOD | {"exp": int(time.time()) + 600} | changes
    return jwt.encode({name: value for name, value in claims.items() if value is not None}, SECRET, algorithm="HS256")


def test_the_user_of_an_accepted_token_is_shown(explain: Explain) -> None:
    result = explain(f"Bearer {token()}\n")

    assert result.exit_code == 0, result.output
    for line in (
        "handle      alice_martin",
        "name        Alice Martin",
        "scopes      moderate",
        "role        lead",
        "accepted",
    ):
        assert line in result.output.splitlines()


@pytest.mark.parametrize(
    ("changes", "environment", "reason"),
    [
        ({"exp": 1_700_000_000}, {}, "The token has expired"),
        ({"iss": "https://plaudit.local/"}, {}, "Invalid issuer"),
        ({"sub": None}, {}, 'missing the "sub" claim'),
        ({}, {"PLAUDIT_JWT_SECRET": "another-secret-of-thirty-2-bytes"}, "Signature verification failed"),
        ({"aud": "you"}, {"PLAUDIT_JWT_AUDIENCE": "us,them"}, "for another audience"),
        ({}, {"PLAUDIT_JWT_AUDIENCE": "us"}, "names no audience"),
        ({"azp": "web"}, {"PLAUDIT_JWT_AUTHORIZED_PARTIES": "ios"}, "issued to a client that is not accepted"),
    ],
)
def test_a_refused_token_has_a_reason(
    explain: Explain, changes: dict[str, object], environment: dict[str, str], reason: str
) -> None:
    result = explain(token(**changes), **environment)

    assert result.exit_code == 1, result.output
    assert reason in result.output.splitlines()[-1]
    assert SECRET not in result.output


def test_the_claims_are_shown_beside_the_expected_values(explain: Explain) -> None:
    result = explain(token(aud="you", exp=1_700_000_000), PLAUDIT_JWT_AUDIENCE="us,them")

    assert "aud         you (accepted: us, them)" in result.output.splitlines()
    assert "iss         https://plaudit.local (accepted: https://plaudit.local)" in result.output.splitlines()
    assert "exp         2023-11-14 22:13:20 UTC (" in result.output


def test_the_keys_of_the_provider_are_fetched(explain: Explain, provider: IdentityProvider) -> None:
    claims = GOOD | {"exp": int(time.time()) + 600}
    signed = jwt.encode(claims, KEYS["ES256"], algorithm="ES256", headers={"kid": "k1"})

    assert explain(signed, PLAUDIT_JWT_JWKS_URL=provider.url).exit_code == 0
    provider.publish(k2="RS256")
    result = explain(signed, PLAUDIT_JWT_JWKS_URL=provider.url)
    assert result.exit_code == 1
    assert 'Unable to find a signing key that matches: "k1"' in result.output


@pytest.mark.parametrize("text", ["", "garbage", "a.b.c", "é.é.é", "..", "eyJhbGciOiJub25lIn0.W10."])
def test_a_text_that_is_no_token_is_refused_in_one_line(explain: Explain, text: str) -> None:
    result = explain(text)

    assert result.exit_code == 1
    assert result.output.startswith("refused     This is not a JSON Web Token")
    assert len(result.output.splitlines()) == 1


def test_a_token_cannot_write_lines_or_control_the_terminal(explain: Explain) -> None:
    result = explain(token(sub="x\n\x1b[32maccepted"))
    assert result.exit_code == 1
    assert "sub         x\ufffd\ufffd[32maccepted\n" in result.stdout


@pytest.mark.parametrize("arguments", [[], ["--user", "alice", "--explain", "x"]])
def test_the_command_takes_a_user_or_a_token(arguments: list[str]) -> None:
    result = CliRunner().invoke(app, ["token", *arguments])

    assert result.exit_code == 2
    assert "Give either --user or --explain." in result.output
