"""Lists in environment variables."""

import json
from typing import Annotated, Any

from pydantic import BeforeValidator
from pydantic_settings import NoDecode


def _parsed(value: Any) -> Any:
    """Returns the items of a JSON list, or of a list that commas separate. Other values stay as they are."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("["):
        return json.loads(value)
    return [item for part in value.split(",") if (item := part.strip())]


Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_parsed)]
"""A list of texts: `a,b` or `["a", "b"]`."""
