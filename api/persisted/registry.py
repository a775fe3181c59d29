"""The operations a process trusts, by every name they have."""

from collections.abc import Iterable

from api.persisted.manifests import ManifestError, ManifestOperation, sha256_id


class Registry:
    """Ids and texts; every text is also there under its `sha256:` identifier."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._known: set[str] = set()

    def add(self, operations: Iterable[ManifestOperation]) -> None:
        """Adds operations. Raises ManifestError where an id stands for another text already."""
        for one in operations:
            known = self._texts.setdefault(one.id, one.text)
            if known != one.text:
                raise ManifestError(f"{one.source}: {one.id} stands for another text already.")
            self._texts[sha256_id(one.text)] = known
            self._known.add(known)

    def find(self, *names: str) -> str | None:
        """The text under the first name that has one."""
        return next((self._texts[name] for name in names if name in self._texts), None)

    def has(self, text: str) -> bool:
        """Whether a text is one of these operations'."""
        return text in self._known

    def texts(self) -> list[str]:
        """Each text once, in the order in which they came."""
        return list(dict.fromkeys(self._texts.values()))
