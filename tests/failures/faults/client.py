"""A client that uses one API until that fails, then the next, and repeats every write until it is acknowledged."""

import asyncio
import math
import random
import re
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import httpx

from tests.support.system import Api, Person

TRY_AGAIN = {"UNAVAILABLE", "RATE_LIMITED"}
_PATIENCE = 60
"""Seconds."""
_POSITION_SECONDS = 2.0
_MUTATION = re.compile(r"\{\s*(\w+)\(")


class Violations(list[str]):
    """Violations as sentences with their time in seconds since the Unix epoch, to compare with the times of faults."""

    def __init__(self) -> None:
        super().__init__()
        self.acknowledged = Counter[str]()
        """The number of acknowledged requests of each mutation."""

    def append(self, sentence: str) -> None:
        super().append(f"{time.time():.3f} {sentence}")


@dataclass
class PatientPerson(Person):
    """A person who repeats requests while the API is unavailable, as on a busy machine. For two seconds after a write,
    sends the position that the API has returned, as client kits do if there are two sites.
    """

    position: tuple[int, ...] = ()
    written_at: float = -math.inf
    """When a position has arrived, by the monotonic clock."""

    async def send(self, query: str, **variables: Any) -> httpx.Response:
        """Returns the raw response."""
        request: dict[str, Any] = {"query": query, "variables": variables}
        if time.monotonic() - self.written_at < _POSITION_SECONDS:
            request["extensions"] = {"position": ".".join(map(str, self.position))}
        response = await self.http.post("/graphql", json=request, headers=self.headers)
        if b'"position"' in response.content:
            new = [int(part) for part in response.json()["extensions"]["position"].split(".")]
            self.position = tuple(map(max, new, self.position)) if self.position else tuple(new)
            self.written_at = time.monotonic()
        return response

    async def ask(self, query: str, **variables: Any) -> Any:
        """Returns `data` of a complete response. No other errors may occur. Raises TimeoutError after a minute."""
        async with asyncio.timeout(_PATIENCE):
            while True:
                with suppress(httpx.TransportError):
                    body = (await self.send(query, **variables)).json()
                    codes = {error["extensions"]["code"] for error in body.get("errors", [])}
                    if not codes and _is_whole(body):
                        return body["data"]
                    assert codes <= TRY_AGAIN, body
                await asyncio.sleep(0.1)


class PatientApi(Api):
    """An API whose persons are patient."""

    def person(self, handle: str | None, *scopes: str, **headers: str) -> Person:
        """Returns a client with a token signed by the shared secret; None is an anonymous client."""
        person = super().person(handle, *scopes, **headers)
        return PatientPerson(person.http, person.handle, person.headers)


class Answer(NamedTuple):
    """The value of a response's field, and whether the response is complete."""

    value: Any
    whole: bool


@dataclass
class Client:
    """A client of one person. It uses one API at a time and records forbidden responses in `broken`."""

    person: Person
    http: Sequence[httpx.AsyncClient]
    broken: Violations
    repeated: list[str] = field(default_factory=list)
    """The names of repeated writes."""

    @property
    def handle(self) -> str:
        return self.person.handle

    async def read(self, query: str, /, **variables: Any) -> Answer | None:
        """Returns the one field of a query, None if the API did not answer."""
        body = await self._body(query, variables)
        return None if body is None or "errors" in body else _answer(body)

    async def insist(self, name: str, query: str, /, *refusals: str, **variables: Any) -> Answer | None:
        """Repeats a named write for up to a minute. Returns its response, None without response. Records the refusals
        whose codes are not in `refusals`.
        """
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            used = self.person.http
            body = await self._body(query, variables) or {}
            answer = _answer(body)
            if answer.value is not None:
                found = {error["code"] for error in answer.value["userErrors"]}
                if not found <= {*refusals}:
                    self.broken.append(f"{name} of {self.handle} was answered with {found}")
                if not found and (mutation := _MUTATION.search(query)):
                    self.broken.acknowledged[mutation[1]] += 1
                return answer
            codes = {error["extensions"]["code"] for error in body.get("errors", [])}
            if not codes <= TRY_AGAIN:
                self.broken.append(f"{name} of {self.handle} was answered with {codes}")
            self.repeated.append(name)
            if self.person.http is used:
                self.person.http = self.http[self.http.index(used) - 1]
            await asyncio.sleep(random.uniform(0.02, 0.2))
        return None

    async def _body(self, query: str, variables: dict[str, Any]) -> dict[str, Any] | None:
        """Returns the body of a GraphQL response, None if no response arrived."""
        try:
            response = await self.person.send(query, **variables)
            body: dict[str, Any] = response.json()
        except (httpx.TransportError, ValueError):
            return None
        return body


def _answer(body: dict[str, Any]) -> Answer:
    value = next(iter((body.get("data") or {}).values()), None)
    return Answer(value, _is_whole(body))


def _is_whole(body: dict[str, Any]) -> bool:
    """Returns whether a response is complete and not stale, as far as it says."""
    return not {"degraded", "stale"} & (body.get("extensions") or {}).keys()
