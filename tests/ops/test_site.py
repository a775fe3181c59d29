"""The site of the docs in a real browser without the internet, and its build, which finds broken links."""

import contextlib
import functools
import http.server
import json
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.async_playwright import Axe
from graphql import GraphQLObjectType, build_schema, parse, validate
from playwright.async_api import expect

from ops.site import __main__ as site
from ops.site.pages import menu, with_wide_lists
from ops.site.schema_reference import example, reference
from ops.site.versions import versions_in, write_start
from tests.support.browser import LAPTOP, launched, looks, needs_chromium, page_on
from tests.support.deployment import ROOT

SCHEMA = (ROOT / "schema.graphql").read_text(encoding="utf-8")
EARLIER = "0.0.9"
PAGES = ("index.html", "docs/build/cookbook/index.html", "docs/reference/schema/queries.html")


@pytest.fixture(scope="module")
def zensical() -> str:
    """Installs the program as `make docs-site` does, and returns its path."""
    subprocess.run(["make", "build/site-venv/.up-to-date"], cwd=ROOT, check=True)  # noqa: S607
    return str(ROOT / "build" / "site-venv" / "bin" / "zensical")


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serves a folder while the block runs. Yields its URL."""

    class Silent(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Says nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Silent, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.prove
@pytest.mark.timeout(180)
@needs_chromium
async def test_the_site_works_without_the_internet(zensical: str, tmp_path: Path) -> None:
    earlier = tmp_path / "site" / EARLIER
    earlier.mkdir(parents=True)
    (earlier / "index.html").write_text("An earlier site")
    site.build(zensical, tmp_path / "site")
    assert (earlier / "index.html").read_text() == "An earlier site"
    version, last = versions_in(tmp_path / "site")
    assert last == EARLIER
    shutil.copytree(tmp_path / "site" / version, earlier, dirs_exist_ok=True)

    with served(tmp_path / "site") as start:
        url = f"{start}/{version}"
        async with launched() as browser:
            async with page_on(browser, LAPTOP) as page:
                await page.goto(start)
                await expect(page).to_have_url(f"{url}/index.html")
                await expect(page).to_have_title(re.compile(rf"Plaudit {re.escape(version)}"))
                await expect(page.locator("div.mermaid")).to_have_count(1)  # a diagram that is drawn
                await expect(page.locator("pre.mermaid")).to_have_count(0)
                await page.keyboard.press("/")
                await page.keyboard.type("quiet hours")
                await page.locator("a[href*='notifications.html']:visible").first.click()
                await expect(page.get_by_role("heading", level=1)).to_contain_text("Notifications")
                chooser = page.get_by_role("button", name="Select version")
                await expect(chooser).to_have_text(version)
                await chooser.focus()
                await page.get_by_role("link", name=EARLIER, exact=True).click()
                await expect(page).to_have_url(f"{start}/{EARLIER}/")
                await expect(chooser).to_have_text(EARLIER)

            for look in looks(laptop=LAPTOP).values():
                async with page_on(browser, look) as page:
                    for name in PAGES:
                        await page.goto(f"{url}/{name}")
                        await expect(page.locator("nav[aria-label]").first).to_be_attached()
                        report = await Axe().run(page)
                        assert report.response["violations"] == [], (name, report.generate_report())


@pytest.mark.prove
@pytest.mark.parametrize("link", ["missing.md", "README.md#missing"])
def test_a_broken_link_stops_the_build(
    zensical: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, link: str
) -> None:
    def broken(folder: Path) -> list[dict[str, str]]:
        (folder / "README.md").write_text(f"# Title\n\n[link]({link})\n")
        return [{"Title": "README.md"}]

    monkeypatch.setattr(site, "stage", broken)
    with pytest.raises(subprocess.CalledProcessError):
        site.build(zensical, tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_versions_are_listed_newest_first_and_the_start_page_leads_to_the_newest_release(tmp_path: Path) -> None:
    names = ["0.9.0", "0.10.0", "1.0.0rc1", "1.0.0a2", "1.0.0", "1.1.0rc1", "assets", "old"]
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").touch()
    (tmp_path / "2.0.0").mkdir()  # has no site

    write_start(tmp_path)

    listed = json.loads((tmp_path / "versions.json").read_text())
    assert [one["version"] for one in listed] == ["1.1.0rc1", "1.0.0", "1.0.0rc1", "1.0.0a2", "0.10.0", "0.9.0"]
    assert [one["version"] for one in listed if "latest" in one["aliases"]] == ["1.0.0"]
    assert 'href="1.0.0/index.html"' in (tmp_path / "index.html").read_text()


@pytest.mark.parametrize("root", ["Query", "Mutation", "Subscription"])
def test_each_operation_of_the_schema_reference_is_valid(root: str) -> None:
    schema = build_schema(SCHEMA)
    kind = schema.type_map[root]
    assert isinstance(kind, GraphQLObjectType)

    for name in kind.fields:
        assert validate(schema, parse(example(schema, root, name))) == [], name


def test_the_schema_reference_has_every_description() -> None:
    text = " ".join("\n".join(reference(SCHEMA).values()).replace("\\|", "|").split())

    for kind in build_schema(SCHEMA).type_map.values():
        members = {**getattr(kind, "fields", {}), **getattr(kind, "values", {})}
        for described in (kind, *members.values()):
            if not kind.name.startswith("__") and kind.name not in ("Query", "Mutation", "Subscription"):
                assert " ".join((described.description or "").split()) in text, kind.name


def test_what_is_below_an_item_of_a_list_is_indented_by_four_spaces() -> None:
    code = "\n\n```yaml\n- name: x\n  y: z\n```\n"
    narrow = "1. one\n   more\n\n   ```sh\n   - a\n   ```\n   - inner\n     more\n2. two"
    wide = "1. one\n    more\n\n    ```sh\n    - a\n    ```\n    - inner\n        more\n2. two"

    assert with_wide_lists(narrow + code) == wide + code


def test_the_menu_has_every_guide() -> None:
    listed = json.dumps(menu())
    guides = [*(ROOT / "docs").glob("build/**/*.md"), *(ROOT / "docs").glob("operate/*.md")]

    assert len(guides) > 40
    assert [path for path in guides if str(path.relative_to(ROOT)) not in listed] == []
