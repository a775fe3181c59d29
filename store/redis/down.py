"""What it means that Redis does not answer, or answers that it cannot serve."""

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
_REFUSING = ("MISCONF", "NOREPLICAS")
"""How answers begin with which a server says that it cannot serve now, and for which redis-py has no class."""
_UNREACHABLE = ("Redis Cluster cannot be connected", "All slots are not covered")
"""How redis-py begins when it finds no cluster, under the name that it has for our mistakes too."""


class RedisDown(Unavailable):
    """Redis did not answer. For a write this means that nobody knows whether it happened."""

    reason = "REDIS_DOWN"


class Moved(RedisDown):
    """The deployment has gone on to another generation; nothing was changed in this one."""


FAILURES = (exceptions.RedisError, exceptions.RedisClusterException, OSError, RedisDown)
"""Whatever asking Redis may raise."""


async def caught(call: Callable[..., Awaitable[Any]], *args: Any) -> Any:
    """Returns what a call of Redis answers, or the error that it raises.

    The coroutine is made here: a task that is cancelled before its first step leaves none that nobody awaits.
    """
    try:
        return await call(*args)
    except FAILURES as error:
        return error


def is_down(answer: Any) -> bool:
    """Whether an answer means that the server cannot serve, rather than that something is wrong with the command."""
    if isinstance(answer, _DOWN):
        return True
    if isinstance(answer, exceptions.RedisClusterException):
        return str(answer).startswith(_UNREACHABLE)
    return isinstance(answer, exceptions.ResponseError) and str(answer).startswith(_REFUSING)


def translated(error: BaseException) -> BaseException:
    """What whoever asked is told of an error."""
    if not is_down(error):
        return error
    down = RedisDown()
    down.__cause__ = error
    return down
