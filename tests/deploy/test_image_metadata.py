"""An image that buildah builds has the health check of the Dockerfile in the format `docker`, but not in `oci`."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.deploy.kit import DOCKERFILE

BUILDAH = shutil.which("buildah")
pytestmark = [
    pytest.mark.prove,
    pytest.mark.skipif(BUILDAH is None, reason="buildah is not on the PATH: apt-get install buildah"),
    pytest.mark.skipif(os.geteuid() != 0, reason="needs root rights, to build an image"),
]


def metadata(folder: Path, image_format: str) -> dict[str, object]:
    """Builds an image without files that has the metadata of the Dockerfile's last stage. Returns its configuration."""
    assert BUILDAH
    last = re.split(r"^FROM .*\n", DOCKERFILE, flags=re.MULTILINE)[-1]
    (folder / "Dockerfile").write_text("FROM scratch\n" + re.sub(r"^COPY .*\n", "", last, flags=re.MULTILINE))
    storage = [f"--root={folder}/storage", f"--runroot={folder}/run", "--storage-driver=vfs"]
    build = [
        BUILDAH,
        *storage,
        "build",
        f"--format={image_format}",
        "--isolation=chroot",
        "--tag=metadata",
        str(folder),
    ]
    subprocess.run(build, check=True, capture_output=True)
    inspect = [BUILDAH, *storage, "inspect", "--type=image", "metadata"]
    found = json.loads(subprocess.run(inspect, check=True, capture_output=True).stdout)
    return dict(found["Docker"]["config"])


def test_the_format_of_docker_keeps_the_health_check(tmp_path: Path) -> None:
    config = metadata(tmp_path, "docker")

    health = config["Healthcheck"]
    assert isinstance(health, dict)
    assert health["Test"][:2] == ["CMD", "python"]
    assert "/livez" in health["Test"][3]
    assert (config["User"], config["Entrypoint"], config["Cmd"]) == ("10001:10001", ["plaudit"], ["api"])
    assert (config["StopSignal"], list(config["ExposedPorts"])) == ("SIGTERM", ["8000/tcp"])  # type: ignore[call-overload]


def test_the_format_oci_loses_the_health_check(tmp_path: Path) -> None:
    assert "Healthcheck" not in metadata(tmp_path, "oci")
