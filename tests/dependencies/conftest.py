"""Every failure of a test in this folder names the library, its version and what to do."""

from collections.abc import Generator

import pytest

from tests.dependencies.library import Library


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Function) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    for library in vars(item.module).values():
        if report.failed and isinstance(library, Library):
            report.sections.append(("What to do", library.has_changed("see the failure above")))
    return report
