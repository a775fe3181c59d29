"""Users: the viewer, and lookup by handle and by external id."""

from collections.abc import Sequence

from context import Context
from domain import handles, texts
from domain.errors import BadInput
from identity.permissions import ModeratorRole
from models.users import UserRow, ViewerRow
from resolvers.nodes import answered

MOST = 100


def viewer(context: Context) -> ViewerRow | None:
    """Resolves Query.viewer: the signed-in user, or None."""
    return ViewerRow(context.viewer.user_id) if context.viewer else None


def moderation_roles(context: Context, viewers: Sequence[ViewerRow]) -> list[ModeratorRole | None]:
    """Resolves Viewer.moderationRole: the role in moderation of the token; None if it does not moderate."""
    role = context.viewer.role if context.viewer and context.moderates else None
    return [role for _ in viewers]


async def by_handle(context: Context, handle: str) -> UserRow | None:
    """Resolves Query.user: the user with this handle (unique name); None if there is none, or if the viewer may not see
    the user. Raises BadInput for text that cannot be a handle.
    """
    lowered = handles.canonical(handle)
    if lowered is None:
        raise BadInput(handles.RULE)
    user_id = await context.content.handles.load(lowered)
    return await context.content.users.load(user_id) if user_id else None


async def by_external_ids(context: Context, external_ids: Sequence[str]) -> list[UserRow | Exception | None]:
    """Resolves Query.users: the user of each external id, or None. An external id is the user's id at the identity
    provider that issued the caller's token (the claim `sub`).

    The result has an exception in place of a user who cannot be read; if no user can be read, the first exception is
    raised. Raises Unauthenticated without a token, Forbidden if the token lacks the scope `users:read` or
    `users:write`, and BadInput for more than 100 or malformed external ids.
    """
    issuer = context.require_scope("users:read", "users:write").issuer
    if len(external_ids) > MOST:
        raise BadInput(f"Pass at most {MOST} external ids.")
    identities = [(issuer, texts.identifier(external_id, "An external id")) for external_id in external_ids]
    ids = await context.shared.identities.get_each(identities)
    known = [user_id for user_id in ids if isinstance(user_id, int)]
    by_id = dict(zip(known, await context.content.kept_users.ask(known, each=True), strict=True))
    return answered([by_id[user_id] if isinstance(user_id, int) else user_id for user_id in ids])
