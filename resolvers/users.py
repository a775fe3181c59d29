"""Users: the viewer, others by handle or external id, profiles and registration."""

from collections.abc import Sequence

from commands import users as commands
from commands.users import ProfileChange, UserWish
from context import Context
from domain import texts
from domain.errors import BadInput
from models.users import UserRow, ViewerRow
from resolvers.nodes import answered
from resolvers.payloads import Payload, payload

MOST = 100


def viewer(context: Context) -> ViewerRow | None:
    """Query.viewer: null when nobody is signed in."""
    return ViewerRow(context.viewer.user_id) if context.viewer else None


async def by_handle(context: Context, handle: str) -> UserRow | None:
    """Query.user. Raises BadInput for what could not be a handle."""
    lowered = texts.folded_handle(handle)
    if lowered is None:
        raise BadInput("This is not a handle.")
    user_id = await context.loaders.handles.load(lowered)
    return await context.loaders.users.load(user_id) if user_id else None


async def by_external_ids(context: Context, external_ids: Sequence[str]) -> list[UserRow | Exception | None]:
    """Query.users: by subject, of the caller's own identity provider, in order; as of `nodes.by_ids`.

    Raises Unauthenticated, Forbidden without the scope, and BadInput.
    """
    issuer = context.require_scope("users:read", "users:write").issuer
    if len(external_ids) > MOST:
        raise BadInput(f"At most {MOST} at a time.")
    identities = [(issuer, texts.name(external_id, "an external id")) for external_id in external_ids]
    ids = await context.shared.identities.get_each(identities)
    known = [user_id for user_id in ids if isinstance(user_id, int)]
    by_id = dict(zip(known, await context.loaders.users.ask(known, each=True), strict=True))
    return answered([by_id[user_id] if isinstance(user_id, int) else user_id for user_id in ids])


async def update_profile(context: Context, change: ProfileChange) -> Payload[UserRow]:
    """updateProfile."""
    return await payload(commands.update_profile(context, change))


async def register(context: Context, wishes: Sequence[UserWish]) -> Payload[list[UserRow]]:
    """registerUsers."""
    return await payload(commands.register(context, wishes))
