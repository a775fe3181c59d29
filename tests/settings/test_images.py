"""Settings for images, and mistakes that stop a process from starting."""

from typing import Any

import orjson
import pytest
from pydantic import ValidationError

from domain.images.signed_urls import Images
from settings import Settings, UploadSettings

KEY = '{"id": "2029a", "secret": "0123456789abcdef0123456789abcdef"}'


def configured(monkeypatch: pytest.MonkeyPatch, json: str | None, env: str = "production") -> Settings:
    """Returns settings from an environment variable. `KEY` is a valid key."""
    if json is not None:
        monkeypatch.setenv("PLAUDIT_IMAGES", json.replace("KEY", KEY))
    return Settings(env=env, jwt_secret="s" * 32)  # type: ignore[arg-type]


def test_hosts_and_keys_are_one_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = configured(monkeypatch, '{"hosts": ["a.example:8443"], "keys": [KEY], "lifetime": 600, "bucket": 60}')

    signed = Images(settings).sign("https://a.example:8443/cat.jpg", 0)

    assert "&k=2029a&" in signed
    assert 600 <= Images(settings).verify("a.example:8443", signed.removeprefix("https://a.example:8443"), 0) < 660
    assert "0123456789abcdef" not in repr(settings)


def test_development_has_its_own_host_and_key(monkeypatch: pytest.MonkeyPatch) -> None:
    images = Images(configured(monkeypatch, None, "development"))
    cat = images.canonical_url("https://images.example.com/cat.jpg")
    uri = images.sign(cat, 0).removeprefix("https://images.example.com")

    assert Images(configured(monkeypatch, None, "development")).verify("images.example.com", uri, 0)


def test_production_has_no_default_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    assert configured(monkeypatch, None).image_hosts == ()
    assert configured(monkeypatch, '{"hosts": ["a.example"]}', "development").image_hosts == ("a.example",)


@pytest.mark.parametrize(
    ("json", "complaint"),
    [
        ('{"hosts": ["a.example"]}', "production needs keys in PLAUDIT_IMAGES"),
        ('{"hosts": ["https://a.example"]}', r"images\.hosts\.0\s+String should match"),
        ('{"hosts": ["A.example"]}', r"images\.hosts\.0\s+String should match"),
        ('{"hosts": ["a.example/b"]}', r"images\.hosts\.0\s+String should match"),
        ('{"hosts": ["*.example"]}', r"images\.hosts\.0\s+String should match"),
        ('{"hosts": ["a.example."]}', r"images\.hosts\.0\s+String should match"),
        ('{"hosts": ["a.example:443"], "keys": [KEY]}', "443 is the port of https"),
        ('{"keys": [KEY, KEY]}', "two keys share an id"),
        (
            '{"keys": [{"id": "a&b", "secret": "0123456789abcdef0123456789abcdef"}]}',
            r"keys\.0\.id\s+String should match",
        ),
        ('{"keys": [{"id": "a", "secret": "short"}]}', r"keys\.0\.secret\s+Value should have at least 32"),
        ('{"keys": [{"id": "a"}]}', r"keys\.0\.secret\s+Field required"),
        ('{"key": []}', r"images\.key\s+Extra inputs"),
        ('{"lifetime": 0}', r"images\.lifetime\s+Input should be greater"),
        ('{"bucket": 0}', r"images\.bucket\s+Input should be greater"),
    ],
)
def test_mistakes_are_reported_at_startup(monkeypatch: pytest.MonkeyPatch, json: str, complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        configured(monkeypatch, json)


STORE: dict[str, Any] = {
    "endpoint": "https://s3.example.com",
    "bucket": "files",
    "access_key": "key",
    "secret_key": "a-secret-of-the-store",
    "public_url": "https://cdn.example.com/uploads",
}


def test_the_host_of_uploads_may_be_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    json = orjson.dumps({"hosts": ["a.example"], "uploads": STORE}).decode()
    settings = configured(monkeypatch, json, "development")

    assert settings.image_hosts == ("a.example", "cdn.example.com")
    assert STORE["secret_key"] not in repr(settings)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("endpoint", "https://s3.example.com/"),
        ("endpoint", "https://s3.example.com:443"),
        ("endpoint", "s3.example.com"),
        ("bucket", "a/b"),
        ("public_url", "https://cdn.example.com/uploads/"),
        ("public_url", "https://cdn.example.com:443"),
        ("public_url", "https://cdn.example.com/../x"),
        ("public_url", "http://cdn.example.com"),
        ("types", ["image/svg+xml"]),
        ("types", []),
        ("max_bytes", 0),
        ("lifetime", 86_401),
    ],
)
def test_bad_values_of_uploads_are_refused(name: str, value: Any) -> None:
    with pytest.raises(ValidationError):
        UploadSettings.model_validate({**STORE, name: value})
