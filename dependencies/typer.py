"""Undocumented parts of typer: the methods of a group of commands, and the reference of a command line as Markdown.

**What.** `TyperGroup` can be subclassed, but its methods `get_params` and `invoke` are those of typer's private copy of
click. `get_docs_for_click` returns the text that `typer … utils docs` writes.

**Why.** No setting of a group reports an exception as one line, or starts a command without importing pydantic. The
documented command for the reference runs as a process of its own and writes a file, but `make docs` and the test of the
reference need the text, with our title and note.

**Test.** tests/dependencies/test_typer.py runs and describes a small command line.

**Upgrade.** Read `typer/core.py` and `typer/cli.py`. To do without: catch exceptions in each command of cli/, and run
`typer cli.main utils docs` for docs/reference/cli.md.
"""

from typer.cli import get_docs_for_click
from typer.core import TyperGroup

__all__ = ["TyperGroup", "get_docs_for_click"]
