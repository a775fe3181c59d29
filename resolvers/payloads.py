"""Mutation payloads: the changed object, or the user errors."""

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Generic, TypeVar

from domain.errors import Refused, UserError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Payload(Generic[T]):
    """The result of a mutation: `subject` on success, `user_errors` if it was refused and nothing changed.

    After a success `subject` may be an exception: the change was made, but the object cannot be read now.
    """

    subject: T | None
    user_errors: tuple[UserError, ...] = ()


async def payload(command: Awaitable[T]) -> Payload[T]:
    """Runs a command. Returns a payload with the command's result, or with the errors of the exception Refused."""
    try:
        return Payload(await command)
    except Refused as refused:
        return Payload(None, refused.errors)
