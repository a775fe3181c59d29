"""The commands of one caller in a pipeline, and how their answers come back to the caller."""

import asyncio
import itertools
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any, TypeVar

from observability import metrics
from store.redis.connection import RedisCommand, are_plain
from store.redis.down import RedisDown, translated

FIRST = itemgetter(0)
T = TypeVar("T")
ScriptCall = tuple[Sequence[str], Sequence[Any]]
"""The keys and arguments of one call of a script."""


def resolved(answer: T) -> "asyncio.Future[T]":
    """Returns a future that is already done, for an answer that needs no command."""
    future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
    future.set_result(answer)
    return future


class Call:
    """The commands of one caller that wait to be sent in a pipeline. The result of `future` is what `read` returns for
    the list of all answers; if an answer is an error, `future` raises it. With `write`, commands that a server does not
    answer are not sent again. With `partly`, a server that is down causes no error: None stands for its answers.
    """

    __slots__ = ("answers", "commands", "future", "missing", "partly", "read", "usage", "write")

    def __init__(
        self, commands: Sequence[RedisCommand], write: bool, read: Callable[[list[Any]], Any], partly: bool = False
    ) -> None:
        self.commands = commands
        self.write = write
        self.read = read
        self.partly = partly
        self.future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.usage = metrics.usage.get()
        self.answers: list[Any] = []
        self.missing = len(commands)

    def receive(self, positions: Sequence[int], answers: list[Any]) -> None:
        """Takes the answers to the commands at these positions. Once all answers are there, completes the future with
        the result, or with the first error among the answers.
        """
        self.missing -= len(answers)
        if self.missing or self.answers:  # several servers answer
            self.answers = self.answers or [None] * len(self.commands)
            for i, answer in zip(positions, answers, strict=True):
                self.answers[i] = answer
            answers = self.answers
        if self.missing or self.future.done():
            return
        error = None if are_plain(answers) else next(filter(_is_error, answers), None)
        if error and self.partly:
            answers = [None if isinstance(translated(answer), RedisDown) else answer for answer in answers]
            error = next(filter(_is_error, answers), None)
        try:
            if error is None:
                self.future.set_result(self.read(answers))
                return
        except Exception as unreadable:  # noqa: BLE001 - it concerns this caller, not the others of the pipeline
            error = unreadable
        self.fail(translated(error))

    def fail(self, error: BaseException) -> None:
        """Completes the future with an error. Also retrieves the error, so that asyncio does not report it if the
        caller no longer waits.
        """
        self.future.set_exception(error)
        self.future.exception()


def _is_error(answer: Any) -> bool:
    return isinstance(answer, BaseException)


Part = tuple[Call, Sequence[int]]
"""The commands of a call that go to one server: the call, and the positions of these commands in it."""


def parts_of(calls: Sequence[Call], groups: Sequence[Sequence[int]]) -> Iterable[Sequence[Part]]:
    """Returns, for each server, the parts of the calls that go to it. `groups` has, for each server, the positions of
    its commands in the list of the commands of all calls.
    """
    owners = [(call, i) for call in calls for i in range(len(call.commands))]
    each = (itertools.groupby((owners[i] for i in group), key=FIRST) for group in groups)
    return [[(call, [i for _, i in some]) for call, some in parts] for parts in each]
