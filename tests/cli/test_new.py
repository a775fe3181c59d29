"""`plaudit new` makes a folder, or says why it does not."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.main import app
from settings.environment import read


def new(name: str) -> Result:
    return CliRunner().invoke(app, ["new", "--", name])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_folder_has_a_business_a_page_and_a_guide(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = new("tea-shop")

    assert (made.exit_code, made.output) == (0, "Made tea-shop/. Its README.md says how to start it.\n")
    root = folder / "tea-shop"
    files = {str(file.relative_to(root)): file.read_text() for file in root.rglob("*") if file.is_file()}
    assert files.keys() == {".gitignore", "README.md", "businesses.toml", "page/index.html", "setup.sh"}
    assert not any("@" + name + "@" in text for text in files.values() for name in ("NAME", "BUSINESS", "PROGRAMS"))
    monkeypatch.setenv("PLAUDIT_BUSINESSES_FILE", str(folder / "tea-shop" / "businesses.toml"))
    settings = read(env="development", jwt_secret="s" * 32)
    assert [one.name for one in settings.businesses if one.id >= 100] == ["tea_shop"]


@pytest.mark.parametrize(
    "name",
    [
        "",
        "Shop",
        "a b",
        "../shop",
        "/shop",
        "-shop",
        "shop-",
        "7shop",
        "x" * 32,
        "shop\n",
        "läden",
        ".",
        "a/b",
        "a$b",
    ],
)
def test_a_bad_name_is_refused_in_a_sentence(folder: Path, name: str) -> None:
    refused = new(name)

    assert (refused.exit_code, refused.output.count("cannot be the name. Use 1 to 31 lower-case")) == (1, 1)
    assert [*folder.iterdir()] == []


@pytest.mark.parametrize("name", ["post", "comment", "user", "topic", "collection"])
def test_a_name_of_plaudit_is_refused(folder: Path, name: str) -> None:
    refused = new(name)

    assert (refused.exit_code, "Choose another name." in refused.output) == (1, True)
    assert [*folder.iterdir()] == []


@pytest.mark.parametrize("is_file", [True, False])
def test_what_exists_stays_as_it_is(folder: Path, is_file: bool) -> None:
    place = folder / "shop"
    if is_file:
        place.write_text("mine")
    else:
        place.mkdir()

    refused = new("shop")

    assert (refused.exit_code, "exists already" in refused.output) == (1, True)
    assert place.read_text() == "mine" if is_file else [*place.iterdir()] == []
