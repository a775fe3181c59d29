import tomllib
from pathlib import Path

import pytest

from runner.errors import RunnerError
from runner.readme import commands

ROOT = Path(__file__).parents[2]
CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text())


def ours() -> set[str]:
    """Returns the top-level modules and packages of the product."""
    packages = {init.parent.name for init in ROOT.glob("*/__init__.py")} - {"bench", "ops", "plaudit", "tests"}
    return packages | {module.stem for module in ROOT.glob("*.py")}


def test_a_wheel_has_every_module_and_the_migrations() -> None:
    held = CONFIG["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]

    assert ours() | {"alembic"} <= {name.removesuffix(".py") for name in held}


def test_import_rules_cover_every_module() -> None:
    assert ours() <= set(CONFIG["tool"]["importlinter"]["root_packages"])


def test_the_folder_of_migrations_does_not_shadow_the_library() -> None:
    assert not (ROOT / "alembic" / "__init__.py").exists()


def test_the_lock_file_has_no_host_and_no_path() -> None:
    lock = (ROOT / "requirements.lock").read_text()

    assert "://" not in lock
    assert "--index-url" not in lock
    assert "--find-links" not in lock


def test_commands_of_a_readme_are_returned_word_for_word() -> None:
    readme = "```graphql\nmake test\n```\n```sh\n# this takes a while\ngit clone x\n$ make run ARGS=--no-seed\n```\n"

    assert commands(readme, "run") == ["git clone x", "make run ARGS=--no-seed"]
    with pytest.raises(RunnerError, match="make test"):
        commands(readme, "test")
