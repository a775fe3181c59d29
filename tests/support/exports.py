"""Requests and downloads exports of accounts."""

from collections.abc import Sequence
from typing import Any

import httpx
import orjson

from tests.support.system import Person

REQUEST = """mutation ($user: ID) { exportUser(input: {userId: $user}) {
  export { state requestedAt url expiresAt } userErrors { code message field } } }"""
LAST = "{ viewer { export { state requestedAt url expiresAt } } }"


async def request(person: Person, user_id: str | None = None) -> Any:
    """Returns the payload of exportUser."""
    return (await person.ask(REQUEST, user=user_id))["exportUser"]


async def requested(person: Person, user_id: str | None = None) -> str:
    """Requests an export, which must succeed. Returns its URL."""
    payload = await request(person, user_id)
    assert payload["userErrors"] == []
    return str(payload["export"]["url"])


async def downloaded(person: Person) -> httpx.Response:
    """Requests the export of a person and downloads it."""
    response = await person.http.get(await requested(person))
    assert response.status_code == 200, response.text
    return response


def records_in(content: bytes) -> list[dict[str, Any]]:
    """Returns the records of a complete export of one person, without the record `end`, which is checked."""
    *records, end = [orjson.loads(line) for line in content.splitlines()]
    assert end == {"kind": "end", "records": len(records)}
    return records


def of_kind(records: Sequence[dict[str, Any]], kind: str, *left_out: str) -> list[dict[str, Any]]:
    """Returns the records of a kind, without the fields `kind` and `left_out`."""
    out = {"kind", *left_out}
    return [
        {name: value for name, value in record.items() if name not in out}
        for record in records
        if record["kind"] == kind
    ]
