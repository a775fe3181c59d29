"""Which module of tests may import which."""

import ast
from pathlib import Path

TESTS = Path(__file__).parents[1]


def imported(file: Path) -> set[Path]:
    """Returns the modules under tests/ that a file imports."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    paths = {TESTS.parent.joinpath(*name.split(".")).with_suffix(".py") for name in names if name.startswith("tests.")}
    return {path for path in paths if path.is_file()}


IMPORTS = {
    file.relative_to(TESTS): {path.relative_to(TESTS) for path in imported(file)} for file in TESTS.rglob("*.py")
}


def test_no_module_imports_a_test_file_or_a_conftest() -> None:
    wrong = {
        f"{file} imports {path}"
        for file, paths in IMPORTS.items()
        for path in paths
        if path.name == "conftest.py" or path.name.startswith("test_")
    }

    assert wrong == set()


def test_helpers_that_several_folders_use_are_in_support() -> None:
    wrong = {
        f"{file} imports {path}"
        for file, paths in IMPORTS.items()
        for path in paths
        if path.parts[0] != "support" and path.parent not in file.parents
    }

    assert wrong == set()


def test_the_readme_names_every_support_module() -> None:
    readme = (TESTS / "README.md").read_text(encoding="utf-8")
    modules = {path.stem for path in (TESTS / "support").glob("*.py") if not path.name.startswith("test_")}

    assert {name for name in modules if f"`{name}`" not in readme} == set()
