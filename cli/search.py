"""`plaudit search`: rebuilds the index for search."""

import typer

from cli.console import DataDir, settings_of
from cli.failures import Commands

search = typer.Typer(cls=Commands, no_args_is_help=True, help="Search: the index of posts, comments and entities.")


@search.command()
def rebuild(data_dir: DataDir = None) -> None:
    """Rebuild the index, for example after a change of the language. Shows the progress until workers have indexed all
    posts, comments and entities. Meanwhile, search finds what is in the index. You can stop the command and start it
    again.
    """
    import asyncio

    from cli.progress import progress
    from workers.search import rebuild as run

    with progress("posts, comments and entities") as show:
        done = asyncio.run(run(settings_of(data_dir), show))
    print(f"Indexed {done:,} posts, comments and entities.")
