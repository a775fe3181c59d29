"""The YAML of the kit has the form that Kubernetes and Compose require, by the schemas that two packages ship."""

import json
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest
import yaml

from tests.deploy.kit import COMPOSE, KIT, manifests

PACKAGES = ["kubernetes-validate==1.37.0", "compose-viz==0.3.5"]
KUBECTL = shutil.which("kubectl")


@pytest.fixture(scope="module")
def validators(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Installs the packages beside the environment of the tests, which does without their 17,000 files."""
    folder = tmp_path_factory.mktemp("validators")
    venv.create(folder, with_pip=False)
    install = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", str(folder / "bin" / "python")]
    subprocess.run([*install, "pydantic", PACKAGES[0]], check=True)
    subprocess.run([*install, "--no-deps", PACKAGES[1]], check=True)
    return folder / "bin"


@pytest.mark.prove
def test_the_manifests_are_valid_kubernetes(validators: Path, tmp_path: Path) -> None:
    file = tmp_path / "all.yaml"

    def problems(objects: list[object]) -> str:
        file.write_text(yaml.safe_dump_all(objects))
        command = [str(validators / "kubernetes-validate"), "--strict", str(file)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        return "" if done.returncode == 0 else done.stdout + done.stderr

    assert problems([*manifests()]) == ""
    misspelled = {**manifests()[0], "datas": {}}
    assert "datas" in problems([misspelled])


@pytest.mark.prove
def test_compose_yaml_is_valid_compose(validators: Path) -> None:
    program = (
        "import sys; from compose_viz.spec.compose_spec import ComposeSpecification as Compose;"
        "Compose.model_validate_json(sys.stdin.read())"
    )

    def problems(document: dict[str, object]) -> str:
        known = {name: value for name, value in document.items() if not name.startswith("x-")}
        command = [str(validators / "python"), "-c", program]
        done = subprocess.run(command, input=json.dumps(known), check=False, capture_output=True, text=True)
        return "" if done.returncode == 0 else done.stderr

    assert problems(COMPOSE) == ""
    assert "voluems" in problems({**COMPOSE, "voluems": {}})


@pytest.mark.skipif(KUBECTL is None, reason="kubectl is not on the PATH")
def test_kustomize_builds_the_manifests() -> None:
    assert KUBECTL
    built = subprocess.run([KUBECTL, "kustomize", KIT / "kubernetes"], check=True, capture_output=True, text=True)
    objects = [*yaml.safe_load_all(built.stdout)]

    assert len(objects) == len(manifests())
    assert {one["metadata"]["namespace"] for one in objects} == {"plaudit"}
    assert {one["metadata"]["labels"]["app.kubernetes.io/name"] for one in objects} == {"plaudit"}
    labels = [(one["kind"], one["metadata"]["labels"].get("app.kubernetes.io/component")) for one in objects]
    assert [kind for kind, component in labels if component == "migrate"] == ["ConfigMap", "Job"]  # applied first
    assert built.stdout.count("image: registry.example.com/plaudit:0.1.0") == 3
