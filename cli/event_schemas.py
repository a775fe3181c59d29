"""Generates the JSON Schemas of outgoing events in docs/events. `python -m cli.reference` runs this, too."""

import json
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel

from domain.outgoing.events import SCHEMA, AnyEvent

FOLDER = Path(__file__).parents[1] / "docs" / "events"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schemas() -> dict[str, str]:
    """Returns the schema of each kind, and that of the body of a request, by file name."""
    kinds = {kind_of(event): event for event in get_args(AnyEvent)}
    files = {f"{kind}.v{SCHEMA}.json": event.model_json_schema(mode="serialization") for kind, event in kinds.items()}
    files[f"request.v{SCHEMA}.json"] = {
        "title": "Request",
        "description": "The body of a request to a webhook: events of one partition, in order.",
        "type": "object",
        "properties": {
            "partition": {"type": "integer"},
            "events": {"type": "array", "minItems": 1, "items": {"oneOf": [{"$ref": name} for name in sorted(files)]}},
        },
        "required": ["partition", "events"],
    }
    return {name: _text(schema) for name, schema in files.items()}


def kind_of(event: type[BaseModel]) -> str:
    """Returns the kind of the events of a class."""
    (kind,) = get_args(event.model_fields["kind"].annotation)
    return str(kind)


def _text(schema: dict[str, Any]) -> str:
    return json.dumps({"$schema": _DIALECT, **schema}, indent=2) + "\n"


def write() -> None:
    """Writes the schemas to docs/events, and removes those of kinds that no longer exist."""
    wanted = schemas()
    for path in FOLDER.glob(f"*.v{SCHEMA}.json"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
