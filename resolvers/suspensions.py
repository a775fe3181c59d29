"""The suspension of a user."""

from collections.abc import Sequence

from context import Context
from models.users import SuspensionMode, SuspensionRow, UserRow


def of_users(context: Context, users: Sequence[UserRow]) -> list[SuspensionRow | None]:
    """Resolves User.suspension: the suspension of each user that is in force; None without one, or if the viewer may
    not see it.
    """
    return [_shown(context, user, user.suspension(context.state.now_ms())) for user in users]


def _shown(context: Context, user: UserRow, suspension: SuspensionRow | None) -> SuspensionRow | None:
    """Returns the suspension to moderators, and to its user unless the mode is SHADOW; otherwise None."""
    if suspension is None or context.moderates:
        return suspension
    own = user.user_id == context.account_id
    return suspension if own and suspension.mode is not SuspensionMode.SHADOW else None
