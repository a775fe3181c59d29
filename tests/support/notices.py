"""Sends notices, and reads what became of them, through the API."""

from typing import Any

from tests.support.system import Person

NOTICE = """mutation ($input: NoticeInput!) {
  notice(input: $input) { receipt { number receivedAt } userErrors { code field } } }"""
STATUS = """query ($number: String!) {
  noticeStatus(number: $number) { state receivedAt decidedAt decision } }"""
QUEUE = """query ($sort: CaseOrder!, $source: ModerationSource) { moderationQueue(sort: $sort, source: $source) {
  edges { node { id } case { sources reportCount
    notices { number law explanation name email isTrusted receivedAt } } } } }"""


def notice_input(target_id: str, **changes: Any) -> dict[str, Any]:
    """Returns a valid input of `notice`, with these changes."""
    said = {"explanation": "It sells forged passports.", "law": "Criminal Code, section 275"}
    return {"targetId": target_id, **said, "name": "Nora", "email": "nora@example.org", "goodFaith": True} | changes


async def send(person: Person, target_id: str, **changes: Any) -> Any:
    """Returns the payload of `notice`."""
    return (await person.ask(NOTICE, input=notice_input(target_id, **changes)))["notice"]


async def sent(person: Person, target_id: str, **changes: Any) -> str:
    """Sends a notice, which must succeed. Returns the number of its receipt."""
    payload = await send(person, target_id, **changes)
    assert payload["userErrors"] == []
    return str(payload["receipt"]["number"])


async def status(person: Person, number: str) -> Any:
    """Returns what `noticeStatus` says about a notice."""
    return (await person.ask(STATUS, number=number))["noticeStatus"]


async def queue(moderator: Person, sort: str = "OLDEST", source: str | None = None) -> dict[str, Any]:
    """Returns the cases of the first page of the moderation queue, by target."""
    edges = (await moderator.ask(QUEUE, sort=sort, source=source))["moderationQueue"]["edges"]
    return {edge["node"]["id"]: edge["case"] for edge in edges}
