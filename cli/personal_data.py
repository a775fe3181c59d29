"""Makes the page docs/reference/personal-data.md from the record of processing (models/personal_data.py)."""

from collections.abc import Iterable, Iterator

from models.personal_data import NOT_PERSONAL, NOT_PERSONAL_KEYS, PROCESSING
from settings import RetentionSettings
from store import key_lives

_HEAD = """# Personal data

This is the record of the personal data that Plaudit stores, for the [record of processing
activities](https://gdpr-info.eu/art-30-gdpr/) that Art. 30 of the GDPR asks of you. [Privacy](../operate/privacy.md)
says how to change the periods, who else gets data, and what you must do yourself. A setting without a group belongs to
`PLAUDIT_RETENTION`; its default stands in parentheses."""


def page() -> str:
    """Returns the text of the page, without the note that it is generated."""
    return "\n".join([_HEAD, *_processing(), *_columns(), *_keys()]) + "\n"


def _processing() -> Iterator[str]:
    yield from ["", "## What is stored, why, and for how long", ""]
    yield from ["| data | about | why | kept | erased with the account | tables |", "|---|---|---|---|---|---|"]
    for one in PROCESSING:
        tables = ", ".join(f"`{table}`" for table in one.tables) or "only in Redis"
        yield f"| {one.data} | {one.people} | {one.purpose} | {_kept(one.kept)} | {one.erased} | {tables} |"


def _kept(period: str) -> str:
    """Returns a period with the settings that it names. Raises KeyError for an unknown setting."""
    named = {}
    for name, field in RetentionSettings.model_fields.items():
        days = " days" if name.endswith("_days") else ""
        named[name] = f"`{name}` ({field.default:g}{days})"
    return period.format_map(named)


def _columns() -> Iterator[str]:
    yield from ["", "## Columns", "", "| table | columns with personal data | data |", "|---|---|---|"]
    rows = [(table, columns, one.data) for one in PROCESSING for table, columns in one.tables.items()]
    for table, columns, data in sorted(rows, key=lambda row: row[0]):
        yield f"| `{table}` | {_code(columns.split())} | {_name(data)} |"
    yield from ["", f"These tables have no personal data: {_code(sorted(NOT_PERSONAL))}."]


def _keys() -> Iterator[str]:
    yield from [
        *("", "## Redis keys", ""),
        "Redis has recent changes and copies. Lives are as in `store/keys.py`.",
        *("", "| key | data | life |", "|---|---|---|"),
    ]
    life_of = key_lives.lives()
    for one in PROCESSING:
        for key in one.keys:
            yield f"| `{key}` | {_name(one.data)} | {life_of[key]} |"
    yield from ["", f"These keys have no personal data: {_code(NOT_PERSONAL_KEYS)}, and leases (`…:lease`)."]


def _name(data: str) -> str:
    """Returns the name of an entry: what stands before the colon."""
    return data.partition(":")[0]


def _code(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)
