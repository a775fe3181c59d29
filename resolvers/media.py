"""Images of posts and avatars, as they are given away."""

from collections.abc import Sequence

from context import Context
from models.posts import Image
from models.users import UserRow


async def signed(context: Context, images: Sequence[Image]) -> list[str]:
    """Image.url: each image's address, good for a while."""
    now_ms, signed = context.state.now_ms(), context.state.images.signed
    return [signed(image.url, now_ms) for image in images]


async def avatars(context: Context, users: Sequence[UserRow]) -> list[str | None]:
    """User.avatarUrl: each user's picture."""
    now_ms, avatar = context.state.now_ms(), context.state.images.avatar
    return [avatar(user.avatar_url, now_ms) for user in users]
