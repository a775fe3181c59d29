"""Tokens signed with the shared secret: which are accepted, and for which user."""

import base64
import re
import time
from typing import Any

import jwt
import pytest

from tests.support.stored_state import unchanged
from tests.support.system import System, running
from tests.support.tokens import ISSUER, ME, SECRET, bearing, by_hand, payload, token

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])


async def me(system: System, **claims: Any) -> Any:
    """Returns handle and name of the user of a token with these claims."""
    return (await bearing(system, f"Bearer {token(**claims)}").ask(ME))["viewer"]["user"]


def refused_tokens() -> dict[str, str]:
    now = int(time.time())
    good = token()
    header, claims, signature = good.split(".")
    forged = by_hand({"alg": "HS256"}, payload(sub="root")).split(".")[1]
    return {
        "expired": token(exp=now - 30),
        "expired long ago": token(exp=0),
        "not yet valid": token(nbf=now + 60),
        "issued in the future": token(iat=now + 600),
        "of another secret": token(key="another-secret-of-thirty-2-bytes"),
        "with another payload": f"{header}.{forged}.{signature}",
        "without a signature": f"{header}.{claims}.",
        "unsigned": by_hand({"alg": "none", "typ": "JWT"}, payload()),
        "unsigned in capitals": by_hand({"alg": "NONE"}, payload()),
        "HS384": token("HS384", key=SECRET * 2),
        "HS512": token("HS512", key=SECRET * 2),
        "RS256 that is HMAC": f"{by_hand({'alg': 'RS256'}, {}).split('.')[0]}.{claims}.{signature}",
        "no algorithm": by_hand({}, payload(), b"x"),
        "a list of algorithms": by_hand({"alg": ["HS256"]}, payload(), b"x"),
        "a number as key id": by_hand({"alg": "HS256", "kid": 7}, payload(), b"x"),
        "a header that is no object": by_hand([], payload(), b"x"),
        "claims that are no object": by_hand({"alg": "HS256"}, "alice", b"x"),
        "from another issuer": token(iss="https://elsewhere.example"),
        "from several issuers": jwt_of(iss=[ISSUER]),
        "no issuer": token(iss=None),
        "no subject": token(sub=None),
        "for an empty subject": token(sub=""),
        "for a subject with space at its end": token(sub="x "),
        "for a subject with space at its beginning": token(sub=" x"),
        "for a number": jwt_of(sub=7),
        "for a list": jwt_of(sub=["alice"]),
        "for NUL": token(sub="a\0b"),
        "for a line break": token(sub="alice\n"),
        "for half a surrogate pair": token(sub="\ud800"),
        "for a subject that is too long": token(sub="a" * 256),
        "without an end": token(exp=None),
        "with a word for an end": jwt_of(exp="tomorrow"),
        "with an infinite end": jwt_of(exp=float("inf")),
        "with no number for an end": jwt_of(exp=float("nan")),
        "with a list for an end": jwt_of(exp=[now + 600]),
        "too long": token(name="a" * 9000),
        "garbage": "garbage",
        "dots": "..",
        "not ASCII": "é.é.é",
    }


def jwt_of(**changes: Any) -> str:
    """Returns a correctly signed token with claims that the library would refuse to sign."""
    signing_input = by_hand({"alg": "HS256", "typ": "JWT"}, payload(**changes)).rpartition(".")[0]
    signature = jwt.get_algorithm_by_name("HS256").sign(signing_input.encode(), SECRET.encode())
    return f"{signing_input}.{base64.urlsafe_b64encode(signature).decode().rstrip('=')}"


async def test_an_invalid_token_is_refused_and_never_anonymous(system: System) -> None:
    await system.videos("v1")
    tokens = refused_tokens()
    answers = {}

    async with unchanged(system):
        for name, sent in tokens.items():
            headers = {"authorization": f"Bearer {sent}".encode()}
            response = await system.http.post("/graphql", json={"query": ME}, headers=headers)  # type: ignore[arg-type]
            codes = [error["extensions"]["code"] for error in response.json()["errors"]]
            answers[name] = response.status_code, codes, response.headers.get("www-authenticate")

    assert answers == dict.fromkeys(tokens, (401, ["UNAUTHENTICATED"], "Bearer"))


@pytest.mark.parametrize("sent", ["", "Bearer", "Bearer ", "Basic YWxpY2U6", "Token {}", "{}", "Bearer: {}"])
async def test_an_authorization_header_without_bearer_token_is_refused(system: System, sent: str) -> None:
    response = await bearing(system, sent.format(token())).send(ME)

    assert response.status_code == 401
    assert [error["extensions"]["code"] for error in response.json()["errors"]] == ["UNAUTHENTICATED"]


async def test_an_error_has_nothing_of_the_bad_token(system: System) -> None:
    response = await bearing(system, f"Bearer {token(iss='https://elsewhere.example', sub='secret-subject')}").send(ME)

    assert "secret-subject" not in response.text
    assert SECRET not in response.text


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
async def test_the_scheme_is_case_insensitive(system: System, scheme: str) -> None:
    assert (await bearing(system, f"{scheme} {token()}").ask(ME))["viewer"]["user"]["handle"] == "alice"


async def test_a_new_user_gets_name_and_handle_of_the_token(system: System) -> None:
    first = await me(system, sub="auth0|7", preferred_username="Alice.Martin", name="Alice Martin")
    later = await me(system, sub="auth0|7", preferred_username="another", name="Another Name")

    assert first == later == {"handle": "alice_martin", "displayName": "Alice Martin"}


async def test_the_handle_is_shown_without_a_name(system: System) -> None:
    assert await me(system) == {"handle": "alice", "displayName": "alice"}


async def test_a_taken_handle_gets_a_suffix(system: System) -> None:
    people = [await me(system, sub=f"s{i}", preferred_username="alice") for i in range(5)]
    handles = [person["handle"] for person in people]

    assert handles[0] == "alice"
    assert len(set(handles)) == 5
    assert all(handle.removeprefix("alice").isdigit() for handle in handles[1:])


async def test_a_suffixed_handle_has_at_most_thirty_characters(system: System) -> None:
    handles = [(await me(system, sub=f"s{i}", preferred_username="a" * 40))["handle"] for i in range(3)]

    assert handles[0] == "a" * 30
    assert {len(handle) for handle in handles} == {30}


@pytest.mark.parametrize(
    ("separators", "handles"),
    [("", ["ann_lee", "jean_luc"]), (".", ["ann.lee", "jean_luc"]), (".-", ["ann.lee", "jean-luc"])],
)
async def test_a_handle_made_of_a_token_has_the_separators_of_the_setting(
    make_settings: Any, separators: str, handles: list[str]
) -> None:
    async with running(make_settings(people={"handle_separators": separators})) as system:
        made = [await me(system, sub=name, preferred_username=name) for name in ("Ann.Lee", "Jean-Luc")]

    assert [person["handle"] for person in made] == handles


@pytest.mark.parametrize(
    ("claims", "handle", "name"),
    [
        ({"preferred_username": "alice@example.com"}, "alice", "alice"),
        ({"preferred_username": "李梅"}, "limei", "李梅"),
        ({"preferred_username": None, "nickname": "Silver Badger"}, "silver_badger", "Silver Badger"),
        ({"preferred_username": None, "username": "Renée_M"}, "renee_m", "Renée_M"),
        ({"preferred_username": "Renée+news@example.com"}, "renee", "renee"),
        ({"preferred_username": "x", "name": "Борис"}, "boris", "Борис"),
        ({"preferred_username": "___", "email": "bob.baker@example.com"}, "bob_baker", "bob_baker"),
        ({"preferred_username": "'; DROP TABLE users; --"}, "drop_table_users", "'; DROP TABLE users; --"),
        ({"preferred_username": "\0\ud800bob"}, "bob", "bob"),
        ({"preferred_username": "s" * 255}, "s" * 30, "s" * 64),
        ({"preferred_username": "", "handle": "second_choice"}, "second_choice", "second_choice"),
        ({"preferred_username": 7, "name": "Alice Martin"}, "alice_martin", "Alice Martin"),
        ({"sub": "s" * 255}, "alice", "alice"),
        ({"sub": "auth0|'; DROP TABLE users; -- 李梅"}, "alice", "alice"),
        ({"name": "\0"}, "alice", "alice"),
        ({"name": "half \ud800"}, "alice", "alice"),
        ({"name": "   "}, "alice", "alice"),
        ({"name": ["Alice"]}, "alice", "alice"),
        ({"name": "é" * 100}, "alice", "é" * 64),
        ({"name": "a" * 63 + " b"}, "alice", "a" * 63),
    ],
)
async def test_any_claims_become_a_valid_profile(
    system: System, claims: dict[str, Any], handle: str, name: str
) -> None:
    assert await me(system, **claims) == {"handle": handle, "displayName": name}
    assert await system.rows("SELECT handle, display_name FROM users") == [(handle, name)]


async def test_one_subject_of_two_issuers_is_two_users(make_settings: Any) -> None:
    async with running(make_settings(jwt_issuer=("https://plaudit.local", "https://other.example"))) as system:
        one = (await bearing(system, f"Bearer {token()}").ask(ME))["viewer"]
        other = (await bearing(system, f"Bearer {token(iss='https://other.example')}").ask(ME))["viewer"]

    assert one["id"] != other["id"]
    assert one["user"]["handle"] == "alice"
    assert other["user"]["handle"].startswith("alice")


@pytest.mark.parametrize("claims", [{}, {"name": "\0"}, {"email": "@"}, {"name": "x"}, {"nickname": "___"}])
async def test_a_token_without_a_name_gets_a_generated_handle(system: System, claims: dict[str, Any]) -> None:
    user = await me(system, sub="secret|7", preferred_username=None, **claims)

    assert re.fullmatch("[a-z]+_[a-z]+", user["handle"])
    assert "secret" not in user["handle"]


async def test_the_next_claim_is_tried_before_a_taken_handle_gets_digits(system: System) -> None:
    people = [await me(system, sub=f"s{i}", preferred_username="alice", name="Alice Martin") for i in range(3)]

    assert [person["handle"] for person in people[:2]] == ["alice", "alice_martin"]
    assert re.fullmatch(r"alice\d\d", people[2]["handle"])


async def test_the_audience_is_required_if_one_is_set(make_settings: Any) -> None:
    async with running(make_settings(jwt_audience=("plaudit",))) as system:
        answers = {
            str(audience): (await bearing(system, f"Bearer {token(aud=audience)}").send(ME)).status_code
            for audience in ("plaudit", ["a", "plaudit"], "another", ["another"], None, [])
        }

    assert answers == {
        "plaudit": 200, "['a', 'plaudit']": 200, "another": 401, "['another']": 401, "None": 401, "[]": 401,
    }  # fmt: skip


@pytest.mark.parametrize("scope", ["users:write", "a users:write  b", ["users:write"], ["x", "users:write"]])
async def test_scopes_can_be_words_or_a_list(system: System, scope: object) -> None:
    registrar = bearing(system, f"Bearer {token(scope=scope)}")

    data = await registrar.ask(
        'mutation { registerUsers(users: [{externalId: "new", handle: "new"}]) { users { handle } } }'
    )

    assert data["registerUsers"]["users"] == [{"handle": "new"}]


@pytest.mark.parametrize("scope", [None, "", "users", "users:write,other", 7, {"users:write": True}, [["users:write"]]])
async def test_scopes_of_an_unknown_form_are_ignored(system: System, scope: object) -> None:
    registrar = bearing(system, f"Bearer {token(scope=scope)}")

    errors = await registrar.errors(
        'mutation { registerUsers(users: [{externalId: "new", handle: "new"}]) { users { handle } } }'
    )

    assert errors == [("FORBIDDEN", ["registerUsers"])]
