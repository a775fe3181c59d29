"""Writes docs/released: what the last release promises its clients and operators. A release runs `python -m
cli.released`; afterwards a test compares the code with these files (docs/reference/versioning.md).
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from graphql import Visitor, parse, print_ast, visit

from cli import event_schemas, record_schemas
from schema import schema
from settings import Business, Ground, LabelSettings, Settings

FOLDER = Path(__file__).parents[1] / "docs" / "released"
ABSENT = "absent"
"""Stands among the types of a member that may be absent."""
_DEPRECATED = re.compile(r"Deprecated since \d+\.\d+")


def formats() -> dict[str, dict[str, str]]:
    """Returns the members of the settings, of the businesses file, of outgoing events, and of the records of archives,
    with their types.
    """
    return {
        "settings": members(Settings.model_json_schema()),
        "businesses file": {
            **members(LabelSettings.model_json_schema()),
            **{f"business[]:{path}": types for path, types in members(Business.model_json_schema()).items()},
            **{f"ground[]:{path}": types for path, types in members(Ground.model_json_schema()).items()},
        },
        "events": _all_members(event_schemas.schemas()),
        "records": _all_members(record_schemas.schemas()),
    }


def _all_members(schemas: Mapping[str, str]) -> dict[str, str]:
    """Returns the members of several JSON Schemas. The name of the file, without its ending, is before each path."""
    return {
        f"{name.removesuffix('.json')}:{path}": types
        for name, text in schemas.items()
        for path, types in members(json.loads(text)).items()
    }


def members(schema: dict[str, Any]) -> dict[str, str]:
    """Returns the types of each member that a JSON Schema describes, such as `"author.id": "absent | string"`. The path
    of an item of a list ends with `[]`, and that of a value of a map with `.*`. A description that says
    "Deprecated since 1.2" has these words among the types.
    """
    found: dict[str, set[str]] = {}
    for path, kind in _walk(schema, "", schema.get("$defs", {}), ()):
        found.setdefault(path, set()).add(kind)
    return {path: " | ".join(sorted(kinds)) for path, kinds in sorted(found.items())}


def _walk(
    schema: dict[str, Any], path: str, definitions: dict[str, Any], around: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    """Yields pairs of a path and a type. `around` has the definitions that are being walked."""
    if deprecated := _DEPRECATED.search(schema.get("description", "")):
        yield path, deprecated[0]
    name = schema.get("$ref", "").rpartition("/")[2]
    if name in definitions and name not in around:
        yield from _walk(definitions[name], path, definitions, (*around, name))
    elif name:
        yield path, name
    for one in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())):
        yield from _walk(one, path, definitions, around)
    values = schema.get("enum", [schema["const"]] if "const" in schema else [])
    yield from ((path, json.dumps(value)) for value in values)
    if not values and "type" in schema:
        yield from ((path, kind) for kind in ([schema["type"]] if isinstance(schema["type"], str) else schema["type"]))
    yield from _walk_members(schema, path, definitions, around)


def _walk_members(
    schema: dict[str, Any], path: str, definitions: dict[str, Any], around: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    for name, member in schema.get("properties", {}).items():
        inner = f"{path}.{name}" if path else name
        if name not in schema.get("required", ()):
            yield inner, ABSENT
        yield from _walk(member, inner, definitions, around)
    for number, item in enumerate(schema.get("prefixItems", ())):
        yield from _walk(item, f"{path}[{number}]", definitions, around)
    for suffix, keyword in (("[]", "items"), (".*", "additionalProperties")):
        if isinstance(schema.get(keyword), dict):
            yield from _walk(schema[keyword], path + suffix, definitions, around)


def _without_descriptions(printed: str) -> str:
    """Returns a schema as text without the descriptions, which promise no names and types."""
    nodes = visit(parse(printed), _Undescribed())
    return f"{print_ast(nodes)}\n"


class _Undescribed(Visitor):
    def leave(self, node: Any, *_: object) -> Any:
        return replace(node, description=None) if getattr(node, "description", None) else None


def write() -> None:
    """Writes the promises of the version that pyproject.toml has."""
    project = tomllib.loads((FOLDER.parents[1] / "pyproject.toml").read_text())["project"]
    (FOLDER / "version.txt").write_text(f"{project['version']}\n")
    (FOLDER / "schema.graphql").write_text(_without_descriptions(schema.as_str()), encoding="utf-8")
    (FOLDER / "formats.json").write_text(json.dumps(formats(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
