"""The suspension of a user."""

from collections.abc import Sequence

from context import Context
from models.users import SuspensionMode, SuspensionRow, UserRow


def of_users(context: Context, users: Sequence[UserRow]) -> list[SuspensionRow | None]:
    """Resolves User.suspension: the current suspension of each user; None if the user is not suspended, or if the
    viewer may not see the suspension.
    """
    return [_shown(context, user, user.suspension(context.state.now_ms())) for user in users]


def _shown(context: Context, user: UserRow, suspension: SuspensionRow | None) -> SuspensionRow | None:
    """Returns the suspension if the viewer may see it, otherwise None. Moderators may see it; so may the suspended
    user, unless the mode is SHADOW.
    """
    if suspension is None or context.moderates:
        return suspension
    own = user.user_id == context.account_id
    return suspension if own and suspension.mode is not SuspensionMode.SHADOW else None
