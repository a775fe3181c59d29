"""Makes accounts private and public."""

from tests.support.system import Person

PRIVATE = "mutation { updateProfile(input: {isPrivate: true}) { user { isPrivate } userErrors { code } } }"


async def make_private(person: Person) -> None:
    """Makes the account of a person private."""
    assert (await person.ask(PRIVATE))["updateProfile"] == {"user": {"isPrivate": True}, "userErrors": []}


async def make_public(person: Person) -> None:
    """Makes the account of a person public."""
    public = PRIVATE.replace("true", "false")
    assert (await person.ask(public))["updateProfile"] == {"user": {"isPrivate": False}, "userErrors": []}
