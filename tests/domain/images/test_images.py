"""Signed URLs: each is valid for its image and its lifetime, under every configured key."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import SecretStr

from domain.errors import BadSignature
from domain.images.signed_urls import Images
from settings import ImageKey, ImageSettings, Settings
from tests.support.image_urls import HOME, PLAIN

DAY, HOUR = 86_400, 3_600
NOW = 1_800_000_000_000
HOST = "images.example.com"
CAT = f"{HOME}/cat.jpg"


def key(name: str) -> ImageKey:
    return ImageKey(id=name, secret=SecretStr(f"{name} is a secret of enough characters"))


def images(*keys: str, hosts: tuple[str, ...] = (HOST, "cdn.example.com"), **more: Any) -> Images:
    chosen = ImageSettings(hosts=hosts, keys=tuple(map(key, keys)), lifetime=DAY, bucket=HOUR, **more)
    return Images(Settings(jwt_secret=SecretStr("s" * 32), images=chosen))


OURS = images("a")


def uri(url: str) -> str:
    """Returns path and query, as a browser sends them."""
    return url.removeprefix(HOME)


def refused(some: Images, url: str, now_ms: int = NOW, host: str = HOST) -> str:
    """Returns the reason why a URL is refused."""
    with pytest.raises(BadSignature) as error:
        some.verify(host, uri(url), now_ms)
    return error.value.reason


@given(PLAIN, st.integers(0, 4 * NOW), st.integers(0, DAY * 1000 - 1000))
def test_an_allowed_url_is_valid_for_its_lifetime_after_signing(url: str, now_ms: int, age_ms: int) -> None:
    stored = OURS.canonical_url(url)
    signed = OURS.sign(stored, now_ms)

    expires = OURS.verify(HOST, uri(signed), now_ms + age_ms)

    assert now_ms < (expires - DAY + 1) * 1000
    assert (expires - DAY - HOUR) * 1000 < now_ms
    assert signed.startswith(stored)
    assert re.fullmatch(r"[?&]e=\d+&k=a&s=[\w-]{22}", signed.removeprefix(stored))


@given(PLAIN, st.integers(0, 4 * NOW))
def test_a_signed_url_may_be_posted_again(url: str, now_ms: int) -> None:
    stored = OURS.canonical_url(url)

    assert OURS.canonical_url(OURS.sign(stored, now_ms)) == stored


@given(PLAIN, st.data())
def test_every_altered_url_is_refused(url: str, data: st.DataObject) -> None:
    signed = uri(OURS.sign(OURS.canonical_url(url), NOW))
    start = data.draw(st.integers(0, len(signed)))
    end = data.draw(st.integers(start, min(start + 3, len(signed))))
    # `%`, `&` and other special characters of URLs are drawn often enough.
    put = data.draw(st.text(st.sampled_from("aA01%&=?/._-~+#\0\n é") | st.characters(), max_size=3))
    altered = signed[:start] + put + signed[end:]
    assume(altered != signed)

    with pytest.raises(BadSignature):
        OURS.verify(HOST, altered, NOW)


@given(PLAIN, PLAIN)
def test_a_signature_fits_no_other_url(url: str, other: str) -> None:
    signed, stored = OURS.sign(OURS.canonical_url(url), NOW), OURS.canonical_url(other)
    signature = signed[signed.rindex("e=") :]
    assume(OURS.canonical_url(url) != stored)

    assert refused(OURS, f"{stored}{'&' if '?' in stored else '?'}{signature}") == "altered"


def test_every_change_of_one_character_is_refused() -> None:
    signed = uri(OURS.sign(f"{CAT}?w=200", NOW))
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=.%&?#\0é"
    changed = {signed[:i] + letter + signed[i + 1 :] for i in range(len(signed)) for letter in alphabet} - {signed}

    assert {refused(OURS, one) for one in changed} == {"altered", "unsigned", "unknown key"}


@pytest.mark.parametrize(
    ("host", "reason"),
    [
        ("cdn.example.com", "altered"),
        ("example.com", "unsigned"),
        ("images.example.com.", "unsigned"),
        ("images.example.com:8443", "unsigned"),
        ("", "unsigned"),
        ("\0", "unsigned"),
    ],
)
def test_a_signature_is_valid_for_one_host(host: str, reason: str) -> None:
    assert refused(OURS, OURS.sign(CAT, NOW), host=host) == reason


@pytest.mark.parametrize("host", ["images.example.com", "Images.EXAMPLE.com", "images.example.com:443"])
def test_a_host_is_accepted_in_the_spellings_of_browsers_and_proxies(host: str) -> None:
    assert OURS.verify(host, uri(OURS.sign(CAT, NOW)), NOW)


@pytest.mark.parametrize(
    "altered",
    [
        "{uri}&w=200",
        "{uri}&{signature}",
        "{path}?{signature}&{signature}",
        "{path}?e=1&{signature}",
        "{path}?k=a&{signature}",
        "{path}?s=a&{signature}",
        "{path}?%65=1&{signature}",
        "{path}&{signature}",
        "/{uri}",
        "/a/..{uri}",
        "/./{uri}",
        "{uri}#",
        "http://images.example.com{uri}",
        "{path}",
        "{path}?",
        "?{signature}",
        "",
        "/",
        "\0",
        "{uri}" + "a" * 100_000,
    ],
)
def test_parameters_cannot_be_added_to_a_signed_url_or_removed(altered: str) -> None:
    signed = uri(OURS.sign(CAT, NOW))
    path, _, signature = signed.partition("?")

    assert refused(OURS, altered.format(uri=signed, path=path, signature=signature)) in ("altered", "unsigned")


def test_a_url_expires() -> None:
    signed = OURS.sign(CAT, NOW)
    expires = OURS.verify(HOST, uri(signed), NOW)

    assert OURS.verify(HOST, uri(signed), expires * 1000 - 1) == expires
    assert refused(OURS, signed, expires * 1000) == "expired"
    assert refused(OURS, signed, 4 * NOW) == "expired"


def test_a_url_that_is_valid_for_longer_than_a_lifetime_is_refused() -> None:
    ahead = DAY + HOUR + 60

    signed = OURS.sign(CAT, NOW)
    expires = OURS.verify(HOST, uri(signed), NOW)

    assert OURS.verify(HOST, uri(signed), (expires - ahead) * 1000) == expires
    assert refused(OURS, signed, (expires - ahead) * 1000 - 1) == "expires too late"


def test_a_url_is_constant_within_a_time_bucket() -> None:
    expires = OURS.verify(HOST, uri(OURS.sign(CAT, NOW)), NOW)
    begins = (expires - DAY - HOUR) * 1000 + 1000
    seconds = range(begins, begins + HOUR * 1000, 1000)

    assert {OURS.sign(CAT, now_ms) for now_ms in seconds} == {OURS.sign(CAT, NOW)}
    assert OURS.sign(CAT, begins - 1) != OURS.sign(CAT, NOW) != OURS.sign(CAT, begins + HOUR * 1000)


def test_urls_do_not_all_change_at_once() -> None:
    pictures = [f"{HOME}/{number}.jpg" for number in range(1000)]
    expiries = [OURS.verify(HOST, uri(OURS.sign(picture, NOW)), NOW) % HOUR // 60 for picture in pictures]

    assert max(map(expiries.count, range(60))) < 40


def test_the_documented_url_has_the_documented_signature() -> None:
    documentation = (Path(__file__).parents[3] / "docs" / "build" / "images.md").read_text()
    (url,) = re.findall(r"^    (https://.*)$", documentation, re.MULTILINE)
    (secret,) = re.findall(r"with the secret `([^`]+)`", documentation)
    documented = ImageSettings(hosts=(HOST,), keys=(ImageKey(id="2029a", secret=SecretStr(secret)),))
    expires = 1_893_456_000

    verifying = Images(Settings(jwt_secret=SecretStr("s" * 32), images=documented))

    assert verifying.verify(HOST, uri(url), (expires - DAY) * 1000) == expires


def test_all_processes_sign_equally() -> None:
    assert images("a", "b").sign(CAT, NOW) == images("a").sign(CAT, NOW)


def test_keys_can_be_rotated_without_broken_images() -> None:
    old, announced, turned, new = images("a"), images("a", "b"), images("b", "a"), images("b")

    for signer, verifiers in ((old, (old, announced, turned)), (turned, (announced, turned, new))):
        signed = signer.sign(CAT, NOW)
        assert all(verifier.verify(HOST, uri(signed), NOW) for verifier in verifiers)
    assert refused(new, old.sign(CAT, NOW)) == "unknown key"
    assert refused(old, new.sign(CAT, NOW)) == "unknown key"


def test_a_key_is_identified_by_its_secret_and_not_by_its_name() -> None:
    signed = OURS.sign(CAT, NOW)

    assert refused(images("a", "b"), signed.replace("&k=a&", "&k=b&")) == "altered"


def test_images_of_a_removed_host_are_not_shown() -> None:
    signed = OURS.sign(CAT, NOW)

    assert refused(images("a", hosts=("cdn.example.com",)), signed) == "unsigned"
