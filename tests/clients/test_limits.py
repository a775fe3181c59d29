"""The limits that the client kit knows are those of a deployment that does not change them."""

import re

from settings import ContentSettings
from tests.support.deployment import ROOT

SOURCE = ROOT / "clients" / "typescript" / "src" / "limits.ts"


def test_the_limits_of_the_client_kit_are_the_defaults_of_the_settings() -> None:
    found = {name: int(value) for name, value in re.findall(r"(\w+): (\d+)", SOURCE.read_text())}
    defaults = ContentSettings()

    assert found == {
        "postCharacters": defaults.post_characters,
        "postFiles": defaults.post_images,
        "commentCharacters": defaults.comment_characters,
    }
