"""Settings of the rate limits of users, addresses and devices, and of documents (docs/reference/limits.md)."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, PositiveInt, ValidationInfo, field_validator, model_validator

from settings.numbers import Count
from settings.part import Part

Points = Annotated[int, Field(ge=1, lt=1 << 31)]
PointsPerSecond = Annotated[float, Field(ge=0.001, lt=1 << 31)]
WriteKind = Literal[
    "reactions",
    "saves",
    "follows",
    "boundaries",
    "posts",
    "comments",
    "actions",
    "profiles",
    "uploads",
    "notifications",
    "users",
    "entities",
    "moderation",
    "reports",
    "notices",
    "admin",
]
"""The kinds of mutations that have their own rate limits. Each mutation of the schema declares its kind."""


class Rate(Part):
    """A rate limit of writes: a caller can make at most `burst` writes at once, and `per_minute` writes a minute over a
    longer time.
    """

    burst: Points
    per_minute: Annotated[float, Field(ge=0.1, lt=1 << 31)]

    def times(self, factor: int) -> "Rate":
        """Returns this rate limit for `factor` callers together."""
        return Rate(burst=self.burst * factor, per_minute=self.per_minute * factor)


Writes = dict[WriteKind, Rate]

_WRITES: Writes = {
    "reactions": Rate(burst=200, per_minute=120),
    "saves": Rate(burst=200, per_minute=120),
    "follows": Rate(burst=100, per_minute=60),
    "boundaries": Rate(burst=100, per_minute=60),
    "posts": Rate(burst=30, per_minute=30),
    "comments": Rate(burst=60, per_minute=60),
    "actions": Rate(burst=1000, per_minute=1000),
    "profiles": Rate(burst=20, per_minute=20),
    "uploads": Rate(burst=60, per_minute=30),
    "notifications": Rate(burst=120, per_minute=120),
    "users": Rate(burst=20_000, per_minute=60_000),
    "entities": Rate(burst=20_000, per_minute=60_000),
    "moderation": Rate(burst=300, per_minute=300),
    "reports": Rate(burst=30, per_minute=10),
    "notices": Rate(burst=5, per_minute=1),
    "admin": Rate(burst=200, per_minute=60),
}
"""The default rate limits of one user's writes. The limits of `users` and `entities` are high, because other systems
register many at a time.
"""


def _for_callers(count: int) -> Writes:
    """Returns the default rate limits of one user's writes, multiplied for `count` users together."""
    return {kind: rate.times(count) for kind, rate in _WRITES.items()}


class BudgetSettings(Part):
    """A budget: the points that a caller may spend at once, the points that are added each second, and a rate limit for
    each kind of write.

    One field of one object costs one point. A kind that is missing in `writes` keeps its default.
    """

    points: Points
    """The points of a full budget."""
    points_per_second: PointsPerSecond
    """The points that are added each second."""
    writes: Writes = _WRITES
    """The `burst` and `per_minute` of each [kind of write](limits.md#writes)."""

    @field_validator("writes", mode="before")
    @classmethod
    def _start_from_defaults(cls, writes: Any) -> Any:
        return {**cls.model_fields["writes"].default, **writes} if isinstance(writes, dict) else writes


class RoleSettings(BudgetSettings):
    """The budget of callers of one role, such as `user`, and the limits of one document (measured by
    execution/cost.py).

    A page of fifty entities with counters and owners costs 550 points. With the defaults, a user can request five such
    pages a second for a minute.
    """

    points: Points = 100_000
    """The points of a full budget."""
    points_per_second: PointsPerSecond = 1000
    """The points that are added each second."""
    cost: PositiveInt = 50_000
    """Points of one document."""
    mutation_cost: PositiveInt = 5000
    """Points of one mutation."""
    depth: PositiveInt = 20
    """Levels of nested selections."""
    root_fields: PositiveInt = 30
    """Fields at the root."""
    fields: PositiveInt = 400
    """Fields. Those of a fragment count each time that it is used."""
    aliases: PositiveInt = 100
    """Aliases."""
    directives: PositiveInt = 50
    """Directives."""
    repeated: PositiveInt = 30
    """Selections of one response field in one place."""
    definitions: PositiveInt = 30
    """Operations and fragments."""
    literals: PositiveInt = 200
    """Literal values."""
    comparisons: PositiveInt = 1000
    """Comparisons between fields that validation may need."""
    visits: PositiveInt = 200
    """Selections and literal values. Those of a fragment count once."""
    values: PositiveInt = 1000
    """Values that arguments pass to fields, variables included."""
    tokens: PositiveInt = 1000
    """Lexical tokens."""
    characters: PositiveInt = 10_000
    """Characters."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.cost > self.points:
            raise ValueError(f"cost is {self.cost}, but must not be more than points, which is {self.points}")
        return self


class AnonymousSettings(RoleSettings):
    """The limits of all anonymous callers at one network address together."""

    points: Points = 200_000
    points_per_second: PointsPerSecond = 2000
    cost: PositiveInt = 30_000
    writes: Writes = _for_callers(5)
    actions_per_target: Count = 100
    """[Views, shares or actions of one counter](limits.md#anonymous-views-and-shares) on one thing that count in an
    hour, from one address.
    """
    actions_per_address: Count = 10_000
    """The same, on all things."""


class DeviceSettings(BudgetSettings):
    """The budget of all callers at one network address with the same X-Device-Id. Limits users of many accounts."""

    points: Points = 200_000
    points_per_second: PointsPerSecond = 2000
    writes: Writes = _for_callers(3)


class AddressSettings(BudgetSettings):
    """The budget of all callers at one network address together, signed in or not."""

    points: Points = 500_000
    points_per_second: PointsPerSecond = 5000
    writes: Writes = _for_callers(20)


class LimitSettings(Part):
    """The limits of callers, by role: anonymous callers, users, and tokens with one of the `scopes`. Limits that a
    scope does not set are those of `user`.
    """

    anonymous: AnonymousSettings = AnonymousSettings()
    user: RoleSettings = RoleSettings()
    ip: AddressSettings = AddressSettings()
    act: AddressSettings | None = None
    """The budget of everything that one service does for users (scope `act`). By default, that of `ip`."""
    device: DeviceSettings | None = DeviceSettings()
    """The limits of one device. None if devices are not limited: set this if many clients send the same X-Device-Id."""
    scopes: dict[Annotated[str, Field(pattern=r"^[!-~]{1,64}$")], RoleSettings] = Field(default_factory=dict)

    @field_validator("scopes", mode="before")
    @classmethod
    def _start_from_users(cls, scopes: Any, info: ValidationInfo) -> Any:
        user = info.data.get("user")
        if not isinstance(scopes, dict) or not user:
            return scopes
        return {name: _over(user, given) if isinstance(given, dict) else given for name, given in scopes.items()}

    @model_validator(mode="after")
    def _check(self) -> Self:
        if own := self.scopes.keys() & {"anonymous", "user", "ip", "act", "device"}:
            raise ValueError(f"{min(own)} is not a scope: set it beside scopes, not in scopes")
        if taken := [name for name in self.scopes if name.rpartition(".")[2] in _WRITES]:
            raise ValueError(f"the scope {taken[0]} has the name of a kind of write")
        dearest = max(role.cost for role in (self.anonymous, self.user, *self.scopes.values()))
        for name, shared in self.shared.items():
            if dearest > shared.points:
                raise ValueError(
                    f"a document may cost {dearest} points, but the budget {name} has only {shared.points}"
                )
        return self

    @property
    def shared(self) -> dict[str, BudgetSettings]:
        """Returns the budgets `ip`, `act` and `device` by name. Requests are charged to them in addition to the budget
        of the caller's role.
        """
        return {"ip": self.ip, "act": self.act or self.ip, **({"device": self.device} if self.device else {})}

    @property
    def budgets(self) -> dict[str, BudgetSettings]:
        """Returns all budgets by name: those of the roles, and `ip`, `act` and `device`."""
        return {"anonymous": self.anonymous, "user": self.user, **self.shared, **self.scopes}


def _over(user: RoleSettings, given: dict[str, Any]) -> dict[str, Any]:
    """Returns the settings of a scope: the values that the operator set for it, and those of the role `user` for the
    rest.
    """
    writes = given.get("writes", {})
    return {**user.model_dump(), **given, "writes": {**user.writes, **writes} if isinstance(writes, dict) else writes}
