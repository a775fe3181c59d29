"""Permissions of tokens. A token has scopes, and its claim `businesses` can restrict it to some businesses, which are
kinds of content such as `video` (docs/build/restricted-tokens.md).

Every root field and every private field of the schema declares a `Rule`, which says which tokens may use the field;
`schema.RULES` has all rules. Restricted tokens may not use a root field without a rule. `api/execute.py` checks the
rules of an operation before it runs. Commands check the business of each target, because it is known only when they
run. Loaders leave out the user's private data in other businesses.

A token can also have a role in moderation, which its claims give (identity/claims.py). Resolvers and commands check it.
"""

from collections.abc import Collection, Mapping, Sequence
from enum import Enum, IntEnum

from domain.errors import Forbidden
from domain.ids import CommentId, PostId

MODERATE = "moderate"
"""The scope of a token that gives its user the role LEAD in moderation."""

ADMIN = "admin"
"""The scope of a token that may use the administration API."""


class ModeratorRole(IntEnum):
    """The role of a token's user in moderation. Each role may do everything that the roles before it may do."""

    AUDITOR = 1
    VIEWER = 2
    MODERATOR = 3
    LEAD = 4


class Rule(Enum):
    """Which tokens may use a field of the schema."""

    ALL = "every token"
    """The field shows only what an anonymous client may read, or the identity of the token's user."""
    TARGET = "tokens for the business of the target"
    """The business is that of the object in the arguments. It is known only when the field runs; commands/targets.py
    and loaders check it.
    """
    POST = "tokens for `post`"
    COMMENT = "tokens for `comment`"
    ACCOUNT = "unrestricted tokens"
    """The field belongs to the whole account, or reads or changes data that belongs to no business."""


_BUSINESSES = {Rule.POST: PostId.business, Rule.COMMENT: CommentId.business}
_ROOTS = frozenset({"Query", "Mutation", "Subscription"})


def is_ruled(rules: Mapping[str, Rule], type_: str, field: str) -> bool:
    """Returns whether `check_fields` must check a field: the field has a rule, or it is a root field, which restricted
    tokens may not use without a rule.
    """
    return f"{type_}.{field}" in rules or (type_ in _ROOTS and not field.startswith("__"))


def check_scopes(granted: Collection[str], accepted: Sequence[str]) -> None:
    """Raises Forbidden if a token with the scopes `granted` has none of the scopes `accepted`."""
    if set(granted).isdisjoint(accepted):
        raise Forbidden(f"This requires a token with the scope {' or '.join(accepted)}.")


def check_role(granted: ModeratorRole | None, least: ModeratorRole) -> None:
    """Raises Forbidden if a token with the role `granted` (None: no role) may not do what needs the role `least`."""
    if granted is None:
        raise Forbidden(f"This requires a token with the scope {MODERATE}, or at least the role {least.name}.")
    if granted < least:
        raise Forbidden(f"This requires at least the role {least.name}. Your role is {granted.name}.")


def check_fields(rules: Mapping[str, Rule], fields: Collection[str], businesses: Collection[str]) -> None:
    """Raises Forbidden if a token that is restricted to these businesses may not use one of the fields. Call this
    function for restricted tokens only.

    `fields` are schema coordinates, such as `Query.viewer`. `rules` has the rule of each field by its coordinate. A
    field without a rule is refused. `businesses` are names.
    """
    for field in sorted(fields):
        rule = rules.get(field, Rule.ACCOUNT)
        if rule is Rule.ACCOUNT:
            raise Forbidden(f"This token is restricted to some businesses and may not use {field}.")
        if rule in _BUSINESSES and _BUSINESSES[rule] not in businesses:
            needed = _BUSINESSES[rule]
            raise Forbidden(f"This token is restricted to other businesses. {field} needs a token for {needed}.")
