"""What every mutation's payload has in common."""

from typing import Any

import strawberry

from errors import UserErrorCode

strawberry.enum(UserErrorCode, description="Why a mutation changed nothing.")


@strawberry.type(description="Why nothing was changed, in terms the caller can act on.")
class UserError:
    code: UserErrorCode = strawberry.field(description="For programs.")
    message: str = strawberry.field(description="For people.")
    field: list[str] | None = strawberry.field(description="The path of the input it is about.")


def user_errors() -> Any:
    """The field every payload ends with."""
    return strawberry.field(description="Empty when it was done; otherwise nothing has changed.")
