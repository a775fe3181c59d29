"""Makes commands report failures without a traceback."""

from typing import Any

import typer
from typer.exceptions import TyperException

from dependencies.typer import TyperGroup


class Commands(TyperGroup):
    """A group of commands. If a command raises an exception for which `checks.reasons.reason` knows the reason, prints
    this reason to standard error, and exits with status 1.
    """

    def get_params(self, ctx: Any) -> list[Any]:
        """Returns the options of the group, and sets the default of those without one to False, because typer would
        import pydantic to convert None.
        """
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
