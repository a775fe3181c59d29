"""Images of posts and comments."""

from collections.abc import Iterable
from typing import NamedTuple


class Image(NamedTuple):
    """An image: its unsigned URL, and its alternative text."""

    url: str
    alt: str | None


Images = tuple[Image, ...]


def plain(images: Iterable[Image]) -> list[list[str | None]]:
    """Converts images to JSON: pairs of URL and alternative text."""
    return [list(image) for image in images]


def from_plain(images: Iterable[Iterable[str | None]]) -> Images:
    """Converts what `plain` returns to images. Raises TypeError if the input is malformed."""
    return tuple(Image(*image) for image in images)  # type: ignore[arg-type]  # callers check the parts
