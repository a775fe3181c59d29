"""A type for settings that are lists of texts."""

import json
from typing import Annotated, Any

from pydantic import BeforeValidator
from pydantic_settings import NoDecode


def _parse(value: Any) -> Any:
    """Returns the items of a JSON list or of a comma-separated list. Returns other values unchanged."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("["):
        return json.loads(value)
    return [item for part in value.split(",") if (item := part.strip())]


Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_parse)]
"""A list of texts, written as `a,b` or `["a", "b"]`."""
