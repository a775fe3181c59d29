"""Requests that follow and unfollow."""

from typing import Any

from tests.support.system import Person, System

FOLLOW = """mutation ($id: ID!, $key: String) { %s(input: {userId: $id, idempotencyKey: $key}) {
  user { id handle followerCount friendCount viewerRelation }
  viewer { user { handle followingCount friendCount } } userErrors { code field } } }"""
FOLLOW_BRIEF = "mutation ($id: ID!) { %s(input: {userId: $id}) { userErrors { code } } }"


async def change(person: Person, verb: str, user_id: str, key: str | None = None) -> Any:
    """Returns the payload of follow or unfollow."""
    return (await person.ask(FOLLOW % verb, id=user_id, key=key))[verb]


async def follow(person: Person, *user_ids: str) -> None:
    """Follows users by id, in this order. Every request must succeed."""
    for user_id in user_ids:
        assert (await change(person, "follow", user_id))["userErrors"] == []


async def unfollow(person: Person, *user_ids: str) -> None:
    """Unfollows users by id. Every request must succeed."""
    for user_id in user_ids:
        assert (await change(person, "unfollow", user_id))["userErrors"] == []


async def registered(system: System, *handles: str) -> list[str]:
    """Registers up to a hundred people by handle. Returns their ids."""
    payload = await system.person("registrar", "users:write").ask(
        "mutation ($u: [UserInput!]!) { registerUsers(users: $u) { users { id } } }",
        u=[{"externalId": handle, "handle": handle} for handle in handles],
    )
    return [user["id"] for user in payload["registerUsers"]["users"]]


def refusal(payload: Any) -> tuple[str, list[str] | None]:
    """Returns code and field of a payload's one user error."""
    assert payload["user"] is None
    (error,) = payload["userErrors"]
    return error["code"], error["field"]


async def id_of(person: Person) -> str:
    found = (await person.ask("query ($h: String!) { user(handle: $h) { id } }", h=person.handle))["user"]["id"]
    return str(found)


async def follow_people(follower: Person, *followees: Person, verb: str = "follow") -> None:
    for followee in followees:
        await followee.ask("{ viewer { id } }")
        payload = await follower.ask(FOLLOW_BRIEF % verb, id=await id_of(followee))
        assert payload[verb]["userErrors"] == []
