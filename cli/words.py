"""`plaudit words`: shows, checks and replaces the word list of moderation."""

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.console import AsJson, DataDir, exit_on_error, output, print_json, settings_of
from cli.failures import Commands

if TYPE_CHECKING:
    from domain.moderation.word_list import WordList
    from models.moderation import WordListChange
    from settings import Settings

words = typer.Typer(
    cls=Commands, no_args_is_help=True, help="The word list of moderation, which can change while the system runs."
)

ListFile = Annotated[Path, typer.Argument(help="A file with a word list.")]


@words.command("show")
def show(
    revision: Annotated[
        int | None, typer.Option(min=1, max=2**31 - 1, help="Show this revision.", show_default="the newest")
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Print the word list that is in force, or an earlier one, as a file for `set`."""
    import asyncio

    with exit_on_error(LookupError, OSError, ValueError):
        typer.echo(asyncio.run(_text(settings_of(data_dir), revision)), nl=False)


@words.command("check")
def check(file: ListFile) -> None:
    """Check a word list, and print the number of its words. Exits with 1 if a line is invalid. Only `set` checks
    whether labels exist.
    """
    typer.echo(_described(_read(file, None)[1]))


@words.command("set")
def set_words(
    file: ListFile,
    by: Annotated[str, typer.Option(help="Your name, for the log of changes.")],
    reason: Annotated[str | None, typer.Option(help="The reason for the change, for the log of changes.")] = None,
    data_dir: DataDir = None,
) -> None:
    """Use a word list for all texts that are checked from now on. Changes nothing if a line is invalid."""
    import asyncio

    if not (by := by.strip()):
        raise typer.BadParameter("Give your name.", param_hint="--by")
    settings = settings_of(data_dir)
    text, listed = _read(file, {label.name for label in settings.labels.label})
    revision = asyncio.run(_set(settings, text, by, reason))
    typer.echo(f"Revision {revision} is in force. {_described(listed)}")


@words.command("log")
def show_log(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """Print all changes of the word list, oldest first: revision, time, operator and reason."""
    import asyncio

    found = asyncio.run(_changes(settings_of(data_dir)))
    _print_json(found) if as_json else _print_table(found)


def _read(file: Path, labels: Collection[str] | None) -> "tuple[str, WordList]":
    """Returns the text of a file and the word list in it. `labels` are the names of the configured labels; None allows
    all names. If the list is invalid, prints one line for each invalid line and exits.
    """
    from commands import word_lists
    from domain.moderation import word_list

    with exit_on_error(OSError, ValueError):
        text = word_list.read_text(file)
        return text, word_lists.parsed(text, str(file), labels)


def _described(listed: "WordList") -> str:
    from domain.moderation.verdicts import AuditStatus

    rejected, reviewed = (
        sum(word.status is status for word in listed.words) for status in (AuditStatus.REJECTED, AuditStatus.PENDING)
    )
    labeled = sum(bool(word.labels) for word in listed.words)
    counts = f"Words that reject: {rejected}. Words that a moderator reviews: {reviewed}."
    return f"{counts} Words that set labels: {labeled}." if labeled else counts


async def _text(settings: "Settings", revision: int | None) -> str:
    """Returns the text of the word list with this revision number; None: of the list in force. Raises LookupError for
    an unknown revision.
    """
    from commands import word_lists
    from state import opened

    async with opened(settings, "words", makes_ids=False) as state:
        found = await word_lists.revision(state, revision)
    if found is None:
        raise LookupError(f"There is no revision {revision} of the word list.")
    return found.text


async def _set(settings: "Settings", text: str, by: str, reason: str | None) -> int:
    from commands import word_lists
    from state import opened

    async with opened(settings, "words", makes_ids=False) as state:
        return await word_lists.put(state.postgres, text, by, reason)


async def _changes(settings: "Settings") -> "list[WordListChange]":
    from state import opened
    from store.moderation import word_lists

    async with opened(settings, "words", makes_ids=False) as state:
        return await word_lists.changes(state.postgres)


def _print_json(changes: "list[WordListChange]") -> None:
    print_json(
        {"revision": one.revision, "changedAt": one.changed_at.isoformat(), "by": one.changed_by, "reason": one.reason}
        for one in changes
    )


def _print_table(changes: "list[WordListChange]") -> None:
    from rich.markup import escape
    from rich.table import Table

    table = Table("revision", "changed at", "by", "reason")
    for one in changes:
        table.add_row(str(one.revision), one.changed_at.isoformat(), escape(one.changed_by), escape(one.reason or ""))
    output().print(table)
