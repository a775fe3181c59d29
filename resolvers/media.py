"""URLs of images and avatars."""

from collections.abc import Sequence

from context import Context
from models.images import Image
from models.users import UserRow


def signed(context: Context, images: Sequence[Image]) -> list[str]:
    """Resolves Image.url: the signed URL of each image."""
    now_ms, signed = context.state.now_ms(), context.state.images.sign
    return [signed(image.url, now_ms) for image in images]


def avatars(context: Context, users: Sequence[UserRow]) -> list[str | None]:
    """Resolves User.avatarUrl: the signed URL of each user's picture; None if there is no picture, or if its host is
    not allowed.
    """
    now_ms, avatar = context.state.now_ms(), context.state.images.sign_avatar
    return [avatar(user.avatar_url, now_ms) for user in users]
