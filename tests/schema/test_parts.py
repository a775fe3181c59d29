"""A type has the fields that the modules of a package define."""

from importlib import import_module
from pathlib import Path

import pytest

from schema.parts import parts

MODULES = {"__init__": "", "_private": "1 / 0", "likes": "class Fields: pass", "saves": "class Fields: pass", "x": ""}


def test_parts_come_from_every_module_that_defines_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "package_of_verbs"
    package.mkdir()
    for name, text in MODULES.items():
        (package / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    import_module(package.name)

    assert [part.__module__ for part in parts(package.name, "Fields")] == [
        "package_of_verbs.likes",
        "package_of_verbs.saves",
    ]


@pytest.mark.parametrize(
    ("package", "name"),
    [
        ("schema", "QueryFields"),
        ("schema", "MutationFields"),
        ("schema", "SubscriptionFields"),
        ("schema.reactable", "Fields"),
        ("schema.viewer", "Fields"),
    ],
)
def test_no_two_parts_of_a_type_define_one_field(package: str, name: str) -> None:
    names = [field.name for part in parts(package, name) for field in part.__strawberry_definition__.fields]

    assert len(names) > 1
    assert len({*names}) == len(names)
