"""The trusted operations of a process (those of manifests and imports), by id and by hash."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from commands.persisted.manifests import ManifestError, ManifestOperation, sha256_id


@dataclass(slots=True)
class TrustedOperation:
    """A trusted text (of a manifest or an import) with its ids, in the order in which they were added. `name` is the
    name that the first added operation with this text states, or else its id.
    """

    text: str
    name: str
    ids: list[str] = field(default_factory=list)


class Registry:
    """The trusted operations of a process (those of manifests and imports), by document id. An operation can also be
    found by the `sha256:` identifier of its text.
    """

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self.operations: dict[str, TrustedOperation] = {}
        """The operations by text, in the order in which the texts were added."""

    def add(self, operations: Iterable[ManifestOperation]) -> None:
        """Adds operations of a manifest or an import. Raises ManifestError if an id already has another text."""
        for one in operations:
            text = self._texts.setdefault(one.id, one.text)
            if text != one.text:
                raise ManifestError(f"{one.source}: {one.id} already has another text.")
            self._texts[sha256_id(text)] = text
            known = self.operations.setdefault(text, TrustedOperation(text, one.name or one.id))
            if one.id not in known.ids:
                known.ids.append(one.id)

    def find(self, *names: str) -> str | None:
        """Returns the trusted text under the first of these names (ids or `sha256:` identifiers) that is known. Returns
        None if none of them is known.
        """
        return next((self._texts[name] for name in names if name in self._texts), None)
