"""`plaudit token`: makes sign-in tokens for development, tools, and deployments without an identity provider."""

import asyncio
from collections.abc import Sequence

from commands.users import identify
from domain import handles
from identity import auth
from identity.claims import Claims
from loaders.shared import SharedLoaders
from settings import Settings
from state import opened
from store.people import held_handles, identities


def issue(settings: Settings, handle: str, scopes: Sequence[str] = (), businesses: Sequence[str] = ()) -> str:
    """Returns a sign-in token for the user with this handle, valid for `auth.MINTED_SECONDS` (30 days). `scopes` are
    the permissions that the token grants. `businesses` restricts the token to these businesses; if empty, there is no
    restriction. Creates the user if the handle is unknown. If it belongs to a user of another issuer, or if users may
    not choose it, the new user gets a similar handle.

    Raises Refused for an invalid handle, ValueError if there is no shared secret or no claim can grant `scopes`.
    """
    return auth.mint(settings, asyncio.run(_subject(settings, handle)), scopes=scopes, businesses=businesses)


async def _subject(settings: Settings, handle: str) -> str:
    handle = handles.checked(handle)
    async with opened(settings, "token") as state:
        holder = (await held_handles.holders(state.postgres, [handle])).get(handle)
        if holder and (known := await identities.subject_of(state.postgres, settings.issuer, holder)):
            return known
        await identify(state, SharedLoaders(state), Claims(settings.issuer, subject=handle, handle=handle))
        return handle
