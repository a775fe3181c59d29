"""`plaudit check` tries what the access key of the store of uploads must be able to do."""

import secrets
from collections.abc import Callable

import pytest
from pydantic import SecretStr

from checks import Severity
from settings import ImageSettings, Settings
from settings.images import ImageKey
from tests.checks.found import bad, findings_of
from tests.support.file_store import READER, WRITER, FileStore, listed, needs_file_store
from tests.support.fixtures import file_store

__all__ = ["file_store"]
pytestmark = needs_file_store

Make = Callable[..., Settings]


def uploading(make: Make, store: FileStore, **changes: object) -> Settings:
    """Returns settings of a deployment whose users upload files. `changes` replace settings of uploads."""
    uploads = store.settings().model_copy(update=changes)
    key = ImageKey(id="k", secret=SecretStr(secrets.token_urlsafe(32)))
    return make(images=ImageSettings(hosts=("images.example.com",), keys=(key,), uploads=uploads))


async def test_a_key_with_all_rights_has_no_findings_and_leaves_no_file(
    production: Make, file_store: FileStore
) -> None:
    assert await bad(uploading(production, file_store)) == {}
    assert listed(file_store, "check/") == []


@pytest.mark.parametrize(
    ("access_key", "missing"),
    [
        (READER, {"uploads.write", "uploads.delete"}),
        (WRITER, {"uploads.read", "uploads.list"}),
        ("unknown", {"uploads.write", "uploads.delete", "uploads.list"}),
    ],
)
async def test_a_right_that_is_missing_is_a_finding(
    production: Make, file_store: FileStore, access_key: str, missing: set[str]
) -> None:
    settings = uploading(production, file_store, access_key=access_key)

    assert await bad(settings) == dict.fromkeys(missing, Severity.ERROR)


async def test_a_finding_names_the_right_that_is_missing(production: Make, file_store: FileStore) -> None:
    (finding,) = await findings_of(uploading(production, file_store, access_key=READER), "uploads.delete")

    assert finding.message == (
        "the store of uploads answers 403 when Plaudit tries to delete a file: deletions of accounts do not end: allow "
        "the access key s3:DeleteObject for this bucket"
    )


async def test_a_store_that_does_not_answer_is_a_finding(production: Make, file_store: FileStore) -> None:
    settings = uploading(production, file_store, endpoint="http://127.0.0.1:1")

    assert await bad(settings) == {"uploads.answers": Severity.ERROR}
