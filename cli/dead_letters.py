"""`plaudit dead-letters`: lists dead letters (changes that Postgres refused), and applies them again."""

from collections.abc import Iterable

from rich.markup import escape
from rich.table import Table

from cli.console import output
from cli.progress import counted
from settings import Settings
from state import opened
from store.write_log import dead_letters
from store.write_log.dead_letters import DeadLetter
from workers.replay_dead_letters import apply_again


async def read(settings: Settings) -> list[DeadLetter]:
    """Returns all dead letters, oldest first."""
    async with opened(settings, "dead-letters", makes_ids=False) as state:
        return await dead_letters.read(state.postgres)


def to_json(letter: DeadLetter) -> dict[str, object]:
    """Returns a dead letter as a dictionary for JSON. The version is a text, because many JSON parsers would round it
    as a number.
    """
    fields = letter.entry.fields.items()
    return {
        "refusedAt": letter.refused_at.isoformat(),
        "partition": letter.entry.partition,
        "version": str(letter.entry.version),
        "entry": {name.decode(errors="replace"): value.decode(errors="replace") for name, value in fields},
        "error": letter.error,
    }


def print_table(letters: Iterable[DeadLetter]) -> None:
    """Prints a table of dead letters."""
    table = Table("refused at", "partition", "version", "entry", "error")
    for letter in letters:
        entry = b" ".join(b"%s=%s" % field for field in letter.entry.fields.items()).decode(errors="replace")
        where = (str(letter.entry.partition), str(letter.entry.version))
        table.add_row(letter.refused_at.isoformat(), *where, escape(entry), escape(letter.error))
    output().print(table)


async def replay(settings: Settings) -> bool:
    """Applies all dead letters again, and prints the result for each. Returns whether all succeeded."""
    console, done = output(), True
    async with opened(settings, "dead-letters", makes_ids=False) as state:
        for letter in counted(await dead_letters.read(state.postgres), "dead letters"):
            name = f"{letter.entry.partition}/{letter.entry.version}"
            try:
                await apply_again(state, letter)
                console.print(f"{name}: [green]done")
            except Exception as error:  # noqa: BLE001 - continue with the other letters
                console.print(f"{name}: [red]{escape(str(error))}")
                done = False
    return done
