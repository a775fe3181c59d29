"""Tokens that Plaudit makes have the claims that the settings name, so that the API reads them as intended."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from identity import auth
from identity.auth import Verifier
from settings import ClaimSettings, Settings
from tests.support.tokens import SECRET

NAMES = st.lists(
    st.sampled_from(["permissions", "roles", "https://example.com/scopes", "realm.roles", "user.name", "nick"]),
    unique=True,
    min_size=1,
).map(tuple)


def settings(**changes: object) -> Settings:
    return Settings(env="development", jwt_secret=SECRET, **changes)  # type: ignore[arg-type]


@given(names=st.lists(NAMES, min_size=3, max_size=3), audience=st.booleans(), party=st.booleans())
async def test_a_token_has_the_configured_claims(names: list[tuple[str, ...]], audience: bool, party: bool) -> None:
    firsts = {one[0] for one in names}
    if len(firsts) < 3:
        return  # one claim cannot say two things
    handle, name, scope = names
    scopes = tuple(one for one in scope if one == scope[0] or one not in firsts)
    chosen = settings(
        jwt_claims=ClaimSettings(handle=handle, name=name, scope=scopes),
        jwt_issuer="https://login.example.com/",
        jwt_audience=("plaudit",) if audience else (),
        jwt_authorized_parties=("app",) if party else (),
    )

    made = auth.mint(chosen, "alice", name="Alice", scopes=("moderate", "act"), businesses=("post",))
    read = await Verifier(chosen).verify(made)

    assert (read.handle, read.name, read.issuer) == ("alice", "Alice", "https://login.example.com/")
    assert read.scopes == {"moderate", "act"}
    assert read.businesses == frozenset({"post"})


def test_scopes_that_no_claim_can_grant_are_refused() -> None:
    with pytest.raises(ValueError, match="scope in PLAUDIT_JWT_CLAIMS is empty"):
        auth.mint(settings(jwt_claims=ClaimSettings(scope=())), "service", scopes=("moderate",))
