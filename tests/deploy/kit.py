"""The files of the deployment kit, as the tests read them."""

import re
from typing import Any

import yaml

from tests.support.deployment import ROOT

KIT = ROOT / "deploy"
FILES = [path for path in KIT.rglob("*") if path.is_file()]
DOCKERFILE = (KIT / "Dockerfile").read_text()
COMPOSE = yaml.safe_load((KIT / "compose.yaml").read_text())
EXAMPLE = (KIT / ".env.example").read_text()
UNITS = sorted(KIT.glob("systemd/*.service"))


def manifests() -> list[dict[str, Any]]:
    """Returns every object of the Kubernetes manifests."""
    folder = KIT / "kubernetes"
    files = yaml.safe_load((folder / "kustomization.yaml").read_text())["resources"]
    assert {*files, "kustomization.yaml"} == {path.name for path in folder.iterdir()}
    return [one for file in files for one in yaml.safe_load_all((folder / file).read_text())]


def pods() -> list[dict[str, Any]]:
    """Returns the specifications of the pods in the manifests."""
    return [one["spec"]["template"]["spec"] for one in manifests() if "template" in one.get("spec", {})]


def services() -> dict[str, dict[str, Any]]:
    """Returns the services of compose.yaml that run Plaudit, by name."""
    return {name: service for name, service in COMPOSE["services"].items() if service["image"] == "plaudit"}


def seconds(text: str) -> float:
    """Returns a duration such as `30s`."""
    found = re.fullmatch(r"(\d+)s?", text)
    assert found, text
    return float(found[1])
