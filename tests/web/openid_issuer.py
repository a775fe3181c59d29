"""An OpenID Connect issuer on loopback that works as Keycloak does: discovery, a login page, the authorization code
flow with PKCE for one public client, refresh tokens that are used once, keys, and a sign-out.
"""

import base64
import hashlib
import html
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt

from runner.ports import free_port
from tests.support.identity_provider import KEYS

_CLIENT = "plaudit-moderation"
_AUDIENCE = "plaudit"
_BASE = "/realms/staff"
_PATHS = {
    "authorization_endpoint": "/protocol/openid-connect/auth",
    "token_endpoint": "/protocol/openid-connect/token",
    "jwks_uri": "/protocol/openid-connect/certs",
    "end_session_endpoint": "/protocol/openid-connect/logout",
}
_LOGIN = """<!doctype html><title>Sign in to staff</title><h1>Staff</h1><p>{problem}</p>
<form method="post"><label>Username <input name="username"></label><button>Sign In</button></form>"""


class _Refused(Exception):
    """The issuer refuses a request to its token endpoint. The argument is the error code of OAuth."""


class OpenIdIssuer:
    """People sign in with their username alone. Tests change the attributes while the issuer runs."""

    def __init__(self) -> None:
        self.people: dict[str, tuple[str, list[str]]] = {}
        """The name and the realm roles of each user, by username."""
        self.token_seconds = 300
        """How long access tokens are valid."""
        self.told_seconds: int | None = None
        """How long clients are told that access tokens are valid; None: the truth."""
        self.state: str | None = None
        """The state in all answers; None: that of the request."""
        self.nonce: str | None = None
        """The nonce of all ID tokens; None: that of the request."""
        self.redirect_uri = ""
        """The page of the client, which alone gets answers, and whose origin alone may call the token endpoint."""
        self.grants: list[str] = []
        """The grant of each successful token request, in order."""
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}{_BASE}"
        self._codes: dict[str, dict[str, str]] = {}
        self._refreshing: dict[str, tuple[str, str]] = {}
        self._sessions: dict[str, str] = {}
        """The username of each session, by the value of its cookie."""
        self._server: ThreadingHTTPServer | None = None
        self._lock = threading.Lock()

    def start(self) -> None:
        """Answers requests until `stop`."""
        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), type("Handler", (_Handler,), {"issuer": self}))
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def stop(self) -> None:
        """Closes the port. Sessions and tokens stay valid."""
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def end_sessions(self) -> None:
        """Signs everybody out, as an administrator does."""
        with self._lock:
            self._sessions.clear()
            self._refreshing.clear()

    def user_of(self, cookie: str | None) -> str | None:
        """Returns the username of the session that a request's cookie names."""
        found = SimpleCookie(cookie or "").get("SESSION")
        return self._sessions.get(found.value) if found else None

    def sign_in(self, username: str) -> str | None:
        """Begins a session. Returns the value of its cookie; None for an unknown username."""
        if username not in self.people:
            return None
        session = secrets.token_urlsafe()
        self._sessions[session] = username
        return session

    def authorize(self, query: dict[str, str], username: str, session: str) -> str:
        """Returns the address of the client with a code. Raises ValueError for a request that the client may not
        make.
        """
        if query.get("client_id") != _CLIENT or query.get("redirect_uri") != self.redirect_uri:
            raise ValueError("Invalid parameter: redirect_uri")
        if query.get("response_type") != "code" or query.get("code_challenge_method") != "S256":
            raise ValueError("Missing parameter: code_challenge_method")
        code = secrets.token_urlsafe()
        self._codes[code] = query | {"username": username, "session": session}
        answer = {"state": self.state or query["state"], "session_state": session, "iss": self.url, "code": code}
        return f"{self.redirect_uri}?{urlencode(answer)}"

    def tokens(self, form: dict[str, str]) -> dict[str, Any]:
        """Returns the answer of the token endpoint. Raises _Refused."""
        if form.get("client_id") != _CLIENT:
            raise _Refused("invalid_client")
        with self._lock:
            if form["grant_type"] == "authorization_code":
                asked = self._codes.pop(form["code"], None)
                if asked is None or form.get("redirect_uri") != asked["redirect_uri"]:
                    raise _Refused("invalid_grant")
                digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
                if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != asked["code_challenge"]:
                    raise _Refused("invalid_grant")
                username, session, nonce = asked["username"], asked["session"], asked.get("nonce")
            elif form["grant_type"] == "refresh_token":
                found = self._refreshing.pop(form["refresh_token"], None)
                if found is None or found[1] not in self._sessions:
                    raise _Refused("invalid_grant")
                (username, session), nonce = found, None
            else:
                raise _Refused("unsupported_grant_type")
            refresh = secrets.token_urlsafe()
            self._refreshing[refresh] = username, session
            self.grants.append(form["grant_type"])
        return self._answer(username, nonce) | {"refresh_token": refresh, "session_state": session}

    def _answer(self, username: str, nonce: str | None) -> dict[str, Any]:
        name, roles = self.people[username]
        now = int(time.time())
        person = {"iss": self.url, "sub": f"id-of-{username}", "iat": now, "azp": _CLIENT}
        profile = {"preferred_username": username, "name": name, "scope": "openid profile"}
        access = {"exp": now + self.token_seconds, "aud": [_AUDIENCE, "account"], "realm_access": {"roles": roles}}
        identity = {"exp": now + 300, "aud": _CLIENT, "nonce": self.nonce or nonce}
        told = self.token_seconds if self.told_seconds is None else self.told_seconds
        return {
            "access_token": _signed(person | profile | access | {"typ": "Bearer"}),
            "id_token": _signed(person | {key: value for key, value in identity.items() if value is not None}),
            "token_type": "Bearer",
            "expires_in": told,
            "scope": "openid profile",
        }

    def sign_out(self, query: dict[str, str], cookie: str | None) -> str:
        """Ends the session of the user in `id_token_hint`. Returns the address of the client. Raises ValueError for
        another address.
        """
        if query.get("post_logout_redirect_uri") != self.redirect_uri:
            raise ValueError("Invalid redirect uri")
        hint = jwt.decode(query["id_token_hint"], options={"verify_signature": False})
        assert hint["aud"] == _CLIENT
        with self._lock:
            ended = {one for one, username in self._sessions.items() if f"id-of-{username}" == hint["sub"]}
            self._sessions = {one: username for one, username in self._sessions.items() if one not in ended}
        assert self.user_of(cookie) is None
        return self.redirect_uri

    def discovery(self) -> dict[str, Any]:
        """Returns the discovery document."""
        return {"issuer": self.url, **{name: f"{self.url}{path}" for name, path in _PATHS.items()}}


def _signed(claims: dict[str, Any]) -> str:
    return jwt.encode(claims, KEYS["RS256"], algorithm="RS256", headers={"kid": "k1"})


def _flat(text: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(text, keep_blank_values=True).items()}


class _Handler(BaseHTTPRequestHandler):
    issuer: OpenIdIssuer

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        path, query, cookie = parts.path.removeprefix(_BASE), _flat(parts.query), self.headers.get("Cookie")
        if path == "/.well-known/openid-configuration":
            self._json(200, self.issuer.discovery())
        elif path == _PATHS["jwks_uri"]:
            key = jwt.get_algorithm_by_name("RS256").to_jwk(KEYS["RS256"].public_key(), as_dict=True)
            self._json(200, {"keys": [dict(key) | {"kid": "k1", "use": "sig", "alg": "RS256"}]})
        elif path == _PATHS["authorization_endpoint"]:
            username = self.issuer.user_of(cookie)
            self._page("") if username is None else self._authorize(query, username, cookie)
        elif path == _PATHS["end_session_endpoint"]:
            self._redirect(lambda: self.issuer.sign_out(query, cookie))
        else:
            self._send(204 if path == "/favicon.ico" else 404, b"")

    def do_POST(self) -> None:
        parts = urlsplit(self.path)
        form = _flat(self.rfile.read(int(self.headers["Content-Length"])).decode())
        if parts.path == f"{_BASE}{_PATHS['token_endpoint']}":
            try:
                self._json(200, self.issuer.tokens(form))
            except _Refused as refused:
                self._json(400, {"error": str(refused), "error_description": "Code or token not valid"})
        elif parts.path == f"{_BASE}{_PATHS['authorization_endpoint']}":
            session = self.issuer.sign_in(form.get("username", ""))
            if session is None:
                self._page("Invalid username or password.")
            else:
                cookie = f"SESSION={session}"
                self._authorize(_flat(parts.query), form["username"], cookie)
        else:
            self._send(404, b"")

    def _authorize(self, query: dict[str, str], username: str, cookie: str | None) -> None:
        session = SimpleCookie(cookie or "")["SESSION"].value
        self._redirect(lambda: self.issuer.authorize(query, username, session), f"SESSION={session}; Path=/; HttpOnly")

    def _redirect(self, target: Any, cookie: str | None = None) -> None:
        try:
            headers = {"Location": target()}
        except ValueError as error:
            return self._send(400, f"<h1>We are sorry...</h1><p>{html.escape(str(error))}</p>".encode())
        return self._send(302, b"", headers | ({"Set-Cookie": cookie} if cookie else {}))

    def _page(self, problem: str) -> None:
        self._send(200, _LOGIN.format(problem=problem).encode(), {"Content-Type": "text/html; charset=utf-8"})

    def _json(self, status: int, answer: Any) -> None:
        origin = "{0.scheme}://{0.netloc}".format(urlsplit(self.issuer.redirect_uri))
        headers = {"Content-Type": "application/json", "Access-Control-Allow-Origin": origin}
        self._send(status, json.dumps(answer).encode(), headers)

    def _send(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        sent = {**(headers or {}), "Content-Length": str(len(body)), "Cache-Control": "no-store"}
        for name, value in sent.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@contextmanager
def issuing() -> Iterator[OpenIdIssuer]:
    """Runs an issuer without users."""
    issuer = OpenIdIssuer()
    issuer.start()
    try:
        yield issuer
    finally:
        issuer.stop()
