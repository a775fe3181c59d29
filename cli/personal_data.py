"""Makes the page docs/reference/personal-data.md from the record of processing (models/personal_data.py)."""

from collections.abc import Iterable, Iterator

from models.personal_data import NOT_PERSONAL, NOT_PERSONAL_KEYS, PROCESSING
from settings import RetentionSettings
from store import key_lives

_HEAD = """# Personal data

Copy this page into your [record of processing activities](https://gdpr-info.eu/art-30-gdpr/) (Art. 30 of the GDPR): it
lists the personal data that Plaudit stores. [Privacy](../operate/privacy.md) says how to change the periods, who else
gets data, and what you must do yourself. Settings without a group belong to `PLAUDIT_RETENTION`; their defaults are in
parentheses. *Account* means: as long as the account. With a star, what was taken back stays as a row that says so."""


def page() -> str:
    """Returns the text of the page, without the note that it is generated."""
    return "\n".join([_HEAD, *_processing(), *_places()]) + "\n"


def _processing() -> Iterator[str]:
    yield from ["", "## What is stored, why, and for how long", ""]
    yield from ["| data | about | why | kept | erased with the account |", "|---|---|---|---|---|"]
    for one in PROCESSING:
        yield f"| {one.data} | {one.people} | {one.purpose} | {_kept(one.kept)} | {one.erased} |"


def _kept(period: str) -> str:
    """Returns a period with the settings that it names. Raises KeyError for an unknown setting."""
    named = {}
    for name, field in RetentionSettings.model_fields.items():
        days = " day" if field.default == 1 else " days"
        named[name] = f"`{name}` ({field.default:g}{days if name.endswith('_days') else ''})"
    return period.format_map(named)


def _places() -> Iterator[str]:
    life_of = key_lives.lives()
    yield from [
        "",
        "## Where it is stored",
        "",
        "Redis has recent changes and copies. The life of a key follows it.",
        "",
    ]
    yield from ["| data | columns in Postgres | keys in Redis |", "|---|---|---|"]
    for one in PROCESSING:
        columns = "; ".join(f"`{table}`: {_code(names.split())}" for table, names in sorted(one.tables.items()))
        keys = "; ".join(f"`{key}` {life_of[key]}" for key in one.keys)
        yield f"| {_name(one.data)} | {columns} | {keys} |"
    yield from ["", f"These tables have no personal data: {_code(sorted(NOT_PERSONAL))}."]
    yield from ["", f"These keys have no personal data: {_code(NOT_PERSONAL_KEYS)}, and leases (`…:lease`)."]


def _name(data: str) -> str:
    """Returns the name of an entry: what stands before the colon."""
    return data.partition(":")[0]


def _code(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)
