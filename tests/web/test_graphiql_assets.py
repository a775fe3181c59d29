import hashlib
import re
from pathlib import Path

import httpx
import pytest

import web

WEB = Path(web.__file__).parent
VENDOR = WEB / "vendor"
FIRST_PARTY = sorted(path for path in (WEB / "assets").iterdir() if path.is_file())
MODULES = [path for path in FIRST_PARTY if path.suffix == ".js"]
PACKAGES = sorted(path for path in VENDOR.iterdir() if path.is_dir())

# An XML namespace, which browsers do not fetch.
SVG_NAMESPACE = "http://www.w3.org/2000/svg"


def references(html: str) -> list[str]:
    return re.findall(r'(?:src|href)="([^"]*)"', html)


def external_urls(text: str) -> list[str]:
    return re.findall(r"""(?:https?|wss?)://[^\s"')]*|["'(=]//[^\s"')]*""", text.replace(SVG_NAMESPACE, ""))


async def test_all_assets_of_the_page_are_served(production: httpx.AsyncClient) -> None:
    page = await production.get("/graphiql")

    for reference in references(page.text):
        assert reference.startswith("graphiql/assets/"), reference
        asset = await production.get(f"/{reference}")
        assert asset.status_code == 200, reference
        assert asset.content, reference


async def test_the_page_has_no_url_of_another_origin(development: httpx.AsyncClient) -> None:
    assert external_urls((await development.get("/graphiql")).text) == []


@pytest.mark.parametrize("path", FIRST_PARTY, ids=lambda path: path.name)
async def test_our_own_files_have_no_url_of_another_origin(development: httpx.AsyncClient, path: Path) -> None:
    asset = await development.get(f"/graphiql/assets/{path.name}")

    assert asset.status_code == 200
    assert external_urls(asset.text) == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_a_module_imports_only_its_neighbours_and_evaluates_no_text(path: Path) -> None:
    source = path.read_text(encoding="utf-8")

    for name in re.findall(r'from "([^"]*)"', source):
        assert (path.parent / name).is_file(), name
    assert not re.search(r"\beval\(|\bFunction\(|\bimport\(|innerHTML|document\.write", source)


async def test_vendored_files_are_cached_forever(production: httpx.AsyncClient) -> None:
    page = await production.get("/graphiql")
    vendored = [reference for reference in references(page.text) if "/vendor/" in reference]

    assert len(vendored) == 4
    for reference in vendored:
        assert re.search(r"/vendor/[\w-]+@\d+\.\d+\.\d+/", reference), "the path must change with the version"
        asset = await production.get(f"/{reference}")
        assert asset.headers["Cache-Control"] == "public, max-age=31536000, immutable"


async def test_our_own_files_are_revalidated_before_each_use(production: httpx.AsyncClient) -> None:
    first = await production.get("/graphiql/assets/graphiql.js")
    again = await production.get("/graphiql/assets/graphiql.js", headers={"If-None-Match": first.headers["ETag"]})

    assert first.headers["Cache-Control"] == "no-cache"
    assert again.status_code == 304


@pytest.mark.parametrize(
    ("name", "kind"),
    [("graphiql.js", "text/javascript"), ("graphiql.css", "text/css"), ("icon.svg", "image/svg+xml")],
)
async def test_assets_state_their_type_and_belong_to_this_origin(
    production: httpx.AsyncClient, name: str, kind: str
) -> None:
    asset = await production.get(f"/graphiql/assets/{name}")

    assert asset.headers["Content-Type"].startswith(kind)
    assert asset.headers["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.parametrize("path", ["routes.py", "%2e%2e/routes.py", "vendor/%2e%2e/routes.py", "", "vendor/"])
async def test_other_files_are_not_served(production: httpx.AsyncClient, path: str) -> None:
    assert (await production.get(f"/graphiql/assets/{path}")).status_code == 404


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)
def test_a_vendored_package_has_its_licence(package: Path) -> None:
    assert (package / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")


def test_vendored_files_equal_the_committed_bytes() -> None:
    lines = (VENDOR / "checksums.txt").read_text(encoding="utf-8").splitlines()
    listed = {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
    found = {
        path.relative_to(VENDOR).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for package in PACKAGES
        for path in package.iterdir()
    }

    assert found == listed
