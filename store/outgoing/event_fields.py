"""Fields of `data` that several kinds of outgoing events share, and functions that make their values from what is
stored about a change.
"""

from datetime import datetime
from typing import Annotated, Any

import orjson
from pydantic import Field

from domain.ids import UserId
from models.base import at
from store.outgoing.event_kinds import Data, Id, Json

Custom = Annotated[dict[str, Any] | None, Field(description="Custom data of the product; null if there is none.")]


class Image(Json):
    """An image of a post or comment."""

    url: Annotated[str, Field(description="The unsigned URL.")]
    alt: str | None


class Removed(Json):
    """A post or comment that is not public."""

    id: Id
    author_id: Id
    by_moderation: Annotated[bool, Field(description="Whether moderation hides it. If false, it was deleted.")]


def user(id_: int | None) -> str | None:
    """Returns the global id of the user with this internal id; None if `id_` is None."""
    return None if id_ is None else UserId.text(id_)


def custom(data: Data) -> Any:
    """Returns the custom data that the product has attached to the changed object, decoded from JSON; None if there is
    none.
    """
    text = data["custom"]
    return None if text is None else orjson.loads(text)


def images(data: Data) -> list[Data]:
    """Returns the images of a stored post or comment, as the objects `{"url", "alt"}` of an event."""
    return [{"url": url, "alt": alt} for url, alt in data["images"]]


def created_at(data: Data) -> datetime:
    """Returns the time at which a stored post or comment was created."""
    return at(data["moment"] >> 10)


def edited_at(data: Data) -> datetime | None:
    """Returns the time at which a stored post or comment was last edited; None if it never was."""
    return None if data["edited_ms"] is None else at(data["edited_ms"])
