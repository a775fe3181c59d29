"""Encodes records as lines of an archive, and decodes lines.

There is only one encoding of each record: the fields are sorted by name, there is no white space, and fields that have
their default value are left out. So if an export is imported into an empty system and exported again, both exports have
the same lines, in another order.
"""

import re
from collections.abc import Iterable
from pathlib import Path

import orjson
from pydantic import ValidationError

from archive.fields import Json
from archive.records import KINDS, Record

STREAM = Path("-")
"""The path that stands for standard input or standard output."""
LONGEST_LINE = 1 << 20
"""The most bytes of a line."""
_REASONS = {
    "string_pattern_mismatch": "The text has a form that the schema does not allow",
    "datetime_from_date_parsing": "The time is not in the format of RFC 3339",
    "datetime_parsing": "The time is not in the format of RFC 3339",
    "datetime_type": "The time is not in the format of RFC 3339",
    "timezone_aware": "The time has no time zone",
    "greater_than_equal": "The time is before the year 2000",
}
"""Messages that replace the messages of pydantic, by pydantic's type of error."""
_TYPE = re.compile(r"[A-Z]|constrained-")
"""Matches the names of types, which pydantic adds to the path of a field if the type of the field is a union."""


class BadLine(Exception):
    """Raised if a line of an archive is not a record. The message says what is wrong with it."""


def encoded(record: Json) -> bytes:
    """Returns the line of a record, without a line break."""
    return orjson.dumps(
        record.model_dump(mode="json", by_alias=True, exclude_defaults=True), option=orjson.OPT_SORT_KEYS
    )


def joined(records: Iterable[Json]) -> bytes:
    """Returns the lines of records, each with a line break."""
    return b"".join([encoded(record) + b"\n" for record in records])


def decoded(kind: str, line: bytes) -> Record:
    """Returns the record of a line. Raises BadLine if the line is too long, is not JSON, or is not a record of this
    kind.
    """
    if len(line) > LONGEST_LINE:
        raise BadLine(f"The line has more than {LONGEST_LINE} bytes.")
    try:
        return KINDS[kind].model_validate_json(line)
    except ValidationError as error:
        raise BadLine(_reason(error)) from None


def _reason(error: ValidationError) -> str:
    """Returns the first problem of a record, with the name of the field."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(part for part in map(str, first["loc"]) if not _TYPE.match(part))
    message = _REASONS.get(first["type"], first["msg"])
    return f"{place}: {message}." if place else f"{message}."
