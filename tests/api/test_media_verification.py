"""The endpoint at which a proxy asks whether it may serve an image."""

from collections.abc import Callable
from email.utils import parsedate_to_datetime

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr
from starlette.datastructures import Headers
from starlette.responses import Response

from api.image_verification import REFUSED_SECONDS, verify_image
from domain.images.signed_urls import Images
from observability import metrics
from settings import Settings
from tests.support.metrics import metric
from tests.support.system import System, running

HOST = "images.example.com"
CAT = f"https://{HOST}/cat.jpg?w=200"
NOW = 1_800_000_000_123
IMAGES = Images(Settings(env="development", jwt_secret=SecretStr("s" * 32)))

standalone = pytest.mark.parametrize("redis_mode", ["standalone"])


def signed(images: Images, now_ms: int = NOW) -> str:
    """Returns path and query of a signed URL."""
    return images.sign(CAT, now_ms).removeprefix(f"https://{HOST}")


def counted(outcome: str) -> float:
    return metric("image_verifications_total", verdict=outcome)


def charged() -> float:
    """Returns the number of charges so far."""
    return sum(sample.value for family in metrics.BUDGET_CHARGES.collect() for sample in family.samples)


async def ask(system: System, method: str, *headers: tuple[str, str | bytes]) -> httpx.Response:
    """Returns the response to a request with these headers."""
    lines = [(name.encode(), value if isinstance(value, bytes) else value.encode()) for name, value in headers]
    return await system.http.request(method, "/media/verify", headers=httpx.Headers(lines))


def about(uri: str | bytes, host: str = HOST) -> tuple[tuple[str, str | bytes], ...]:
    return ("X-Original-Host", host), ("X-Original-URI", uri)


def response_to(uri: str, now_ms: int = NOW) -> Response:
    """Returns the response for a URI."""
    return verify_image(IMAGES, Headers({"X-Original-Host": HOST, "X-Original-URI": uri}), now_ms)


def test_a_positive_verdict_is_cacheable_until_the_url_expires() -> None:
    expires = IMAGES.verify(HOST, signed(IMAGES), NOW)

    early = response_to(signed(IMAGES))
    late = response_to(signed(IMAGES), expires * 1000 - 1)

    assert [response.status_code for response in (early, late)] == [204, 204]
    assert early.headers["cache-control"] == f"public, max-age={expires - NOW // 1000 - 1}"
    assert late.headers["cache-control"] == "public, max-age=0"
    assert {parsedate_to_datetime(response.headers["expires"]).timestamp() for response in (early, late)} == {expires}


def test_a_refusal_is_cacheable_for_a_short_time() -> None:
    refusal = response_to(signed(IMAGES, NOW - 10 * 86_400_000))

    assert (refusal.status_code, refusal.body) == (403, b"expired")
    assert refusal.headers["cache-control"] == f"public, max-age={REFUSED_SECONDS}"
    assert "expires" not in refusal.headers


def test_verdicts_are_counted_by_reason() -> None:
    before = [counted(outcome) for outcome in ("ok", "altered")]

    for uri in (signed(IMAGES), signed(IMAGES), signed(IMAGES).replace("w=200", "w=2000")):
        response_to(uri)

    assert [counted(outcome) for outcome in ("ok", "altered")] == [before[0] + 2, before[1] + 1]


@given(
    st.lists(
        st.tuples(
            st.sampled_from((b"x-original-uri", b"x-original-host", b"host")),
            st.binary(max_size=80)
            | st.sampled_from((HOST.encode(), signed(IMAGES).encode(), b"/%", b"/%zz?%", b"\0", b"/" * 100_000)),
        ),
        max_size=4,
    )
)
def test_malformed_headers_get_a_response(raw: list[tuple[bytes, bytes]]) -> None:
    response = verify_image(IMAGES, Headers(raw=raw), NOW)

    signs = [value for name, value in raw if name == b"x-original-uri"]
    hosts = [value.lower() for name, value in raw if name == b"x-original-host"]
    good = signs == [signed(IMAGES).encode()] and hosts in ([HOST.encode()], [HOST.encode() + b":443"])
    assert response.status_code == (204 if good else 403)


@standalone
async def test_a_verification_costs_no_points_and_uses_no_store(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(), lambda: NOW) as system:
        uri, usage, charges = signed(system.state.images), metrics.Usage(), charged()
        metrics.usage.set(usage)
        good = [await ask(system, method, *about(uri)) for method in ("GET", "HEAD")]
        bad = [await ask(system, method, *about(f"{uri}&w=1")) for method in ("GET", "HEAD")]

    assert [response.status_code for response in good + bad] == [204, 204, 403, 403]
    assert {response.content for response in good} == {b""}
    assert usage == metrics.Usage(redis_round_trips=0, sql_queries=0)
    assert charged() == charges


@standalone
async def test_malformed_requests_get_a_response(system: System) -> None:
    uri = signed(system.state.images, system.state.now_ms())
    answers = [
        await ask(system, "GET"),
        await ask(system, "GET", ("X-Original-URI", uri)),
        await ask(system, "GET", ("X-Original-Host", HOST)),
        await ask(system, "GET", *about(uri), *about(uri)),
        *[await ask(system, "GET", *about(one)) for one in (b"", b"\0", b"/\xff?\xfe", "/" * 1_000_000, "/%zz", "%")],
        *[await ask(system, "GET", *about(uri, host)) for host in ("", "a" * 1_000_000, "[::1", "\0", "@", "猫")],
    ]

    assert {response.status_code for response in answers} == {403}
    assert (await ask(system, "GET", *about(uri))).status_code == 204


@standalone
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
async def test_post_put_delete_and_options_are_refused(system: System, method: str) -> None:
    refusal = await ask(system, method, *about(signed(system.state.images, system.state.now_ms())))

    assert (refusal.status_code, set(refusal.headers["allow"].split(", "))) == (405, {"GET", "HEAD"})
