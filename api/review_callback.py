"""`POST /reviews`: the external reviewer sends a decision that it postponed with `later` (docs/build/moderation.md).

The body is JSON, with a signature like those of the requests to the reviewer. A copied request to the reviewer is not
valid here, because its body has no member `decision`. Sending a decision again changes nothing.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.responses import JSONResponse, Response
from starlette.types import Receive

from api.execute import GraphQLService
from api.headers import Headers
from api.responses import status_and_headers
from api.transports.http import read_body
from commands import reviews
from domain import texts
from domain.errors import NotServed, PlauditError, Unavailable
from domain.moderation import reviewer
from models.counters import EntityRef
from observability import metrics
from settings import COMMENTS, POSTS, ReviewerSettings
from state import State

SIGNATURE = "x-plaudit-signature"
_BUSINESSES = {"post": POSTS, "comment": COMMENTS}
_Number = Annotated[str, Field(pattern="^[0-9]{1,19}$")]
_LARGEST = (1 << 63) - 1


class _Decision(BaseModel):
    """The body of a request: the decision of the external reviewer about one version of a post or comment."""

    model_config = ConfigDict(strict=True, extra="forbid")

    kind: Literal["post", "comment"]
    id: _Number
    content_version: Annotated[_Number, Field(alias="contentVersion")]
    decision: Literal["approve", "reject", "match", "review"]
    reason: str | None = None
    labels: list[str] = Field(default_factory=list)


async def receive_review(
    state: State, service: GraphQLService, settings: ReviewerSettings, headers: Headers, receive: Receive
) -> Response:
    """Checks a decision that the external reviewer sends, and appends it to the journal, from which a worker applies
    it. Returns the response: 200, or the status and message of an error.
    """
    response: Response = JSONResponse({"status": "accepted"})
    try:
        body = await read_body(headers, receive, settings.max_bytes, service.body_time_limit)
        signed = headers.single(SIGNATURE) or ""
        if not reviewer.is_signed(signed, settings.secret.get_secret_value(), body, state.now_ms() // 1000):
            raise NotServed("X-Plaudit-Signature is missing or wrong, or its time is more than five minutes away.", 401)
        with service.time_limit():
            await _decide(state, _parsed(body))
    except PlauditError as error:
        response = _refusal(error)
    except TimeoutError:
        response = _refusal(Unavailable("This took too long. Send the decision again."))
    metrics.REVIEW_CALLBACKS.labels(response.status_code).inc()
    return response


def _parsed(body: bytes) -> _Decision:
    """Returns the decision in a body. Raises NotServed if the body is malformed."""
    try:
        return _Decision.model_validate_json(body)
    except ValidationError as error:
        problems = [f"{'.'.join(map(str, one['loc'])) or 'body'}: {one['msg']}" for one in error.errors()]
        raise NotServed(f"The body is malformed. {'. '.join(problems)}.", 400) from error


async def _decide(state: State, decision: _Decision) -> None:
    if int(decision.id) > _LARGEST:
        raise NotServed("There is no post or comment with this kind and id.", 404)
    if unknown := [name for name in decision.labels if state.labels.named(name) is None]:
        raise NotServed(f"The body is malformed. labels: there is no label {texts.quoted(unknown[0])}.", 400)
    ref = EntityRef(_BUSINESSES[decision.kind], int(decision.id))
    verdict = reviewer.verdict(decision.decision, decision.reason, decision.labels)
    await reviews.decide(state, ref, int(decision.content_version), verdict)


def _refusal(error: PlauditError) -> Response:
    status, headers = status_and_headers(error)
    return JSONResponse({"error": error.message}, status, headers)
