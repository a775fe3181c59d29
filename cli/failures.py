"""Makes commands report failures without a traceback."""

from typing import Any

import typer
from typer.exceptions import TyperException

from dependencies.typer import TyperGroup


class Commands(TyperGroup):
    """A group of commands. If a command raises an exception that `checks.reasons` knows, prints its reason to standard
    error, and exits with status 1.
    """

    def get_params(self, ctx: Any) -> list[Any]:
        """Returns the options. Flags that are not given are false: to convert None, typer would import pydantic."""
        params = super().get_params(ctx)
        for one in params:
            if one.default is None:
                one.default = False
        return params

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except (typer.Exit, typer.Abort, TyperException, BrokenPipeError):
            raise  # typer handles these. The reader of the output has ended in the last case, such as `head`
        except Exception as error:
            from checks.reasons import reason  # late, because it imports the clients of the stores

            if message := reason(error):
                typer.secho(message, err=True, fg="red")
                raise typer.Exit(1) from None
            raise
