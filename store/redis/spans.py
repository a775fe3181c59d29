"""OpenTelemetry spans of the Redis pipelines that are sent for traced requests and batches."""

from collections.abc import Coroutine, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from observability import tracing
from store.groups import grouped
from store.redis.calls import Part
from store.redis.connection import RedisCommand
from store.scripts import SCRIPTS

if TYPE_CHECKING:
    from opentelemetry.trace import Span

_SCRIPTS = {word: script.name for script in SCRIPTS for word in (script.sha, script.source)}
_MOST_NAMES = 5
"""The most names of commands in the name of a span."""


async def in_spans(sending: Coroutine[Any, Any, None], parts: Sequence[Part]) -> None:
    """Awaits `sending`, which sends the commands in `parts` to one server. Makes a span for each traced request or
    batch among their callers, with the names of its commands and scripts.
    """
    traced = ((call.usage.span, (call, positions)) for call, positions in parts if call.usage and call.usage.span)
    spans = [(_begin(parent, own), own) for parent, own in grouped(traced).items()]
    try:
        await sending
    finally:
        for span, own in spans:
            _end(span, own)


def _begin(parent: "Span", parts: Iterable[Part]) -> "Span":
    names = [_name(call.commands[i]) for call, positions in parts for i in positions]
    summary = " ".join(list(dict.fromkeys(names))[:_MOST_NAMES])
    about = {"db.system.name": "redis", "db.query.summary": summary}
    return tracing.child(parent, f"redis {summary}", {**about, "db.operation.batch.size": len(names)})


def _end(span: "Span", parts: Iterable[Part]) -> None:
    errors = (call.future.exception() for call, _ in parts if call.future.done() and not call.future.cancelled())
    if error := next(filter(None, errors), None):
        tracing.fail(span, type(error).__name__)
    span.end()


def _name(command: RedisCommand) -> str:
    """Returns the name of a command, or of the script that it runs."""
    word = str(command[0])
    return _SCRIPTS.get(command[1], word) if word.startswith("EVAL") else word
