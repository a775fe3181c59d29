"""upsertUsers."""

from collections.abc import Sequence

from commands import upserts as commands
from commands.upserts import UserUpsert
from context import Context
from models.users import UserRow
from resolvers.payloads import Payload


async def upsert(context: Context, items: Sequence[UserUpsert]) -> Payload[list[UserRow | None]]:
    """Resolves Mutation.upsertUsers. The payload has both users and errors if only some of the items are refused."""
    users, errors = await commands.upsert(context, items)
    return Payload(users, tuple(errors))
