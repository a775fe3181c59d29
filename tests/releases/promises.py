"""Finds what breaks a promise of the last release (docs/reference/versioning.md)."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from graphql import REMOVE, GraphQLSchema, Node, Visitor, build_schema, find_breaking_changes, parse, print_ast, visit
from graphql.utilities import DangerousChangeType, find_dangerous_changes

from cli.released import ABSENT

MINORS = 2
"""The minor versions for which something stays after the version that deprecates it."""
SINCE = re.compile(r"since (\d+)\.(\d+)", re.IGNORECASE)
_DEFAULTS = {DangerousChangeType.ARG_DEFAULT_VALUE_CHANGE, DangerousChangeType.INPUT_FIELD_DEFAULT_VALUE_CHANGE}
_ITEM = re.compile(r"(\[\d*\]|\.\*)$")


def may_go(words: str, last: str) -> bool:
    """Returns whether the version after `last` may remove something that is deprecated in these words."""
    since = SINCE.search(words)
    if since is None:
        return False
    major, minor = (int(number) for number in last.split(".")[:2])
    return (major, minor) >= (int(since[1]), int(since[2]) + MINORS)


def broken_in_schema(promised: str, built: str, last: str) -> list[str]:
    """Returns what the schema `built` breaks of the schema of the last release."""
    kept, made = build_schema(print_ast(visit(parse(promised), _Kept(last)))), build_schema(built)
    breaking = [change.description for change in find_breaking_changes(kept, made)]
    dangerous = [one.description for one in find_dangerous_changes(kept, made) if one.type in _DEFAULTS]
    return breaking + dangerous


class _Kept(Visitor):
    """Removes from a schema what the next version may remove. A type goes with its last field or value."""

    def __init__(self, last: str) -> None:
        super().__init__()
        self._last = last

    def leave(self, node: Node, *_: object) -> Any:
        reasons = [
            argument.value.value
            for directive in getattr(node, "directives", None) or ()
            if directive.name.value == "deprecated"
            for argument in directive.arguments
        ]
        is_empty = any(getattr(node, parts, None) == () for parts in ("fields", "values")) and "definition" in node.kind
        return REMOVE if is_empty or any(may_go(reason, self._last) for reason in reasons) else None


def undated(schema: GraphQLSchema) -> Iterator[str]:
    """Yields what is deprecated without saying since when."""
    for type_ in schema.type_map.values():
        members = {**getattr(type_, "fields", {}), **getattr(type_, "values", {})}
        for name, member in members.items():
            arguments = {f"{name}({argument})": of for argument, of in getattr(member, "args", {}).items()}
            for path, one in {name: member, **arguments}.items():
                reason = one.deprecation_reason
                if reason is not None and not SINCE.match(reason):
                    yield f"{type_.name}.{path}"


def broken_in_format(promised: Mapping[str, str], built: Mapping[str, str], last: str, *, is_read: bool) -> list[str]:
    """Returns what breaks a format of the last release. Plaudit reads the format if `is_read`, else it writes it.

    What is read must be accepted as before. What is written has the members and types of before, and may have more
    members and more values of an enumeration.
    """
    gone = tuple(path for path, types in promised.items() if may_go(types, last))
    found = []
    for path, types in promised.items():
        had, has = _kinds(types), _kinds(built.get(path, ""))
        if path.startswith(gone):
            continue
        if not has:
            found.append(f"{path} was removed")
        elif lost := had - has if is_read else {kind for kind in has - had if not kind.startswith('"')}:
            found.append(f"{path} {'no longer accepts' if is_read else 'may now be'} {', '.join(sorted(lost))}")
    if is_read:
        found += [
            f"{path} must now be given" for path in built.keys() - promised.keys() if _is_asked(path, promised, built)
        ]
    return found


def _kinds(types: str) -> set[str]:
    return {kind for kind in types.split(" | ") if kind and not SINCE.search(kind)}


def _is_asked(path: str, promised: Mapping[str, str], built: Mapping[str, str]) -> bool:
    """Returns whether a new member is required of an object that the last release accepted without it."""
    parent = re.sub(r"(^|[.:])[^.:]*$", lambda found: ":" if found[1] == ":" else "", path)
    return parent in promised and not _ITEM.search(path) and ABSENT not in _kinds(built[path])
