"""A client that uses one API until that fails, then the next, and repeats every write until it is acknowledged."""

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import httpx

from tests.support.system import Person

TRY_AGAIN = {"UNAVAILABLE", "RATE_LIMITED"}
_PATIENCE = 60
"""Seconds."""


class Answer(NamedTuple):
    """The value of a response's field, and whether the response is complete."""

    value: Any
    whole: bool


@dataclass
class Client:
    """A client of one person. It uses one API at a time and records forbidden responses in `broken`."""

    person: Person
    http: Sequence[httpx.AsyncClient]
    broken: list[str]
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
    return Answer(value, "degraded" not in (body.get("extensions") or {}))
