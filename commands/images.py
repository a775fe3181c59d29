"""Checks the images of posts and comments, and profile pictures."""

from collections.abc import Sequence

from context import Context
from domain import texts
from domain.errors import ImageNotAllowed, Refused, UserErrorCode
from models.images import Image
from state import State

_LONGEST_ALT = 500


def check(context: Context, images: Sequence[Image], most: int) -> list[Image]:
    """Returns the images of a post or comment in the form in which they are stored: with canonical, unsigned URLs. The
    errors name the input field `images`.

    Raises Refused with TOO_MANY_IMAGES for more than `most`, or with IMAGE_NOT_ALLOWED, TEXT_TOO_LONG or TEXT_INVALID
    for an invalid image.
    """
    if len(images) > most:
        raise Refused.because(UserErrorCode.TOO_MANY_IMAGES, f"At most {most} images.", "images")
    return [_image(context, image, str(i)) for i, image in enumerate(images)]


def _image(context: Context, image: Image, at: str) -> Image:
    url = check_url(context.state, image.url, "images", at, "url")
    return Image(url, image.alt and texts.user_text(image.alt, _LONGEST_ALT, "images", at, "alt"))


def check_url(state: State, url: str, *field: str) -> str:
    """Returns the URL of an image or a profile picture in the form in which it is stored: canonical and unsigned
    (`Images.canonical_url`). Raises Refused with IMAGE_NOT_ALLOWED if users may not show this URL. `field` is the path
    of the input field with the URL.
    """
    try:
        return state.images.canonical_url(url)
    except ImageNotAllowed as error:
        raise Refused.because(UserErrorCode.IMAGE_NOT_ALLOWED, error.message, *field) from error
