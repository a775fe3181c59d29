"""The parts of typer that dependencies/typer.py takes."""

from typing import Annotated, Any

import typer
from typer.testing import CliRunner

from dependencies.typer import TyperGroup, get_docs_for_click
from tests.dependencies.library import Library

TYPER = Library("typer", "typer")


class Reporting(TyperGroup):
    """A group that does what that of cli/failures.py does."""

    def get_params(self, ctx: Any) -> list[Any]:
        params = super().get_params(ctx)
        for one in params:
            if one.default is None:
                one.default = False
        return params

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except ZeroDivisionError as error:
            typer.echo(f"failed: {error}")
            raise typer.Exit(3) from None


app = typer.Typer(help="All commands.", cls=Reporting)


@app.command()
def first(port: Annotated[int, typer.Option(help="The port.")] = 1) -> None:
    """Does one thing."""


@app.command()
def second() -> None:
    """Does another thing."""
    typer.echo(1 / 0)


def test_a_command_line_is_described_with_its_commands_and_options() -> None:
    TYPER.takes(get_docs_for_click, by_name=("ctx", "name", "obj", "title"))
    command = typer.main.get_command(app)

    text = get_docs_for_click(obj=command, ctx=typer.Context(command), name="own", title="The title")

    for part in ("# The title", "All commands.", "own first", "Does one thing.", "--port", "The port.", "own second"):
        assert part in text, TYPER.has_changed(f"the description has no {part!r}")


def test_a_group_runs_its_commands_by_methods_that_can_be_overridden() -> None:
    group = typer.main.get_command(app)
    TYPER.has(group, "commands", "get_params", "invoke")
    failed = CliRunner().invoke(app, ["second"])

    assert isinstance(group, Reporting)
    assert (failed.exit_code, failed.stdout) == (3, "failed: division by zero\n"), TYPER.has_changed(
        "a group does not run its commands by `invoke`"
    )
    assert [one.default for one in group.get_params(typer.Context(group)) if one.default is None] == []
