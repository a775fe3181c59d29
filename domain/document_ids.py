"""Document identifiers, which name persisted operations."""

import re
from typing import Any

_DOCUMENT_ID = re.compile(r"sha256:[0-9a-f]{64}|x-[\w.~-]+:[\w.~-]+|[\w.~-]+", re.ASCII)
_LONGEST_ID = 200


def is_document_id(value: Any) -> bool:
    """Returns whether a value is a valid document identifier of at most 200 characters: `sha256:<hash>`,
    `x-<prefix>:<name>` or a plain name. Other prefixes are reserved.
    """
    return isinstance(value, str) and len(value) <= _LONGEST_ID and _DOCUMENT_ID.fullmatch(value) is not None
