"""Rate limits of callers, and the largest documents that they may send (docs/reference/limits.md)."""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, Field, PositiveInt, ValidationInfo, field_validator, model_validator
from pydantic_settings import SettingsConfigDict

Points = Annotated[int, Field(ge=1, lt=1 << 31)]
PointsPerSecond = Annotated[float, Field(ge=0.001, lt=1 << 31)]
WriteKind = Literal[
    "reactions",
    "follows",
    "posts",
    "comments",
    "records",
    "profiles",
    "notifications",
    "users",
    "entities",
    "moderation",
]
"""The kinds of mutations that have rate limits of their own; api/limits.py assigns each mutation to a kind."""


class Rate(BaseModel):
    """A rate limit of writes: `burst` at once, and `per_minute` in the long run."""

    model_config = SettingsConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    burst: Points
    per_minute: Annotated[float, Field(ge=0.1, lt=1 << 31)]

    def times(self, factor: int) -> "Rate":
        """Return this limit for `factor` callers together."""
        return Rate(burst=self.burst * factor, per_minute=self.per_minute * factor)


Writes = dict[WriteKind, Rate]

_WRITES: Writes = {
    "reactions": Rate(burst=200, per_minute=120),
    "follows": Rate(burst=100, per_minute=60),
    "posts": Rate(burst=30, per_minute=30),
    "comments": Rate(burst=60, per_minute=60),
    "records": Rate(burst=1000, per_minute=1000),
    "profiles": Rate(burst=20, per_minute=20),
    "notifications": Rate(burst=120, per_minute=120),
    "users": Rate(burst=20_000, per_minute=60_000),
    "entities": Rate(burst=20_000, per_minute=60_000),
    "moderation": Rate(burst=300, per_minute=300),
}
"""The limits of one user. Other systems register `users` and `entities`, many at a time."""


def _of(people: int) -> Writes:
    return {kind: rate.times(people) for kind, rate in _WRITES.items()}


class BudgetSettings(BaseModel):
    """A budget: `points` at once, `points_per_second` in the long run, and a rate for each kind of write.

    A point is a field of one object. A kind that `writes` does not name keeps its default.
    """

    model_config = SettingsConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    points: Points
    """Points of a full budget."""
    points_per_second: PointsPerSecond
    """Points that are refilled each second."""
    writes: Writes = _WRITES
    """Rates by kind of write, each with `burst` and `per_minute`."""

    @field_validator("writes", mode="before")
    @classmethod
    def _start_from_defaults(cls, writes: Any) -> Any:
        return {**cls.model_fields["writes"].default, **writes} if isinstance(writes, dict) else writes


class RoleSettings(BudgetSettings):
    """The budget of callers of one role, and the largest documents that they may send (execution/cost.py measures).

    A page of fifty things with counters and owners is 550 points; five such pages a second last for a minute.
    """

    points: Points = 100_000
    """Points of a full budget."""
    points_per_second: PointsPerSecond = 1000
    """Points that are refilled each second."""
    cost: PositiveInt = 50_000
    """Points of one document."""
    mutation_cost: PositiveInt = 5000
    """Points of one mutation."""
    depth: PositiveInt = 20
    """Levels of nested selections."""
    root_fields: PositiveInt = 30
    """Fields at the root."""
    fields: PositiveInt = 400
    """Fields of the document; fragments count as often as they are used."""
    aliases: PositiveInt = 100
    """Aliases."""
    directives: PositiveInt = 50
    """Directives."""
    repeated: PositiveInt = 30
    """Fields in one place of the response."""
    definitions: PositiveInt = 30
    """Operations and fragments of the document."""
    literals: PositiveInt = 200
    """Values written in the document."""
    comparisons: PositiveInt = 1000
    """Comparisons of fields that validation makes."""
    visits: PositiveInt = 200
    """Selections and values written in the document."""
    values: PositiveInt = 1000
    """Values that arguments pass to fields, variables included."""
    tokens: PositiveInt = 1000
    """Lexical tokens of the document."""
    characters: PositiveInt = 10_000
    """Characters of the document."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.cost > self.points:
            raise ValueError(f"a document may cost {self.cost} points, which a budget of {self.points} never holds")
        return self


class AnonymousSettings(RoleSettings):
    """The limits of all anonymous callers at one network address together."""

    points: Points = 200_000
    """Points of a full budget."""
    points_per_second: PointsPerSecond = 2000
    """Points that are refilled each second."""
    cost: PositiveInt = 30_000
    """Points of one document."""
    writes: Writes = _of(5)


class DeviceSettings(BudgetSettings):
    """The budget of all callers at one network address that send the same X-Device-Id, such as a farm of accounts."""

    points: Points = 200_000
    points_per_second: PointsPerSecond = 2000
    writes: Writes = _of(3)


class AddressSettings(BudgetSettings):
    """The budget of all callers at one network address together, signed in or not."""

    points: Points = 500_000
    points_per_second: PointsPerSecond = 5000
    writes: Writes = _of(20)


class LimitSettings(BaseModel):
    """Limits by role. A token with one of the `scopes` has its limits; a scope starts from the limits of `user`."""

    model_config = SettingsConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    anonymous: AnonymousSettings = AnonymousSettings()
    user: RoleSettings = RoleSettings()
    ip: AddressSettings = AddressSettings()
    device: DeviceSettings | None = DeviceSettings()
    """None if X-Device-Id does not identify a device, because all clients send the same one."""
    scopes: dict[Annotated[str, Field(pattern=r"^[!-~]{1,64}$")], RoleSettings] = {}

    @field_validator("scopes", mode="before")
    @classmethod
    def _start_from_users(cls, scopes: Any, info: ValidationInfo) -> Any:
        user = info.data.get("user")
        if not isinstance(scopes, dict) or not user:
            return scopes
        return {name: _over(user, given) if isinstance(given, dict) else given for name, given in scopes.items()}

    @model_validator(mode="after")
    def _check(self) -> Self:
        if own := self.scopes.keys() & {"anonymous", "user", "ip", "device"}:
            raise ValueError(f"{min(own)} stands beside scopes, not in them")
        if taken := [name for name in self.scopes if name.rpartition(".")[2] in _WRITES]:
            raise ValueError(f"{taken[0]} would be called like a budget of writes")
        dearest = max(role.cost for role in (self.anonymous, self.user, *self.scopes.values()))
        for name, shared in self.shared.items():
            if dearest > shared.points:
                raise ValueError(f"a document may cost {dearest} points, which {name}'s {shared.points} never hold")
        return self

    @property
    def shared(self) -> dict[str, BudgetSettings]:
        """The budgets that are charged in addition to the caller's own."""
        return {"ip": self.ip, **({"device": self.device} if self.device else {})}

    @property
    def budgets(self) -> dict[str, BudgetSettings]:
        """All budgets by name."""
        return {"anonymous": self.anonymous, "user": self.user, **self.shared, **self.scopes}


def _over(user: RoleSettings, given: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of a scope, which start from those of users."""
    writes = given.get("writes", {})
    return {**user.model_dump(), **given, "writes": {**user.writes, **writes} if isinstance(writes, dict) else writes}
