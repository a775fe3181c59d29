"""Requests that search for users, and the choice of a user to be found."""

from tests.support.system import Person

DISCOVERABLE = """mutation ($discoverable: Boolean!, $key: String) { setDiscoverable(input: {
  discoverable: $discoverable, idempotencyKey: $key}) { viewer { isDiscoverable } userErrors { code } } }"""
IS_DISCOVERABLE = "{ viewer { isDiscoverable } }"


async def set_discoverable(person: Person, discoverable: bool) -> None:
    """Sets whether searches find a person, which must succeed."""
    payload = (await person.ask(DISCOVERABLE, discoverable=discoverable))["setDiscoverable"]
    assert payload == {"viewer": {"isDiscoverable": discoverable}, "userErrors": []}
