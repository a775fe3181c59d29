"""Makes commands report failures without a traceback."""

from typing import Any

import typer
from typer.core import TyperGroup


class Commands(TyperGroup):
    """A group of commands. If a command raises an exception that `checks.reasons` knows, prints its reason to standard
    error, and exits with status 1.
    """

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # the reader of the output has ended, such as `head`: typer exits with status 1
            raise
        except Exception as error:
            from checks.reasons import reason

            if message := reason(error):
                typer.secho(message, err=True, fg="red")
                raise typer.Exit(1) from None
            raise
