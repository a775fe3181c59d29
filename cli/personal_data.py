"""Makes the page docs/reference/personal-data.md from the record of processing (models/personal_data.py)."""

from collections.abc import Iterable, Iterator

from models.personal_data import PROCESSING, USERS
from settings import RetentionSettings
from store import key_lives

_HEAD = """# Personal data

Copy this table into your [record of processing activities](https://gdpr-info.eu/art-30-gdpr/) (Art. 30 of the GDPR): it
has the personal data that Plaudit stores, about users if a row does not say otherwise. [Privacy](../operate/privacy.md)
says how to change the periods, who else gets data, and what you must do yourself. Settings without a group belong to
`PLAUDIT_RETENTION`; their defaults are in parentheses.

- *Account*: as long as the account. With a star, what was taken back stays as a row that says so.
- *Where*: tables in Postgres; then keys in Redis, with copies and recent changes, and their lives. If several rows name
  a table, the row without columns has the other columns."""

_OTHERS = "The other [tables and keys](../../models/personal_data.py) have no personal data."


def page() -> str:
    """Returns the text of the page, without the note that it is generated."""
    return "\n".join([_HEAD, "", *_processing(), "", _OTHERS]) + "\n"


def _processing() -> Iterator[str]:
    life_of = key_lives.lives()
    yield from ["| data | why | kept | erased with the account | where |", "|---|---|---|---|---|"]
    for one in PROCESSING:
        data = one.data if one.people == USERS else f"{one.data} (about {one.people})"
        where = [_table(table, columns) for table, columns in sorted(one.tables.items())]
        lives = dict.fromkeys(life_of[key] for key in one.keys)
        where += [f"{_code(key for key in one.keys if life_of[key] == life)} {life}" for life in lives]
        yield f"| {data} | {one.purpose} | {_kept(one.kept)} | {one.erased} | {'; '.join(where)} |"


def _table(table: str, columns: str) -> str:
    """Returns the name of a table, and the columns unless no other entry has more columns of the table."""
    most = max((one.tables.get(table, "") for one in PROCESSING), key=len)
    return f"`{table}`" if columns == most else f"`{table}` ({_code(columns.split())})"


def _kept(period: str) -> str:
    """Returns a period with the settings that it names. Raises KeyError for an unknown setting."""
    named = {}
    for name, field in RetentionSettings.model_fields.items():
        days = " day" if field.default == 1 else " days"
        named[name] = f"`{name}` ({field.default:g}{days if name.endswith('_days') else ''})"
    return period.format_map(named)


def _code(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)
