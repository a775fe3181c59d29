"""Which tests `make quick` runs first."""

from pathlib import Path

from runner.quick import nearest


def test_changed_tests_come_first_then_those_of_the_name_and_those_of_the_folder() -> None:
    changed = [Path("commands/likes.py"), Path("store/cache/lists.py"), Path("tests/api/test_health.py")]

    assert [*nearest(changed)] == [
        ["tests/api/test_health.py"],
        ["tests/store/cache/test_lists.py"],
        ["tests/features/likes"],
        ["tests/store/cache"],
    ]


def test_other_files_have_no_tests() -> None:
    assert [*nearest([Path("README.md"), Path("web/app/index.html"), Path("tests/support/system.py")])] == [
        [],
        [],
        [],
        [],
    ]
