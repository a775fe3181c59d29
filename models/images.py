"""Images of posts and comments."""

from collections.abc import Iterable
from typing import NamedTuple


class Image(NamedTuple):
    """An image of a post or comment: its unsigned URL, and its alternative text or None."""

    url: str
    alt: str | None


Images = tuple[Image, ...]


def plain(images: Iterable[Image]) -> list[list[str | None]]:
    """Returns images in the form in which they are stored as JSON: a list [URL, alternative text] for each."""
    return [list(image) for image in images]


def from_plain(images: Iterable[Iterable[str | None]]) -> Images:
    """Returns the images that `plain` has converted. Raises TypeError if the input has another form."""
    return tuple(Image(*image) for image in images)  # type: ignore[arg-type]  # callers check the parts
