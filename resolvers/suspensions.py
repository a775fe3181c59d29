"""The suspension of a user."""

from collections.abc import Sequence

from context import Context
from models.users import SuspensionMode, SuspensionRow, UserRow


def of_users(context: Context, users: Sequence[UserRow]) -> list[SuspensionRow | None]:
    """Resolves User.suspension: the suspension of each user that is in force, or None if the viewer may not see it."""
    return [_shown(context, user, user.suspension(context.state.now_ms())) for user in users]


def _shown(context: Context, user: UserRow, suspension: SuspensionRow | None) -> SuspensionRow | None:
    """Returns a suspension for moderators, and for its user unless the mode is SHADOW."""
    if suspension is None or context.moderates:
        return suspension
    own = user.user_id == context.account_id
    return suspension if own and suspension.mode is not SuspensionMode.SHADOW else None
