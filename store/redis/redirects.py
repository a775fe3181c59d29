"""Sends commands again that a server of a cluster did not execute, because it does not have all their keys."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from itertools import islice
from typing import Any

from redis import exceptions

from store.backoff import pause
from store.redis.calls import Call, Part
from store.redis.connection import RedisCommand

_MOST = 5
"""How often a command is sent again at most."""
_LONGEST = 1.0
"""The longest pause, in seconds, before a command is sent again."""
_REDIRECTS = (exceptions.AskError, exceptions.TryAgainError)
"""The errors, including MOVED, of a server that has executed nothing because it does not have all keys."""

SendAgain = Callable[[Sequence[RedisCommand], Sequence[Any]], Awaitable[list[Any]]]
"""A function that sends commands again, given the redirect of each. Returns the answer or the error of each."""


def is_redirect(answer: Any) -> bool:
    """Returns whether an answer means that a command was not executed and must be sent again, perhaps elsewhere."""
    return isinstance(answer, _REDIRECTS)


async def deliver(parts: Sequence[Part], answers: Iterable[Any], *, send_again: SendAgain) -> None:
    """Gives callers the answers to the commands in `parts`. If some commands of a caller were redirected, sends these
    again first, through `send_again`. Other callers do not wait for that.
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
    """Sends the redirected commands of a caller again, up to five times with growing pauses. Then gives the caller all
    its answers. The answer to a command that is still redirected is the redirect, which is an error.
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
