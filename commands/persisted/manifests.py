"""Reads the manifests that client tools write at build time.

Three formats: that of Apollo's `generate-persisted-query-manifest`, Apollo iOS and Apollo Kotlin, {"format", "version",
"operations": [{id, name, type, body}]}; an object of id → {name, source}, sometimes with the type, as Apollo iOS
(`legacy`) and Apollo Kotlin (`operationOutput`) wrote it before; and an object of id → text, as relay-compiler and
graphql-codegen's client preset write it.

Every id has the form of a document identifier and belongs to one text. An id with the prefix `sha256:` is the hash of
its text. Other ids are taken as they are: tools hash texts in their own ways. Operations are parsed later: by
`checking.py` before an import, and by the API when they run.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import Any

from domain.document_ids import is_document_id

LARGEST_FILE = 32_000_000
"""The largest allowed manifest, in bytes."""
MOST_OPERATIONS = 20_000
LONGEST_TEXT = 100_000
"""The longest allowed text of an operation, in characters. The API has further limits."""
_APOLLO = "apollo-persisted-query-manifest"
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""The zero character, and halves of surrogate pairs, which JSON can contain and UTF-8 cannot."""


class ManifestError(Exception):
    """A file cannot be read, is not a manifest, or contradicts itself or another manifest; or a folder has no `*.json`
    file. The message is for the operator.
    """


@dataclass(frozen=True, slots=True)
class ManifestOperation:
    """One operation of a manifest. `name` and `kind` (query, mutation or subscription) are None if the manifest does
    not state them.
    """

    id: str
    text: str
    source: str
    name: str | None = None
    kind: str | None = None


def sha256_id(text: str) -> str:
    """Returns the document identifier of a text: `sha256:` and the SHA-256 of the text in hex."""
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def read_all(paths: Iterable[Path]) -> list[ManifestOperation]:
    """Returns the operations of these files, and of all `*.json` files in these folders. Raises ManifestError."""
    return [operation for path in paths for file in _files(path) for operation in read(file)]


def read(file: Path) -> list[ManifestOperation]:
    """Returns the operations of a manifest without duplicates, in the order of the file. Raises ManifestError."""
    try:
        return _operations(_json(file), file.name)
    except ManifestError as error:
        raise ManifestError(f"{file}: {error}") from None


def checked(
    identifier: str, text: str, source: str, name: str | None = None, kind: str | None = None
) -> ManifestOperation:
    """Returns an operation that a client sends by itself instead of in a manifest. Raises ManifestError if it has an
    invalid id or text.
    """
    _check(identifier, text)
    return ManifestOperation(identifier, text, source, name, kind)


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(path.glob("*.json"))
    if not files:
        raise ManifestError(f"{path}: this folder has no *.json file.")
    return files


def _json(file: Path) -> Any:
    try:
        with file.open("rb") as opened:
            content = opened.read(LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise ManifestError(f"larger than {LARGEST_FILE} bytes.")
        return json.loads(content.decode("utf-8-sig"), object_pairs_hook=_Pairs)
    except OSError as error:
        raise ManifestError(f"cannot be read: {error.strerror}.") from None
    except RecursionError:
        raise ManifestError("nested too deeply.") from None
    except ValueError as error:  # not UTF-8, not JSON, or a number with too many digits for Python
        raise ManifestError(f"not JSON in UTF-8: {str(error)[:200]}") from None


class _Pairs(list[tuple[str, Any]]):
    """A JSON object as a list of pairs, so that duplicate names can be detected."""


def _raw_operations(manifest: Any) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Yields the id, text, name and type of each operation in a manifest, unchecked. Raises ManifestError."""
    if not isinstance(manifest, _Pairs):
        raise ManifestError("not a JSON object.")
    members = dict(manifest)
    if "format" not in members and not isinstance(members.get("operations"), list):
        yield from (_keyed_operation(identifier, value) for identifier, value in manifest)
        return
    version = members.get("version")
    if members.get("format") != _APOLLO or version != 1 or isinstance(version, bool):
        raise ManifestError(f"has an unknown format or version; only {_APOLLO} 1 is supported.")
    operations = members.get("operations")
    if not isinstance(operations, list) or isinstance(operations, _Pairs):
        raise ManifestError("operations is not a list.")
    for one in operations:
        if not isinstance(one, _Pairs):
            raise ManifestError("an operation is not an object.")
        operation = dict(one)
        yield operation.get("id"), operation.get("body"), operation.get("name"), operation.get("type")


def _keyed_operation(identifier: Any, value: Any) -> tuple[Any, Any, Any, Any]:
    """Returns the id, text, name and type of an operation in a manifest that is an object of operations by id. `value`
    is the text of the operation, or an object with the text. The name and type are None if the manifest does not state
    them.
    """
    if not isinstance(value, _Pairs):
        return identifier, value, None, None
    operation = dict(value)
    return identifier, operation.get("source"), operation.get("name"), operation.get("type")


def _operations(manifest: Any, source: str) -> list[ManifestOperation]:
    found: dict[str, ManifestOperation] = {}
    for identifier, text, name, kind in _raw_operations(manifest):
        _check(identifier, text)
        if not isinstance(name, (str, NoneType)) or not isinstance(kind, (str, NoneType)):
            raise ManifestError(f"{identifier} has a name or type that is not a text.")
        if found.setdefault(identifier, ManifestOperation(identifier, text, source, name, kind)).text != text:
            raise ManifestError(f"{identifier} appears twice with different texts.")
        if len(found) > MOST_OPERATIONS:
            raise ManifestError(f"more than {MOST_OPERATIONS} operations.")
    return list(found.values())


def _check(identifier: Any, text: Any) -> None:
    if not is_document_id(identifier):
        raise ManifestError(f"{str(identifier)[:100]!r} is not a document identifier.")
    if not isinstance(text, str) or not text.strip():
        raise ManifestError(f"{identifier} has no text.")
    if len(text) > LONGEST_TEXT:
        raise ManifestError(f"{identifier} is longer than {LONGEST_TEXT} characters.")
    if _UNSTORABLE.search(text):
        raise ManifestError(f"{identifier} has a character that Postgres cannot store.")
    if identifier.startswith("sha256:") and identifier != sha256_id(text):
        raise ManifestError(f"{identifier} is not the SHA-256 of its text.")
