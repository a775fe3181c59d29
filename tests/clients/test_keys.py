"""Idempotency keys of the client kit are UUIDs everywhere, also where `crypto` or `crypto.randomUUID` is missing."""

import json
from pathlib import Path
from uuid import RFC_4122, UUID

import pytest

from tests.support.deployment import ROOT
from tests.support.node import compiled, needs_compiler, run

COUNT = 1000
SOURCES = {
    "localhost and https": "crypto",
    "http": "{ getRandomValues: (bytes) => crypto.getRandomValues(bytes) }",
    "an old React Native": "undefined",
}
MAKE = """
import { newKey } from "./new-key.mjs";
const replace = (value) => Object.defineProperty(globalThis, "crypto", { value, configurable: true });
"""


def made(folder: Path, source: str, count: int = COUNT) -> list[UUID]:
    """Makes keys in Node, with `source` in place of `crypto`."""
    compiled(ROOT / "clients" / "typescript" / "src" / "new-key.ts", folder)
    replace = f"const crypto = globalThis.crypto;\nreplace({source});\n"
    (folder / "make.mjs").write_text(
        f"{MAKE}{replace}console.log(JSON.stringify(Array.from({{length: {count}}}, newKey)))"
    )
    keys = json.loads(run(folder, "node", "make.mjs"))
    assert [str(UUID(key)) for key in keys] == keys
    return [UUID(key) for key in keys]


@needs_compiler
@pytest.mark.parametrize("place", SOURCES)
def test_keys_are_different_uuids_of_version_4(tmp_path: Path, place: str) -> None:
    keys = made(tmp_path, SOURCES[place])

    assert len(set(keys)) == COUNT
    assert {(key.version, key.variant) for key in keys} == {(4, RFC_4122)}
    for bit in set(range(128)) - {*range(76, 80), 62, 63}:  # all other bits are random
        assert 0.3 < sum(key.int >> bit & 1 for key in keys) / COUNT < 0.7


@needs_compiler
def test_a_key_is_made_of_the_random_bytes_of_the_browser(tmp_path: Path) -> None:
    (key,) = made(tmp_path, "{ getRandomValues: (bytes) => bytes.fill(0xff) }", 1)

    assert str(key) == "ffffffff-ffff-4fff-bfff-ffffffffffff"
