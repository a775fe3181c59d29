"""Generates the JSON Schemas of outgoing events in docs/events. `python -m cli.reference` runs this module, too."""

import json
from pathlib import Path
from typing import Any

from store.outgoing.event_kinds import SCHEMA, Event, label_of
from store.outgoing.registry import KINDS
from workers.outgoing.unstored import EventsLost, EventsTest

FOLDER = Path(__file__).parents[1] / "docs" / "events"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def events() -> dict[str, type[Event]]:
    """Returns the class of each kind of outgoing event, whether events of this kind are stored or not, by the label of
    the kind, such as `post.created`.
    """
    unstored: tuple[type[Event], ...] = EventsLost, EventsTest
    return {label_of(one): one for one in (*(kind.event for kind in KINDS.values()), *unstored)}


def schemas() -> dict[str, str]:
    """Returns the JSON Schemas by file name: one for each kind of outgoing event, and one for the body of a request to
    a webhook.
    """
    files = {f"{label}.v{SCHEMA}.json": one.model_json_schema(mode="serialization") for label, one in events().items()}
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


def _text(schema: dict[str, Any]) -> str:
    return json.dumps({"$schema": _DIALECT, **schema}, indent=2) + "\n"


def write() -> None:
    """Writes the schemas to docs/events, and removes the files of kinds that no longer exist."""
    wanted = schemas()
    for path in FOLDER.glob(f"*.v{SCHEMA}.json"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
