"""An image in the format `oci`, the default of Buildah, loses the health check. So the guide asks for `docker`."""

import re
from pathlib import Path

import pytest

from tests.deploy.image import MISSING, Images
from tests.deploy.kit import DOCKERFILE

pytestmark = [pytest.mark.prove, pytest.mark.skipif(MISSING is not None, reason=str(MISSING))]


@pytest.mark.parametrize(("image_format", "kept"), [("docker", True), ("oci", False)])
def test_only_the_format_of_docker_keeps_the_health_check(tmp_path: Path, image_format: str, kept: bool) -> None:
    last = re.split(r"^FROM .*\n", DOCKERFILE, flags=re.MULTILINE)[-1]
    metadata = re.sub(r"^(COPY|RUN) .*\n", "", last, flags=re.MULTILINE)
    (tmp_path / "Dockerfile").write_text(f"FROM scratch\n{metadata}")
    images = Images(tmp_path / "images")

    images.must_run("build", f"--format={image_format}", "--isolation=chroot", "--tag=metadata", str(tmp_path))

    assert ("Healthcheck" in images.config("metadata")) is kept
