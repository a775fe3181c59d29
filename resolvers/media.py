"""Images of posts, as they are given away."""

from collections.abc import Sequence

from context import Context
from models.posts import Image


async def signed(context: Context, images: Sequence[Image]) -> list[str]:
    """Image.url: each image's address, good for a while."""
    now_ms, signed = context.state.now_ms(), context.state.images.signed
    return [signed(image.url, now_ms) for image in images]
