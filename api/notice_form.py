"""`GET /notice` and `POST /notice`: a form with which people without an account send notices (docs/build/notices.md).

The form carries a sealed token with two random numbers. One is that of the browser, which is also in a cookie that no
other site can read or set. So other sites cannot send the form. All forms in a browser share this number, so that
several can be open at once. The other number is the idempotency key: a form that is sent twice is one notice.
"""

import re
import secrets
from collections.abc import Mapping
from urllib.parse import parse_qsl

from starlette.responses import HTMLResponse, Response
from starlette.types import Receive

from api import notice_page
from api.execute import GraphQLService
from api.headers import Headers
from api.notice_page import CHECKBOXES, FIELDS, HEADERS, Filled
from api.responses import status_and_headers
from api.transports.http import read_body
from commands import notices
from commands.notices import NoticeContent, NoticeReceipt
from domain.errors import BadCursor, BadInput, NotServed, PlauditError, RateLimited, Refused, Unavailable, UserErrorCode
from state import State

PATH = "/notice"
_SCOPE = "notice form"
_COOKIE = "plaudit_notice"
_LIFE_S = 7200
"""Seconds for which a form can be sent."""
_MOST_BYTES = 65_536
_MOST_FIELDS = 20
_NUMBER = re.compile(r"[1-9][0-9]{11,18}")
"""The form of the random number of a browser. Shorter ones, which are too easy to guess, are replaced."""
_COST = 50
"""The points that one notice costs, as many as a refused request."""
_FIELD_OF = {"targetId": "target", "goodFaith": "good_faith"}
"""The names of the form's fields for fields of the mutation that have other names."""


class NoticeForm:
    """The handler of the form of a process."""

    def __init__(self, state: State, service: GraphQLService) -> None:
        self._state, self._service = state, service

    async def show(self, headers: Headers, query: str, ip: str | None) -> Response:
        """Returns the page with an empty form. The query string may have the values of fields, such as `target`.
        Charges the network address for the page.
        """
        texts = notice_page.language(",".join(headers.all("accept-language")))
        try:
            given = _values(query)
        except NotServed:
            given = {}
        try:
            with self._service.time_limit():
                await self._service.charge_address(ip)
        except TimeoutError:
            return self._form(headers, texts, given, {}, "unavailable", 503)
        except PlauditError as error:
            return self._refusal(headers, texts, given, error)
        return self._form(headers, texts, given, {}, None, 200)

    async def receive(self, headers: Headers, receive: Receive, ip: str | None) -> Response:
        """Stores the notice of a sent form. Returns the page with the receipt, or the form with what is wrong."""
        texts = notice_page.language(",".join(headers.all("accept-language")))
        values: Mapping[str, str] = {}
        try:
            values = await self._read(headers, receive, ip)
            nonce = self._nonce(headers, values)
            if nonce is None:
                await self._service.charge_address(ip)
                return self._form(headers, texts, values, {}, "expired", 403)
            with self._service.time_limit():
                receipt = await self._send(headers, ip, values, nonce)
        except Refused as refused:
            errors = {_field(error.field): error.code.value for error in refused.errors}
            return self._form(headers, texts, values, errors, None, 422)
        except TimeoutError:
            return self._form(headers, texts, values, {}, "unavailable", 503)
        except PlauditError as error:
            return self._refusal(headers, texts, values, error)
        return HTMLResponse(notice_page.receipt(texts, *receipt), headers=HEADERS)

    async def _read(self, headers: Headers, receive: Receive, ip: str | None) -> dict[str, str]:
        """Returns the fields of a sent form. Raises NotServed, after charging the address, if it cannot be read."""
        try:
            _check_media_type(headers)
            body = await read_body(headers, receive, _MOST_BYTES, self._service.body_time_limit)
            return _values(body.decode())
        except (NotServed, UnicodeDecodeError) as error:
            await self._service.charge_address(ip)
            raise error if isinstance(error, NotServed) else NotServed("The form is not UTF-8.", 400) from error

    def _nonce(self, headers: Headers, values: Mapping[str, str]) -> int | None:
        """Returns the random part of the token of a sent form; None if this deployment has not made the token for this
        browser, or too long ago.
        """
        try:
            made_ms, browser, nonce = self._state.cursors.open(_SCOPE, values.get("token", ""))
        except (BadCursor, ValueError):
            return None
        is_same = any(secrets.compare_digest(value.encode(), str(browser).encode()) for value in _cookies(headers))
        return nonce if is_same and 0 <= self._state.now_ms() - made_ms <= _LIFE_S * 1000 else None

    async def _send(self, headers: Headers, ip: str | None, values: Mapping[str, str], nonce: int) -> NoticeReceipt:
        """Charges the caller, and stores the notice."""
        context = await self._service.context(headers, ip)
        try:
            await self._service.charge_write(context, "notices", _COST)
            await context.catch_up()
            content = NoticeContent(
                *(values.get("explanation", ""), values.get("law", ""), values.get("name"), values.get("email")),
                good_faith="good_faith" in values,
                unnamed="unnamed" in values,
            )
            target, key = values.get("target", "").strip(), f"form-{nonce}"
            try:
                return await notices.notice(context, target, content, values.get("proof"), key)
            except BadInput as error:
                raise _unknown_target() from error
        finally:
            context.release()

    def _form(
        self,
        headers: Headers,
        texts: Mapping[str, str],
        values: Mapping[str, str],
        errors: Mapping[str, str],
        message: str | None,
        status: int,
    ) -> Response:
        """Returns the page with the form and a new token. The cookie of the response belongs to this token. The cookie
        keeps the number that the browser has, so that its other forms stay valid.
        """
        browser = next((int(one) for one in _cookies(headers) if _NUMBER.fullmatch(one)), None) or secrets.randbits(62)
        token = self._state.cursors.seal(_SCOPE, self._state.now_ms(), browser, secrets.randbits(62))
        checked = frozenset(name for name in CHECKBOXES if name in values)
        filled = Filled({name: values.get(name, "") for name in FIELDS}, checked, token)
        response = HTMLResponse(notice_page.form(texts, filled, errors, message), status, HEADERS)
        is_secure = self._state.settings.env == "production"
        response.set_cookie(
            *(_COOKIE, str(browser)), max_age=_LIFE_S, path=PATH, secure=is_secure, httponly=True, samesite="strict"
        )
        return response

    def _refusal(
        self, headers: Headers, texts: Mapping[str, str], values: Mapping[str, str], error: PlauditError
    ) -> Response:
        status, more = status_and_headers(error)
        names = {RateLimited: "limited", Unavailable: "unavailable"}
        message = next((name for kind, name in names.items() if isinstance(error, kind)), "bad")
        response = self._form(headers, texts, values, {}, message, status)
        response.headers.update(more)
        return response


def _cookies(headers: Headers) -> list[str]:
    """Returns the values of the form's cookie in a request; normally one, or none."""
    cookies = [part.strip().partition("=") for value in headers.all("cookie") for part in value.split(";")]
    return [value for name, _, value in cookies if name == _COOKIE]


def _check_media_type(headers: Headers) -> None:
    media_type = (headers.single("content-type") or "").partition(";")[0].strip().lower()
    if media_type != "application/x-www-form-urlencoded":
        raise NotServed("Send the form as application/x-www-form-urlencoded.", 415)


def _unknown_target() -> Refused:
    return Refused.because(UserErrorCode.TARGET_NOT_FOUND, "There is no object with this id.", "targetId")


def _values(encoded: str) -> dict[str, str]:
    """Returns the fields of a form by name. Raises NotServed if there are too many, or if they are not UTF-8."""
    try:
        pairs = parse_qsl(encoded, keep_blank_values=False, errors="strict", max_num_fields=_MOST_FIELDS)
    except ValueError as error:
        raise NotServed("The form cannot be read.", 400) from error
    return {name: value for name, value in pairs if name in (*FIELDS, *CHECKBOXES, "token")}


def _field(path: tuple[str, ...] | None) -> str:
    name = path[0] if path else "target"
    return _FIELD_OF.get(name, name)
