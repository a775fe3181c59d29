"""The TypeScript verifier of webhooks compiles with all checks, and accepts what Plaudit signs."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from domain import webhook_signatures

HERE = Path(__file__).parent
PATH = os.pathsep.join(filter(None, (os.environ.get("PLAUDIT_NODE_BIN"), os.environ.get("PATH", os.defpath))))
MISSING = [program for program in ("node", "npm") if shutil.which(program, path=PATH) is None]
SECRET, OTHER, NOW = webhook_signatures.new_secret(), webhook_signatures.new_secret(), 1_700_000_000
BODY = '{"text": "héllo"}'
CHECKS = "--strict --noUncheckedIndexedAccess --target es2022 --module nodenext --lib es2024,dom"

pytestmark = [
    pytest.mark.prove,
    pytest.mark.skipif(bool(MISSING), reason=f"{' and '.join(MISSING)} neither on the PATH nor in PLAUDIT_NODE_BIN"),
]


def run(folder: Path, *words: str, **environment: str) -> str:
    environment |= {**os.environ, "PATH": PATH}
    result = subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert result.returncode == 0, f"{words}\n{result.stdout}\n{result.stderr}"
    return result.stdout


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
        (SECRET, {}, BODY, NOW),
    ]

    run(tmp_path, "npm", "ci")
    run(tmp_path, "node_modules/.bin/tsc", *CHECKS.split(), "webhooks.ts")
    accepted = json.loads(run(tmp_path, "node", "verify.mjs", CASES=json.dumps(good + bad)))

    assert accepted == [True] * len(good) + [False] * len(bad)
