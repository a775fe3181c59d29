"""Images of posts and comments."""

from collections.abc import Sequence

import strawberry
from strawberry import UNSET

import resolvers.media as resolve
from models import images
from schema.fields import given, listed


@strawberry.type(description="An image of a post or comment.")
class Image:
    url: str = listed(
        resolve.signed,
        description="The signed URL of this image. It is valid for at least 24 hours by default; after that, read "
        "this field again. All users get the same URL for up to 6 hours by default, so that caches can reuse the "
        "image.",
    )
    alt: str | None = strawberry.field(
        description="The alternative text: a description of this image in words. Null if the author gave none."
    )


@strawberry.input(description="An image to show in a post or comment.")
class ImageInput:
    url: str = strawberry.field(
        description="The https URL of the image, at most 2000 characters. The host must be one that the operator of "
        "this deployment allows."
    )
    alt: str | None = strawberry.field(
        default=UNSET, description="The alternative text: a description of the image in words, at most 500 characters."
    )


def rows(inputs: Sequence[ImageInput] | None) -> list[images.Image] | None:
    """Returns the images of an input in the form that commands take; None for None."""
    return None if inputs is None else [images.Image(image.url, given(image.alt)) for image in inputs]
