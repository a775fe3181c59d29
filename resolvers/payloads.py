"""What a mutation answers: its object, or the errors its caller can act on."""

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Generic, TypeVar

from domain.errors import Refused, UserError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Payload(Generic[T]):
    """Either `subject`, or `user_errors` and nothing has changed. The subject may be why it cannot be read just now."""

    subject: T | None
    user_errors: tuple[UserError, ...] = ()


async def payload(command: Awaitable[T]) -> Payload[T]:
    """Runs a command; what it refuses becomes the payload's errors."""
    try:
        return Payload(await command)
    except Refused as refused:
        return Payload(None, refused.errors)
