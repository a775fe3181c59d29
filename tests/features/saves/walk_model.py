"""The model of the random walk over saves: what two users have saved, and where."""

from itertools import count

Place = tuple[str, str]
"""A user and a target."""


class WalkModel:
    """The saves of users, as acknowledged (`now`) and as counted for others."""

    def __init__(self) -> None:
        self.now: dict[Place, str | None] = {}
        """The collection of each save; None for no collection."""
        self.direct = False
        """Whether writes go to Postgres directly."""
        self.blind: set[Place] = set()
        """The saves that were changed while nobody knew the state before. Their counts may be unknown until stored."""
        self._rows: dict[Place, str | None] = {}
        self._order: dict[Place, int] = {}
        self._steps = count()
        self._collections: dict[str, dict[str, tuple[str, bool]]] = {}
        self._known: dict[str, list[str]] = {}
        self._leaving: set[str] = set()
        self._left: set[str] = set()
        self._done: set[str] = set()
        """The keys of requests that had their effect."""
        self._refused: set[str] = set()
        self.codes: list[str] = []
        """The codes of the user errors of the last request."""

    def known(self, who: str) -> list[str]:
        """Returns the ids of all collections that a user ever had."""
        return self._known.get(who, [])

    def _begins(self, key: str, is_allowed: bool = True) -> bool:
        """Returns whether a request has an effect: it is allowed and not a repetition."""
        first = key not in self._done
        if first and not is_allowed:
            self._refused.add(key)
        self._done.add(key)
        self.codes = ["TARGET_NOT_FOUND"] if key in self._refused else []
        return first and is_allowed

    def _has(self, who: str, collection: str | None) -> bool:
        return collection is None or collection in self._collections.get(who, {})

    def save(self, who: str, target: str, into: str | None, key: str) -> None:
        place = who, target
        if self._begins(key, self._has(who, into)) and (
            self.direct or place not in self.now or self.now[place] != into
        ):
            self.now[place], self._order[place] = into, next(self._steps)

    def unsave(self, who: str, target: str, key: str) -> None:
        if self._begins(key):
            self.now.pop((who, target), None)

    def create(self, who: str, id_: str | None, name: str, is_public: bool) -> None:
        if self._begins(name):
            assert id_
            self._collections.setdefault(who, {})[id_] = name, is_public
            self._known.setdefault(who, []).append(id_)

    def update(self, who: str, id_: str, name: str, is_public: bool) -> None:
        if self._begins(name, self._has(who, id_)):
            self._collections[who][id_] = name, is_public

    def delete(self, who: str, id_: str, key: str) -> None:
        if self._begins(key, self._has(who, id_)):
            del self._collections[who][id_]
            self._leaving.add(id_)

    def stored(self) -> None:
        """All changes are stored and published."""
        self._rows = dict(self.now)
        self._left |= self._leaving
        self.blind.clear()

    def emptied(self) -> None:
        """A step of the work on deleted collections was done."""
        for place, collection in self._rows.items():
            if collection in self._left and self.now.get(place) == collection:
                del self.now[place]

    def saved(self, who: str) -> list[str]:
        """Returns what a user has saved, newest save first."""
        places = [place for place in self.now if place[0] == who]
        return [target for _, target in sorted(places, key=lambda place: -self._order[place])]

    def items(self, who: str, collection: str) -> list[str]:
        """Returns what a user has saved in a collection, newest save first."""
        return [target for target in self.saved(who) if self.now[who, target] == collection]

    def places(self, who: str) -> dict[str, str | None]:
        """Returns the existing collection of each save of a user."""
        return {t: one if self._has(who, one) else None for t in self.saved(who) for one in [self.now[who, t]]}

    def own(self, who: str) -> list[tuple[str, str, bool]]:
        """Returns the collections of a user, newest first."""
        rows = ((id_, *one) for id_, one in self._collections.get(who, {}).items())
        return sorted(rows, key=lambda row: int(row[0].rpartition(".")[2]), reverse=True)

    def public(self, who: str) -> list[str]:
        """Returns the names of the public collections of a user."""
        return [name for _, name, is_public in self.own(who) if is_public]

    def count(self, who: str, target: str) -> int:
        """Returns how many users have saved a target, as a user sees it."""
        others = sum(of == target and by != who for by, of in self._rows)
        return others + ((who, target) in self.now)
