"""Fields of posts that announce entities: comments and their settings are those of the entity."""

from collections.abc import Awaitable, Callable, Sequence
from inspect import isawaitable
from typing import Any

from commands import targets
from context import Context

Resolve = Callable[..., Sequence[Any] | Awaitable[Sequence[Any]]]


def of_content(resolve: Resolve) -> Resolve:
    """Returns a resolver that calls `resolve` with the entity in the place of each post that announces it. Without such
    posts, it only calls `resolve`.
    """

    def resolved(context: Context, rows: Sequence[Any], **arguments: Any) -> Sequence[Any] | Awaitable[Sequence[Any]]:
        if not any(targets.announced(row) for row in rows):
            return resolve(context, rows, **arguments)
        return _resolved(context, rows, arguments)

    async def _resolved(context: Context, rows: Sequence[Any], arguments: dict[str, Any]) -> Sequence[Any]:
        found = resolve(context, await targets.contents(context, rows), **arguments)
        return await found if isawaitable(found) else found

    return resolved
