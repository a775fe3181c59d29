"""The TypeScript verifier of webhooks compiles with all checks, and accepts what Plaudit signs."""

import json
import shutil
from pathlib import Path

import pytest

from domain import webhook_signatures
from tests.support.node import INSTALL_SECONDS, needs_node, run

HERE = Path(__file__).parent
SECRET, OTHER, NOW = webhook_signatures.new_secret(), webhook_signatures.new_secret(), 1_700_000_000
BODY = '{"text": "héllo"}'
MALFORMED = ["A", "A=", "AAAAA", "AAAA=====", "A" * 43, "A" * 44 + "=", "====", "é" * 43 + "="]
"""Signatures that are no base64 of 32 bytes."""
CHECKS = "--strict --noUncheckedIndexedAccess --target es2022 --module nodenext --lib es2024,dom"

pytestmark = [pytest.mark.prove, needs_node]


def test_the_typescript_verifier_accepts_only_what_is_signed(tmp_path: Path) -> None:
    for name in ("package.json", "package-lock.json", "verify.mjs"):
        shutil.copy(HERE / name, tmp_path)
    shutil.copy(HERE.parents[1] / "clients" / "typescript" / "src" / "webhooks.ts", tmp_path)
    signed = webhook_signatures.headers([SECRET], "3-1-2-2", NOW, BODY.encode())
    both = webhook_signatures.headers([OTHER, SECRET], "3-1-2-2", NOW, BODY.encode())
    good = [(SECRET, signed, BODY, NOW), (SECRET, both, BODY, NOW + 299), (SECRET, signed, BODY, NOW - 299)]
    bad = [
        (SECRET, signed, BODY + " ", NOW),
        (OTHER, signed, BODY, NOW),
        (SECRET, signed, BODY, NOW + 301),
        (SECRET, signed | {"webhook-id": "3-1-2-3"}, BODY, NOW),
        (SECRET, signed | {"webhook-timestamp": "soon"}, BODY, NOW),
        (SECRET, signed | {"webhook-signature": "v1,!!! v1, v2,AAAA"}, BODY, NOW),
        *((SECRET, signed | {"webhook-signature": f"v1,{one}"}, BODY, NOW) for one in MALFORMED),
        (SECRET, signed | {"webhook-timestamp": "9" * 5000}, BODY, NOW),
        (SECRET, {}, BODY, NOW),
    ]

    run(tmp_path, "npm", "ci", seconds=INSTALL_SECONDS)
    run(tmp_path, "node_modules/.bin/tsc", *CHECKS.split(), "webhooks.ts")
    accepted = json.loads(run(tmp_path, "node", "verify.mjs", CASES=json.dumps(good + bad)))

    assert accepted == [True] * len(good) + [False] * len(bad)
