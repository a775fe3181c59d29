"""The package of clients/react: packed, and installed in an empty application with React 18."""

import shutil
from pathlib import Path

import pytest

from tests.support.deployment import ROOT
from tests.support.node import INSTALL_SECONDS, needs_compiler, run

TSC = ROOT / "node_modules" / ".bin" / "tsc"
CHECKS = "--noEmit --strict --jsx react-jsx --target es2022 --module nodenext --lib es2024,dom"
RENDER = """
import { LikeButton, PlauditProvider } from "@plaudit/react";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
const page = createElement(PlauditProvider, { api: "https://api.example/graphql", language: "en" },
  createElement(LikeButton, { target: "video:v1" }));
console.log(renderToString(page));
"""

pytestmark = [pytest.mark.prove, pytest.mark.timeout(900), needs_compiler]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns an application with the packed packages and the oldest React."""
    folder = tmp_path_factory.mktemp("app")
    shutil.copy(ROOT / "tests" / "clients" / ".npmrc", folder)
    shutil.copy(ROOT / "tests" / "clients" / "react" / "app.tsx", folder)
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    for package in ("clients/typescript", "clients/react"):
        pack = ("npm", "pack", "--silent", "-w", package, "--pack-destination", str(folder))
        run(ROOT, *pack, seconds=INSTALL_SECONDS)
    packages = [str(path) for path in folder.glob("*.tgz")]
    react = ("react@18", "react-dom@18", "@types/react@18")
    run(folder, "npm", "install", *packages, *react, seconds=INSTALL_SECONDS)
    return folder


def test_the_package_has_types(installed: Path) -> None:
    run(installed, str(TSC), *CHECKS.split(), "--skipLibCheck", "app.tsx")


def test_the_package_has_its_style_its_script_and_its_licence(installed: Path) -> None:
    package = installed / "node_modules" / "@plaudit" / "react"

    for name in ("dist/embed.js", "dist/embed.LICENSES.txt", "src/style.css", "LICENSE", "README.md"):
        assert (package / name).stat().st_size > 1000, name


def test_a_component_is_rendered_by_a_server(installed: Path) -> None:
    (installed / "render.mjs").write_text(RENDER)

    html = run(installed, "node", "render.mjs")

    assert 'aria-label="Like"' in html
    assert "likes: unknown" in html
