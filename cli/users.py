"""Finds the user that an operator names on the command line."""

from domain import handles
from domain.errors import BadInput
from domain.ids import UserId, parse_id
from state import State
from store.people import held_handles, users


async def id_of(state: State, person: str) -> int:
    """Returns the number of the user with a handle, an id such as `User:7`, or a number. Raises LookupError if there is
    no such user.
    """
    number = await _number(state, person)
    if not await users.by_id(state.postgres, [number]):
        raise LookupError(f"There is no user {person}.")
    return number


async def _number(state: State, person: str) -> int:
    """Returns the number that a text stands for; 0 if it stands for none."""
    handle = handles.canonical(person)
    if handle and (holder := (await held_handles.holders(state.postgres, [handle])).get(handle)):
        return holder
    if person.isdecimal():
        return int(person)
    try:
        parsed = parse_id(person)
    except BadInput:
        return 0
    return parsed.id if isinstance(parsed, UserId) else 0
