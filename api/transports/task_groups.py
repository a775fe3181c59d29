"""Task groups of streaming connections."""

import asyncio
from types import TracebackType


class ConnectionTasks(asyncio.TaskGroup):
    """A task group that leaves no reference cycle when it ends with an exception, as every connection does.

    In Python 3.11, the frame that raises the exception group refers to the group, and so keeps the whole connection
    until the garbage collector runs. For objects that have existed for long, that takes hours.
    """

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        try:
            await super().__aexit__(kind, error, where)
        except BaseExceptionGroup as group:
            raise group.with_traceback(None) from None
