"""Grounds: the laws and the clauses of the operator's rules on which decisions of moderation are based."""

from enum import Enum
from typing import Any

import strawberry

import resolvers.grounds as resolve
from schema.access import Rule, access
from schema.enums import describe_enum
from schema.fields import Info

GROUND = (
    "The name of the ground of the decision, one of `Query.grounds`. If it is omitted, statements of reasons name the "
    "ground that the operator has configured as the default."
)
"""The description of the input field `ground`."""


class GroundKind(Enum):
    """What a ground is: a law, or a clause of the operator's rules."""

    LAW = "law"
    RULES = "rules"


describe_enum(
    GroundKind,
    "What a ground is.",
    LAW="A law: the content or the behaviour is illegal.",
    RULES="A clause of the rules of this deployment.",
)


@strawberry.type(
    description="A ground of decisions of moderation: a law, or a clause of the rules of this deployment. The operator "
    "configures the grounds."
)
class Ground:
    name: str = strawberry.field(description="The name that moderators pass as `ground`. It never changes.")

    @strawberry.field(description="Whether the ground is a law or a clause of the rules.")
    def kind(self: Any) -> GroundKind:
        return GroundKind(self.kind)

    title: str = strawberry.field(description="The law or the clause, as people read it.")
    url: str | None = strawberry.field(description="The page with the law or the clause. Null without one.")
    reasons: list[str] = strawberry.field(
        description="Templates of reasons for decisions with this ground, as the operator has configured them. A "
        "moderator may send one of them, or another text."
    )


@strawberry.type
class QueryFields:
    @strawberry.field(
        description="The grounds that decisions of moderation can name, in the order in which the operator has "
        "configured them.",
        metadata=access(Rule.ALL),
    )
    def grounds(self: Any, info: Info) -> list[Ground]:
        return resolve.every(info.context)  # type: ignore[return-value]
