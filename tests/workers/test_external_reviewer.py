"""Whatever an external reviewer answers, a submission is decided or waits for a moderator within a short time."""

import asyncio
import gzip
import hmac
import json
import socket
import time
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest
import pytest_asyncio
from prometheus_client import REGISTRY

from domain.labels import Labels
from domain.moderation.reports import CaseSource
from domain.moderation.verdicts import (
    WAITS_FOR_REVIEW,
    AuditStatus,
    LabelVerdict,
    ModerationVerdict,
    SubmittedAttachment,
)
from settings import Label, LabelSettings
from tests.support.external_reviewer import SECRET, Answer, Server, json_response, listening, plain
from tests.support.submissions import post
from workers import external_reviewer
from workers.external_reviewer import LATER, UNANSWERED

LABELS = Labels(LabelSettings(label=(Label(id=0, name="violence", title="Violence"),)))
APPROVED, PENDING, REJECTED = AuditStatus.APPROVED, AuditStatus.PENDING, AuditStatus.REJECTED


def decided(status: AuditStatus, reason: str) -> ModerationVerdict:
    """Returns a verdict of the external reviewer."""
    return ModerationVerdict(status, reason, CaseSource.REVIEWER)


def matched(note: str) -> ModerationVerdict:
    """Returns the verdict on known illegal content. The author reads only that it is rejected."""
    return ModerationVerdict(REJECTED, "rejected by the reviewer", CaseSource.REVIEWER, note)


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Server]:
    async with listening() as one:
        yield one


async def reviewed(server: Server, **settings: object) -> ModerationVerdict:
    async with external_reviewer.opened(server.settings(**settings), LABELS) as external:
        return await external.review(post("Hello"))


def outcomes() -> Counter[str]:
    return Counter(
        {
            sample.labels["outcome"]: int(sample.value)
            for metric in REGISTRY.collect()
            if metric.name == "plaudit_reviews"
            for sample in metric.samples
            if sample.name.endswith("_total")
        }
    )


async def test_the_reviewer_receives_the_submission(server: Server) -> None:
    submission = post(
        "Grüße, 世界",
        id=(1 << 60) + 1,
        image_urls=("https://images.example/1.png",),
        media_urls=("https://images.example/2.mp4",),
        image_alts=("a dog",),
        attachments=(
            SubmittedAttachment("IMAGE", "https://images.example/1.png", "a dog", None, "image/png", 640, 480),
            SubmittedAttachment("VIDEO", "https://images.example/2.mp4", duration_ms=1500),
        ),
        topics=("music", "音乐"),
        custom='{"plan":"pro"}',
        content_warning="loud",
        author_created_at=datetime(2026, 4, 1, tzinfo=UTC),
        business="post",
        network="2001:db8::/64",
        device="a-phone",
        rejections=2,
        accepted_reports=1,
    )
    async with external_reviewer.opened(server.settings(), LABELS) as external:
        await external.review(submission)

    (request,) = server.requests
    assert request.line == "POST /review HTTP/1.1"
    assert request.headers["content-type"] == "application/json"
    assert request.json == {
        "kind": "post",
        "id": "1152921504606846977",
        "text": "Grüße, 世界",
        "images": ["https://images.example/1.png"],
        "media": ["https://images.example/2.mp4"],
        "alts": ["a dog"],
        "contentWarning": "loud",
        "attachments": [
            {
                "kind": "IMAGE",
                "url": "https://images.example/1.png",
                "alt": "a dog",
                "posterUrl": None,
                "mimeType": "image/png",
                "width": 640,
                "height": 480,
                "durationSeconds": None,
            },
            {
                "kind": "VIDEO",
                "url": "https://images.example/2.mp4",
                "alt": None,
                "posterUrl": None,
                "mimeType": None,
                "width": None,
                "height": None,
                "durationSeconds": 1.5,
            },
        ],
        "avatar": None,
        "topics": ["music", "音乐"],
        "custom": {"plan": "pro"},
        "business": "post",
        "author": {
            "id": "7",
            "createdAt": "2026-04-01T00:00:00+00:00",
            "accountAgeSeconds": 2_635_200,
            "rejections": 2,
            "acceptedReports": 1,
        },
        "client": {"network": "2001:db8::/64", "device": "a-phone"},
        "submittedAt": "2026-05-01T12:00:00+00:00",
    }


async def test_the_reviewer_receives_the_version_of_a_post_or_comment(server: Server) -> None:
    async with external_reviewer.opened(server.settings(), LABELS) as external:
        await external.review(post("Hello"), (1 << 60) + 1)

    assert server.requests[0].json["contentVersion"] == "1152921504606846977"


async def test_a_decision_can_be_announced_for_later(server: Server) -> None:
    server.answer = json_response({"decision": "later"})
    before = outcomes()

    assert await reviewed(server) is LATER
    assert outcomes() - before == Counter({"later": 1})

    server.answer = json_response({"decision": "review", "reason": LATER.reason})
    assert await reviewed(server) is not LATER


async def test_the_reviewer_is_called_directly_although_the_environment_names_a_proxy(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    server.answer = json_response({"decision": "approve"})

    assert (await reviewed(server)).status == APPROVED


async def test_the_request_is_signed_as_documented(server: Server) -> None:
    await reviewed(server)

    (request,) = server.requests
    header, body, secret = request.headers["x-plaudit-signature"], request.body, SECRET
    stamp, signature = header.removeprefix("t=").split(",v1=")
    expected = hmac.new(secret.encode(), stamp.encode() + b"." + body, "sha256").hexdigest()
    assert hmac.compare_digest(expected, signature)
    assert abs(time.time() - int(stamp)) < 300


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ({"decision": "approve"}, decided(APPROVED, "approved by the reviewer")),
        ({"decision": "approve", "reason": "fine"}, decided(APPROVED, "fine")),
        ({"decision": "reject", "reason": "an advert"}, decided(REJECTED, "an advert")),
        ({"decision": "reject", "reason": None}, decided(REJECTED, "rejected by the reviewer")),
        ({"decision": "match"}, matched("known illegal content")),
        ({"decision": "match", "reason": "list 7,\0 hash 12"}, matched("list 7,  hash 12")),
        ({"decision": "review", "reason": "广告?", "score": 0.5}, decided(PENDING, "广告?")),
        ({"decision": "review", "reason": " "}, decided(PENDING, "the reviewer leaves it to a moderator")),
        ({"decision": "reject", "reason": "a\0b\x1bc\nd"}, decided(REJECTED, "a b c\nd")),
        ({"decision": "reject", "reason": "long " * 1000}, decided(REJECTED, ("long " * 60).strip())),
    ],
)
async def test_the_reviewers_decision_is_used(server: Server, answer: object, verdict: ModerationVerdict) -> None:
    server.answer = json_response(answer)
    before = outcomes()

    assert await reviewed(server) == verdict
    assert outcomes() - before == Counter({answer["decision"]: 1})  # type: ignore[index]


async def test_a_submission_left_to_moderators_is_not_sent_to_the_reviewer_again(server: Server) -> None:
    server.answer = json_response({"decision": "review", "reason": WAITS_FOR_REVIEW.reason})

    assert await reviewed(server) != WAITS_FOR_REVIEW
    assert UNANSWERED != WAITS_FOR_REVIEW


REDIRECT = ("302 Found", "Location: /elsewhere")
APPROVAL = json.dumps({"decision": "approve"}).encode()


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (json_response({"decision": "approve"}, "500 Internal Server Error"), "status"),
        (json_response({"decision": "approve"}, "201 Created"), "status"),
        (json_response({"decision": "approve"}, *REDIRECT), "status"),
        (json_response({"decision": "approve"}, "307 Temporary Redirect", "Location: /elsewhere"), "status"),
        (plain(b"approve"), "malformed"),
        (plain(b""), "malformed"),
        (plain(APPROVAL[:-1]), "malformed"),
        (plain(b"\xff" + APPROVAL), "malformed"),
        (plain(b"[" * 10_000), "malformed"),
        (plain(rb'{"decision": "reject", "reason": "\ud800"}'), "malformed"),
        (json_response([{"decision": "approve"}]), "malformed"),
        (json_response({"decision": "APPROVE"}), "malformed"),
        (json_response({"decision": True}), "malformed"),
        (json_response({"decision": "reject", "reason": 5}), "malformed"),
        (json_response({"reason": "fine"}), "malformed"),
        (json_response({"decision": "approve", "reason": "x" * 20_000}), "oversized"),
        (plain(gzip.compress(APPROVAL), "200 OK", "Content-Encoding: gzip"), "malformed"),
        (plain(APPROVAL, "what"), "unreachable"),
    ],
)
async def test_every_other_response_counts_as_no_answer(server: Server, answer: Answer, outcome: str) -> None:
    server.answer = answer
    before = outcomes()

    assert await reviewed(server) == UNANSWERED
    assert outcomes() - before == Counter({outcome: 1})
    assert len(server.requests) == 1  # redirects are not followed


async def test_an_endless_body_is_read_up_to_its_limit(server: Server) -> None:
    sent = 0

    async def endless(writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            writer.write(b"%x\r\n%s\r\n" % (1 << 16, b" " * (1 << 16)))
            await writer.drain()
            sent += 1 << 16

    server.answer = endless
    before = outcomes()

    assert await reviewed(server, max_bytes=1000, timeout=30) == UNANSWERED
    assert outcomes() - before == Counter({"oversized": 1})
    assert sent < 1 << 24  # the size of the buffers between client and server


async def _never(_: asyncio.StreamWriter) -> None:
    await asyncio.Event().wait()


async def _drop_by_drop(writer: asyncio.StreamWriter) -> None:
    """Sends a byte now and then and never ends."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n")
    while True:
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("answer", [_never, _drop_by_drop])
async def test_a_slow_response_counts_as_no_answer(server: Server, answer: Answer) -> None:
    server.answer = answer
    before = outcomes()

    async with asyncio.timeout(20):
        assert await reviewed(server, timeout=0.2) == UNANSWERED
    assert outcomes() - before == Counter({"timeout": 1})


async def _hang_up(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{")
    writer.close()


async def test_a_broken_connection_counts_as_no_answer(server: Server) -> None:
    server.answer = _hang_up
    before = outcomes()

    assert await reviewed(server) == UNANSWERED
    assert outcomes() - before == Counter({"unreachable": 1})


async def test_an_unreachable_reviewer_gives_no_answer(server: Server) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        before = outcomes()

        assert await reviewed(server, url=f"http://127.0.0.1:{unused.getsockname()[1]}/") == UNANSWERED
        assert outcomes() - before == Counter({"unreachable": 1})


async def test_the_number_of_concurrent_requests_is_limited_and_waiting_does_not_count_as_slowness(
    server: Server,
) -> None:
    async def wait_for_others(writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.2)
        await json_response({"decision": "approve"})(writer)

    server.answer = wait_for_others
    async with external_reviewer.opened(server.settings(concurrency=3, timeout=2.5), LABELS) as external:
        verdicts = await asyncio.gather(*[external.review(post("Hello", id=id_)) for id_ in range(42)])

    assert {verdict.status for verdict in verdicts} == {APPROVED}
    assert sorted(int(request.json["id"]) for request in server.requests) == [*range(42)]
    assert server.most_under_way == 3


async def test_a_good_answer_after_bad_ones_is_used(server: Server) -> None:
    async with external_reviewer.opened(server.settings(timeout=1.5, concurrency=1), LABELS) as external:
        for bad in (
            _never,
            _hang_up,
            plain(b"?"),
            json_response({}, "500 Internal Server Error"),
            plain(b" " * 20_000),
        ):
            server.answer = bad
            assert await external.review(post("Hello")) == UNANSWERED
        server.answer = json_response({"decision": "approve", "reason": "fine"})

        assert await external.review(post("Hello")) == decided(APPROVED, "fine")


async def test_an_answer_sets_labels(server: Server) -> None:
    server.answer = json_response({"decision": "approve", "labels": ["violence", "violence"]})
    labels = (LabelVerdict("violence", "set by the reviewer"),)
    assert await reviewed(server) == replace(decided(APPROVED, "approved by the reviewer"), labels=labels)
    server.answer = json_response({"decision": "reject", "reason": "blood", "labels": ["violence"]})
    assert (await reviewed(server)).labels == (LabelVerdict("violence", "blood"),)


async def test_an_answer_with_an_unknown_label_is_invalid(server: Server) -> None:
    before = outcomes()
    server.answer = json_response({"decision": "approve", "labels": ["violence", "nothing"]})
    assert await reviewed(server) is UNANSWERED
    assert outcomes() - before == Counter(unknown_label=1)
