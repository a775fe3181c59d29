"""The trusted operations of a process, by id and by hash."""

from collections.abc import Iterable

from api.persisted.manifests import ManifestError, ManifestOperation, sha256_id


class Registry:
    """The trusted texts of a process by document id. A text can also be found by its `sha256:` identifier."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._known: set[str] = set()

    def add(self, operations: Iterable[ManifestOperation]) -> None:
        """Adds operations from a manifest. Raises ManifestError if an id already has another text."""
        for one in operations:
            known = self._texts.setdefault(one.id, one.text)
            if known != one.text:
                raise ManifestError(f"{one.source}: {one.id} already has another text.")
            self._texts[sha256_id(one.text)] = known
            self._known.add(known)

    def find(self, *names: str) -> str | None:
        """Returns the trusted text under the first of these names that is known, or None."""
        return next((self._texts[name] for name in names if name in self._texts), None)

    def has(self, text: str) -> bool:
        """Returns whether a text is a trusted operation."""
        return text in self._known

    def texts(self) -> list[str]:
        """Returns each trusted text once, in the order in which the texts were added."""
        return list(dict.fromkeys(self._texts.values()))
