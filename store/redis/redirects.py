"""Commands that a server of a cluster did not execute because it does not have all keys of the command."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from itertools import islice
from typing import Any

from redis import exceptions

from store.backoff import pause
from store.redis.calls import Call, Part
from store.redis.connection import RedisCommand

_MOST = 5
"""How often a command is sent again."""
_LONGEST = 1.0
"""The longest pause, in seconds, before a command is sent again."""
_REDIRECTS = (exceptions.AskError, exceptions.TryAgainError)
"""The errors, including MOVED, of a server that has executed nothing because it does not have all keys."""

SendAgain = Callable[[Sequence[RedisCommand], Sequence[Any]], Awaitable[list[Any]]]
"""Sends commands again, given their redirects. Returns the answer or the error of each."""


def is_redirect(answer: Any) -> bool:
    """Returns whether an answer means that a command was not executed and must be sent again, perhaps elsewhere."""
    return isinstance(answer, _REDIRECTS)


async def deliver(parts: Sequence[Part], answers: Iterable[Any], *, send_again: SendAgain) -> None:
    """Gives callers the answers of the commands in `parts`. A caller with redirected commands gets its answers after
    these commands were sent again; other callers do not wait for that.
    """
    left, redirected = iter(answers), []
    for call, positions in parts:
        own = list(islice(left, len(positions)))
        if any(map(is_redirect, own)):
            redirected.append(_follow(call, positions, own, send_again))
        else:
            call.receive(positions, own)
    await asyncio.gather(*redirected)


async def _follow(call: Call, positions: Sequence[int], answers: list[Any], send_again: SendAgain) -> None:
    """Sends redirected commands of a caller again, with growing pauses, and then gives the caller all its answers. A
    redirect stays the answer if the move of the slot does not finish.
    """
    try:
        for attempt in range(_MOST):
            again = [i for i, answer in enumerate(answers) if is_redirect(answer)]
            if not again:
                break
            if attempt:
                await asyncio.sleep(pause(attempt, _LONGEST))
            commands = [call.commands[positions[i]] for i in again]
            for i, answer in zip(again, await send_again(commands, [answers[i] for i in again]), strict=True):
                answers[i] = answer
    except BaseException as error:  # noqa: BLE001 - the caller must get an answer even if this task is cancelled
        answers = [error] * len(answers)
    call.receive(positions, answers)
