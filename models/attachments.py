"""Attachments of posts and comments: images, videos and audio files."""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, NamedTuple


class AttachmentKind(Enum):
    """The kind of an attachment. The values are stored: never change one."""

    IMAGE = "IMAGE"
    VIDEO = "VIDEO"
    AUDIO = "AUDIO"


class Attachment(NamedTuple):
    """An image, video or audio file of a post or comment: its unsigned URL, its alternative text, and facts that the
    client gave; None for a fact that is not known.
    """

    url: str
    alt: str | None
    kind: AttachmentKind = AttachmentKind.IMAGE
    width: int | None = None
    """In pixels."""
    height: int | None = None
    blurhash: str | None = None
    mime_type: str | None = None
    poster_url: str | None = None
    """The unsigned URL of the picture that is shown before a video or audio file plays."""
    duration_ms: int | None = None

    @property
    def picture_urls(self) -> tuple[str, ...]:
        """Returns the URL of an image, or of the poster of a video or audio file if it has one."""
        url = self.url if self.kind is AttachmentKind.IMAGE else self.poster_url
        return (url,) if url else ()

    @property
    def duration_seconds(self) -> float | None:
        """Returns the duration of a video or audio file; None if it is not known."""
        return None if self.duration_ms is None else self.duration_ms / 1000


Attachments = tuple[Attachment, ...]
_FACTS: Mapping[str, type] = {
    "kind": str,
    "width": int,
    "height": int,
    "blurhash": str,
    "mime_type": str,
    "poster_url": str,
    "duration_ms": int,
}


def plain(attachments: Iterable[Attachment]) -> list[list[Any]]:
    """Returns attachments in the form in which they are stored as JSON: for each a list of its URL and its alternative
    text, and of an object with its facts, unless it is an image without facts.
    """
    return [_plain(one) for one in attachments]


def _plain(one: Attachment) -> list[Any]:
    facts = {name: value for name, value in one._asdict().items() if name in _FACTS and value is not None}
    kind = facts.pop("kind")
    if kind is not AttachmentKind.IMAGE:
        facts["kind"] = kind.value
    return [one.url, one.alt, facts] if facts else [one.url, one.alt]


def from_plain(stored: Iterable[Iterable[Any]]) -> Attachments:
    """Returns the attachments that `plain` has converted. Leaves out facts that only later versions know. Raises
    TypeError or ValueError if the input has another form.
    """
    return tuple(_from_plain(*one) for one in stored)


def _from_plain(url: str, alt: str | None, facts: Mapping[str, Any] | None = None) -> Attachment:
    known = {name: value for name, value in (facts or {}).items() if name in _FACTS}
    if type(url) is not str or type(alt) not in (str, type(None)):
        raise TypeError(f"{url!r} or {alt!r} is not a text")
    if wrong := [name for name, value in known.items() if type(value) is not _FACTS[name]]:
        raise TypeError(f"wrong types: {wrong}")
    return Attachment(url, alt, AttachmentKind(known.pop("kind", AttachmentKind.IMAGE.value)), **known)
