"""`plaudit search`: makes the index for search again."""

import typer

from cli.console import DataDir, settings_of
from cli.failures import Commands
from cli.progress import progress

search = typer.Typer(cls=Commands, no_args_is_help=True, help="Search: the index of posts, comments and entities.")


@search.command()
def rebuild(data_dir: DataDir = None) -> None:
    """Let workers make the index again, for example after a change of the language. Shows the progress, and returns
    when everything is indexed. Search finds what is indexed already. The command can be stopped and started again.
    """
    import asyncio

    from workers.search import rebuild as run

    with progress("posts, comments and entities") as show:
        done = asyncio.run(run(settings_of(data_dir), show))
    print(f"Indexed {done:,} posts, comments and entities.")
