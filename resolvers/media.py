"""URLs of images, videos, audio files and avatars."""

from collections.abc import Sequence

from context import Context
from models.attachments import Attachment
from models.users import UserRow


def signed(context: Context, images: Sequence[Attachment]) -> list[str]:
    """Resolves Image.url and Attachment.url: the signed URL of each file."""
    now_ms, signed = context.state.now_ms(), context.state.images.sign
    return [signed(image.url, now_ms) for image in images]


def signed_posters(context: Context, attachments: Sequence[Attachment]) -> list[str | None]:
    """Resolves Attachment.posterUrl: the signed URL of the poster of each video or audio file; None without a
    poster.
    """
    now_ms, signed = context.state.now_ms(), context.state.images.sign
    return [None if one.poster_url is None else signed(one.poster_url, now_ms) for one in attachments]


def avatars(context: Context, users: Sequence[UserRow]) -> list[str | None]:
    """Resolves User.avatarUrl: the signed URL of each user's picture; None if there is no picture, or if its host is
    not allowed.
    """
    now_ms, avatar = context.state.now_ms(), context.state.images.sign_avatar
    return [avatar(user.avatar_url, now_ms) for user in users]
