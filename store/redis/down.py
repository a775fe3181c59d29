"""Errors that mean that Redis is down, and how they are translated to `RedisDown`."""

from collections.abc import Awaitable, Callable
from typing import Any

from redis import exceptions

from domain.errors import Unavailable

_DOWN = (
    exceptions.ConnectionError,
    exceptions.TimeoutError,
    exceptions.ClusterError,
    exceptions.AskError,
    exceptions.TryAgainError,
    exceptions.ReadOnlyError,
    exceptions.OutOfMemoryError,
    OSError,
)
_REFUSING = ("MISCONF", "NOREPLICAS", "BUSY ")
"""The first words of error replies with which a server says that it cannot serve now. redis-py has no classes for
them. BUSY: a script runs for too long.
"""
_UNREACHABLE = ("Redis Cluster cannot be connected", "All slots are not covered")
"""The first words of redis-py's errors about an unreachable cluster. Their class is also that of programming errors."""


class RedisDown(Unavailable):
    """Raised when Redis does not answer or cannot execute commands. It is then unknown whether a write has happened."""

    reason = "REDIS_DOWN"


class Moved(RedisDown):
    """Raised for a write if the process has missed a change of the write mode, and so of the generation. The write
    changed nothing.
    """


FAILURES = (exceptions.RedisError, exceptions.RedisClusterException, OSError, RedisDown)
"""All errors that a Redis command may raise."""


async def result_or_error(call: Callable[..., Awaitable[Any]], *args: Any) -> Any:
    """Returns the result of a Redis call, or the error that the call raises.

    Takes a function and its arguments instead of a coroutine. So if the running task is cancelled before its first
    step, no coroutine is left that was never awaited.
    """
    try:
        return await call(*args)
    except FAILURES as error:
        return error


def is_down(answer: Any) -> bool:
    """Returns whether an answer or error means that Redis cannot serve now, rather than that the command is wrong."""
    if isinstance(answer, _DOWN):
        return True
    if isinstance(answer, exceptions.RedisClusterException):
        return str(answer).startswith(_UNREACHABLE)
    return isinstance(answer, exceptions.ResponseError) and str(answer).startswith(_REFUSING)


def translated(error: Any) -> Any:
    """Returns a RedisDown in place of an error that means that Redis is down, and any other error unchanged."""
    if not is_down(error):
        return error
    down = RedisDown()
    down.__cause__ = error
    return down
