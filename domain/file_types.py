"""The types of files that users may upload: their extensions, and the bytes with which they begin.

Types that a browser runs as a program, such as SVG and HTML, are not among them.
"""

import re
from typing import NamedTuple


class FileType(NamedTuple):
    """A type of files: the extension of its names, and a pattern for the first bytes."""

    extension: str
    begins: re.Pattern[bytes]


def _type(extension: str, begins: bytes) -> FileType:
    return FileType(extension, re.compile(begins, re.DOTALL))


SNIFFED_BYTES = 32
"""How many bytes of a file `begins` needs."""
FILE_TYPES = {
    "image/jpeg": _type("jpg", rb"\xff\xd8\xff"),
    "image/png": _type("png", rb"\x89PNG\r\n\x1a\n"),
    "image/gif": _type("gif", rb"GIF8[79]a"),
    "image/webp": _type("webp", rb"RIFF....WEBP"),
    "image/avif": _type("avif", rb"....ftypavi[fs]"),
    "video/mp4": _type("mp4", rb"....ftyp"),
    "video/webm": _type("webm", rb"\x1aE\xdf\xa3"),
    "audio/mpeg": _type("mp3", rb"ID3|\xff[\xe2-\xff]"),
    "audio/mp4": _type("m4a", rb"....ftyp"),
    "audio/ogg": _type("ogg", rb"OggS"),
    "audio/wav": _type("wav", rb"RIFF....WAVE"),
}
"""The known types, by media type. The setting `types` of uploads allows some of them."""
MIME_TYPES = {type_.extension: mime_type for mime_type, type_ in FILE_TYPES.items()}
"""The media types by extension."""


def begins_as(mime_type: str, beginning: bytes) -> bool:
    """Tells whether the first bytes of a file are those of its media type, which must be one of FILE_TYPES."""
    return FILE_TYPES[mime_type].begins.match(beginning) is not None
