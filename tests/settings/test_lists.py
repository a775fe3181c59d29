"""Lists in environment variables are JSON, or texts with commas between them."""

import pytest
from pydantic import SecretStr, ValidationError

from settings import Settings


@pytest.mark.parametrize(
    ("value", "origins"),
    [
        ("https://a.example,https://b.example", ("https://a.example", "https://b.example")),
        (" https://a.example , https://b.example, ", ("https://a.example", "https://b.example")),
        ('["https://a.example", "https://b.example"]', ("https://a.example", "https://b.example")),
        ("https://a.example", ("https://a.example",)),
        ("", ()),
        ("[]", ()),
    ],
)
def test_a_list_is_json_or_comma_separated(
    monkeypatch: pytest.MonkeyPatch, value: str, origins: tuple[str, ...]
) -> None:
    monkeypatch.setenv("PLAUDIT_CORS_ORIGINS", value)

    assert Settings(jwt_secret=SecretStr("s" * 32)).cors_origins == origins


@pytest.mark.parametrize("value", ['["https://a.example"', "[1]", '[["a"]]'])
def test_an_unreadable_list_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("PLAUDIT_CORS_ORIGINS", value)

    with pytest.raises(ValidationError, match="cors_origins"):
        Settings(jwt_secret=SecretStr("s" * 32))
