"""What callers may spend, and how large what they send may be (docs/limits.md)."""

from typing import Annotated, Any, Self

from pydantic import BaseModel, Field, PositiveInt, ValidationInfo, field_validator, model_validator
from pydantic_settings import SettingsConfigDict

Points = Annotated[int, Field(ge=1, lt=1 << 31)]
PointsPerSecond = Annotated[float, Field(ge=0.001, lt=1 << 31)]


class BudgetSettings(BaseModel):
    """What may be spent: so much at once, and for long so much a second. A point is a field of one object."""

    model_config = SettingsConfigDict(frozen=True, extra="forbid")

    points: Points
    points_per_second: PointsPerSecond


class RoleSettings(BudgetSettings):
    """What callers of one role may spend, and the largest documents they may send (execution/cost.py says of what).

    A page of fifty things with counters and owners is 550 points; five such pages a second last for a minute.
    """

    points: Points = 100_000
    points_per_second: PointsPerSecond = 1000
    cost: PositiveInt = 50_000
    depth: PositiveInt = 20
    root_fields: PositiveInt = 30
    fields: PositiveInt = 1000
    aliases: PositiveInt = 200
    directives: PositiveInt = 100
    repeated: PositiveInt = 30
    definitions: PositiveInt = 50
    literals: PositiveInt = 1000
    comparisons: PositiveInt = 3000
    characters: PositiveInt = 50_000

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


class AddressSettings(BudgetSettings):
    """What everybody at one address may spend together, signed in or not: many people may share it."""

    points: Points = 500_000
    points_per_second: PointsPerSecond = 5000


class LimitSettings(BaseModel):
    """Limits by role. A token with one of the `scopes` has its limits; what a scope leaves out is as for users."""

    model_config = SettingsConfigDict(frozen=True, extra="forbid")

    anonymous: AnonymousSettings = AnonymousSettings()
    user: RoleSettings = RoleSettings()
    ip: AddressSettings = AddressSettings()
    scopes: dict[Annotated[str, Field(pattern=r"^[!-~]{1,64}$")], RoleSettings] = {}

    @field_validator("scopes", mode="before")
    @classmethod
    def _start_from_users(cls, scopes: Any, info: ValidationInfo) -> Any:
        user = info.data.get("user")
        if not isinstance(scopes, dict) or not user:
            return scopes
        return {
            name: {**user.model_dump(), **given} if isinstance(given, dict) else given for name, given in scopes.items()
        }

    @model_validator(mode="after")
    def _check(self) -> Self:
        if own := self.scopes.keys() & {"anonymous", "user", "ip"}:
            raise ValueError(f"{min(own)} stands beside scopes, not in them")
        dearest = max(role.cost for role in (self.anonymous, self.user, *self.scopes.values()))
        if dearest > self.ip.points:
            raise ValueError(f"a document may cost {dearest} points, which ip's {self.ip.points} never hold")
        return self
