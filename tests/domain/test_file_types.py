"""Types of uploaded files: what their first bytes are."""

from typing import get_args

import pytest

from domain.file_types import FILE_TYPES, MIME_TYPES, begins_as
from settings.uploads import UploadType

BEGINNINGS = {
    "image/jpeg": b"\xff\xd8\xff\xe0\x00\x10JFIF",
    "image/png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "image/gif": b"GIF89a\x01\0",
    "image/webp": b"RIFF\n\0\0\0WEBPVP8 ",
    "image/avif": b"\0\0\0\x1cftypavif\0\0\0\0",
    "video/mp4": b"\0\0\0\x18ftypisom",
    "video/webm": b"\x1aE\xdf\xa3\x01\0",
    "audio/mpeg": b"ID3\x04\0\0",
    "audio/mp4": b"\0\0\0\x18ftypM4A ",
    "audio/ogg": b"OggS\0\x02",
    "audio/wav": b"RIFF\n\0\0\0WAVEfmt ",
}


def test_the_setting_allows_the_known_types() -> None:
    assert set(get_args(UploadType)) == set(FILE_TYPES) == set(BEGINNINGS)
    assert len(MIME_TYPES) == len(FILE_TYPES)


@pytest.mark.parametrize("mime_type", FILE_TYPES)
def test_a_file_begins_as_its_type_says(mime_type: str) -> None:
    assert begins_as(mime_type, BEGINNINGS[mime_type])
    for other in (b"", b"<html>", b"<?xml", b"%PDF-1.7", b"MZ", BEGINNINGS[mime_type][:2]):
        assert not begins_as(mime_type, other)
