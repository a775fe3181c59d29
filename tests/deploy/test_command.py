"""The command `plaudit` of the kit imports and exports through standard input and output: it can open no file."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from settings import Settings
from tests.deploy.kit import KIT
from tests.support.deployment import ROOT

pytestmark = [
    pytest.mark.parametrize("redis_mode", ["standalone"]),
    pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("unshare"), reason="hiding a folder needs root, unshare"),
]
ANN = {"kind": "user", "externalId": "ann", "handle": "ann", "createdAt": "2007-06-05T04:03:02.001Z"}
BAD = {"kind": "follow", "follower": "bob", "followee": "ann", "createdAt": "2021-01-01T00:00:00Z"}
STAND_IN = f"""#!/bin/sh
# Does what systemd-run does for DynamicUser and --pipe: starts the program without access to the files of the caller,
# in another folder, and passes the standard streams, which are open already.
piped=no
while [ "$1" != /opt/plaudit/bin/plaudit ]; do
    case "$1" in --pipe) piped=yes ;; --setenv=TMPDIR=*) export "${{1#--setenv=}}" ;; esac
    shift
done
shift
[ $piped = yes ] && exec unshare --mount sh -c \
    'mount -t tmpfs -o ro tmpfs "$PWD" && cd / && exec {sys.executable} -m plaudit "$@"' sh "$@"
"""


def test_it_imports_and_exports_without_access_to_files(make_settings: Callable[..., Settings], tmp_path: Path) -> None:
    settings = make_settings()
    assert settings.jwt_secret
    files, stand_in = tmp_path / "files", tmp_path / "systemd-run"
    stand_in.write_text(STAND_IN)
    stand_in.chmod(0o755)
    environment = {
        "PATH": f"{tmp_path}:/usr/sbin:/usr/bin:/sbin:/bin",
        "PYTHONPATH": str(ROOT),
        "DATABASE_URL": settings.database_url,
        "REDIS_URL": settings.redis_url,
        "PLAUDIT_ENV": "development",
        "PLAUDIT_BUSINESSES_FILE": str(settings.businesses_file),
        "PLAUDIT_PARTITIONS": str(settings.partitions),
        "PLAUDIT_JWT_SECRET": settings.jwt_secret.get_secret_value(),
    }
    files.mkdir()
    (files / "archive.jsonl").write_text(f"{json.dumps(ANN)}\n{json.dumps(BAD)}\n")

    def plaudit(words: str) -> tuple[int, str]:
        command = ["/bin/sh", "-c", f"{KIT / 'bin' / 'plaudit'} {words}"]
        done = subprocess.run(command, cwd=files, env=environment, check=False, stderr=subprocess.PIPE, text=True)
        return done.returncode, done.stderr

    assert plaudit("import - --yes --rejects - < archive.jsonl > rejects.jsonl")[0] == 2
    assert plaudit("export - > everything.jsonl")[0] == 0
    status, message = plaudit("import archive.jsonl > nothing")

    (reject,) = map(json.loads, (files / "rejects.jsonl").read_text().splitlines())
    assert (reject["line"], json.loads(reject["input"])) == (2, BAD)
    (exported,) = map(json.loads, (files / "everything.jsonl").read_text().splitlines())
    assert exported == ANN | {"displayName": "ann"}
    assert (status, "does not exist" in message) == (2, True)
