import httpx
import pytest

from tests.support.graphiql import alice_and_bob, browse


async def test_development_offers_users_with_tokens(development: httpx.AsyncClient) -> None:
    session = await development.get("/graphiql/session", headers={"Sec-Fetch-Site": "same-origin"})

    assert session.json() == {
        "users": [
            {"handle": "alice", "displayName": "Alice Adler", "token": "token-of-alice"},
            {"handle": "bob", "displayName": "Bob Baker", "token": "token-of-bob"},
        ],
        "hasSwitch": False,
    }
    assert session.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("handle", "users"),
    [("carol", [{"handle": "carol", "displayName": "Carol Chen", "token": "token-of-carol"}]), ("nobody", [])],
)
async def test_a_user_can_be_asked_for_by_handle(
    development: httpx.AsyncClient, handle: str, users: list[dict[str, str]]
) -> None:
    session = await development.get("/graphiql/session", params={"user": handle})

    assert session.json() == {"users": users, "hasSwitch": False}


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
async def test_another_site_cannot_read_the_tokens(development: httpx.AsyncClient, site: str) -> None:
    session = await development.get("/graphiql/session", headers={"Sec-Fetch-Site": site})

    assert session.status_code == 403
    assert session.content == b""


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "[::1]:8000", "192.168.1.7", "localhost", "demo.localhost:8000"])
async def test_a_page_at_localhost_or_an_ip_address_can_read_the_tokens(
    development: httpx.AsyncClient, host: str
) -> None:
    assert (await development.get("/graphiql/session", headers={"Host": host})).status_code == 200


@pytest.mark.parametrize("host", ["evil.example:8000", "127.0.0.1.evil.example", "localhost.evil.example", "", "a@b:c"])
async def test_a_site_whose_name_resolves_to_this_machine_cannot_read_the_tokens(
    development: httpx.AsyncClient, host: str
) -> None:
    session = await development.get("/graphiql/session", headers={"Host": host, "Sec-Fetch-Site": "same-origin"})

    assert session.status_code == 403
    assert session.content == b""


@pytest.mark.parametrize(("address", "is_offered"), [("127.0.0.1", True), ("::1", True), ("192.168.1.7", False)])
async def test_only_browsers_on_this_machine_are_offered_the_failure_switch(
    monkeypatch: pytest.MonkeyPatch, address: str, is_offered: bool
) -> None:
    monkeypatch.setenv("PLAUDIT_SWITCH_URL", "http://127.0.0.1:9")
    async with browse(alice_and_bob, address) as client:
        session = await client.get("/graphiql/session", headers={"Host": "192.168.1.2:8000"})
        stores = await client.get("/graphiql/stores")

    assert session.json()["hasSwitch"] is is_offered
    assert (stores.status_code == 403) is not is_offered


async def test_the_page_has_the_url_of_the_users_in_development(development: httpx.AsyncClient) -> None:
    assert 'data-users="graphiql/session"' in (await development.get("/graphiql")).text


async def test_production_offers_no_users(production: httpx.AsyncClient) -> None:
    assert (await production.get("/graphiql/session")).status_code == 404
    assert 'data-users=""' in (await production.get("/graphiql")).text
