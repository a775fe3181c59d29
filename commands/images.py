"""Checks the images of posts and comments."""

from collections.abc import Sequence

from context import Context
from domain import texts
from domain.errors import ImageNotAllowed, Refused, UserErrorCode
from models.images import Image

_LONGEST_ALT = 500


def check(context: Context, images: Sequence[Image], most: int) -> list[Image]:
    """Returns the images of the input field `images` in the form in which they are stored.

    Raises Refused with TOO_MANY_IMAGES for more than `most`, or with IMAGE_NOT_ALLOWED, TEXT_TOO_LONG or TEXT_INVALID
    for an invalid image.
    """
    if len(images) > most:
        raise Refused.because(UserErrorCode.TOO_MANY_IMAGES, f"At most {most} images.", "images")
    return [_image(context, image, str(i)) for i, image in enumerate(images)]


def _image(context: Context, image: Image, at: str) -> Image:
    try:
        url = context.state.images.canonical_url(image.url)
    except ImageNotAllowed as error:
        raise Refused.because(UserErrorCode.IMAGE_NOT_ALLOWED, error.message, "images", at, "url") from error
    return Image(url, image.alt and texts.user_text(image.alt, _LONGEST_ALT, "images", at, "alt"))
