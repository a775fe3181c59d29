"""What callers may spend, and how large what they send may be (docs/reference/limits.md)."""

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
"""What a mutation does; api/limits.py says which does what."""


class Rate(BaseModel):
    """How many writes: so many at once, and for long so many a minute."""

    model_config = SettingsConfigDict(frozen=True, extra="forbid")

    burst: Points
    per_minute: Annotated[float, Field(ge=0.1, lt=1 << 31)]

    def times(self, factor: int) -> "Rate":
        """The same for so many."""
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
"""Of one person; `users` and `entities` are registered by other systems, many at a time."""


def _of(people: int) -> Writes:
    return {kind: rate.times(people) for kind, rate in _WRITES.items()}


class BudgetSettings(BaseModel):
    """What may be spent: so many points at once, and for long so many a second; and of each kind so many writes.

    A point is a field of one object. A kind that `writes` does not name is as by default.
    """

    model_config = SettingsConfigDict(frozen=True, extra="forbid")

    points: Points
    points_per_second: PointsPerSecond
    writes: Writes = _WRITES

    @field_validator("writes", mode="before")
    @classmethod
    def _start_from_defaults(cls, writes: Any) -> Any:
        return {**cls.model_fields["writes"].default, **writes} if isinstance(writes, dict) else writes


class RoleSettings(BudgetSettings):
    """What callers of one role may spend, and the largest documents they may send (execution/cost.py says of what).

    A page of fifty things with counters and owners is 550 points; five such pages a second last for a minute.
    """

    points: Points = 100_000
    points_per_second: PointsPerSecond = 1000
    cost: PositiveInt = 50_000
    mutation_cost: PositiveInt = 5000
    depth: PositiveInt = 20
    root_fields: PositiveInt = 30
    fields: PositiveInt = 400
    aliases: PositiveInt = 100
    directives: PositiveInt = 50
    repeated: PositiveInt = 30
    definitions: PositiveInt = 30
    literals: PositiveInt = 200
    comparisons: PositiveInt = 1000
    visits: PositiveInt = 200
    values: PositiveInt = 1000
    tokens: PositiveInt = 1000
    characters: PositiveInt = 10_000

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.cost > self.points:
            raise ValueError(f"a document may cost {self.cost} points, which a budget of {self.points} never holds")
        return self


class AnonymousSettings(RoleSettings):
    """What all anonymous callers of one address may spend together."""

    points: Points = 200_000
    points_per_second: PointsPerSecond = 2000
    cost: PositiveInt = 30_000
    writes: Writes = _of(5)


class DeviceSettings(BudgetSettings):
    """What everybody at one address may spend together who sends one X-Device-Id: a household, a farm of accounts."""

    points: Points = 200_000
    points_per_second: PointsPerSecond = 2000
    writes: Writes = _of(3)


class AddressSettings(BudgetSettings):
    """What everybody at one address may spend together, signed in or not: many people may share it."""

    points: Points = 500_000
    points_per_second: PointsPerSecond = 5000
    writes: Writes = _of(20)


class LimitSettings(BaseModel):
    """Limits by role. A token with one of the `scopes` has its limits; what a scope leaves out is as for users."""

    model_config = SettingsConfigDict(frozen=True, extra="forbid")

    anonymous: AnonymousSettings = AnonymousSettings()
    user: RoleSettings = RoleSettings()
    ip: AddressSettings = AddressSettings()
    device: DeviceSettings | None = DeviceSettings()
    """None where X-Device-Id says nothing, as when all clients send the same."""
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
        """The budgets that requests are charged to besides their callers'."""
        return {"ip": self.ip, **({"device": self.device} if self.device else {})}

    @property
    def budgets(self) -> dict[str, BudgetSettings]:
        """All of them, by their names."""
        return {"anonymous": self.anonymous, "user": self.user, **self.shared, **self.scopes}


def _over(user: RoleSettings, given: dict[str, Any]) -> dict[str, Any]:
    """A scope's settings over a user's."""
    writes = given.get("writes", {})
    return {**user.model_dump(), **given, "writes": {**user.writes, **writes} if isinstance(writes, dict) else writes}
