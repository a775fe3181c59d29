"""Turns rows into columns: the array parameters that `unnest` takes. Makes statements that write whole rows."""

from collections.abc import Container, Iterable, Sequence
from typing import Any

from sqlalchemy import Table
from sqlalchemy.dialects.postgresql import ARRAY, INET, JSONB, dialect

_DIALECT: Any = dialect()  # type: ignore[no-untyped-call]
_PASSED_AS_TEXT = ARRAY, INET, JSONB


def columns(rows: Iterable[Sequence[Any]], *names: str) -> dict[str, list[Any]]:
    """Returns the columns of `rows` as parameters of a statement: the first name has an array with the first value of
    each row, and so on.
    """
    each = list(zip(*rows, strict=True)) or [()] * len(names)
    return {name: list(values) for name, values in zip(names, each, strict=True)}


def array_text(names: Iterable[str]) -> str:
    """Returns texts as the text of a Postgres array. The texts contain no quotes and no backslashes."""
    quoted = ",".join(f'"{name}"' for name in names)
    return f"{{{quoted}}}"


def upsert(table: Table, names: Sequence[str], *, kept: Container[str]) -> str:
    """Returns the SQL of a statement that writes the columns `names` of rows of a table: it inserts rows with new keys,
    and updates existing rows, except their columns in `kept`. Each column has a parameter of the same name: an array
    with its value in each row. The values of columns of the types ARRAY, INET and JSONB are passed as texts.
    """
    arrays, values = [], []
    for name in names:
        type_ = table.columns[name].type
        sql, as_text = type_.compile(_DIALECT), isinstance(type_, _PASSED_AS_TEXT)
        arrays.append(f"CAST(:{name} AS {'TEXT' if as_text else sql}[])")
        values.append(f"CAST({name} AS {sql})" if as_text else name)
    keys = table.primary_key.columns.keys()
    replaced = [f"{name} = excluded.{name}" for name in names if name not in kept and name not in keys]
    return f"""
        INSERT INTO {table.name} ({", ".join(names)})
        SELECT {", ".join(values)} FROM unnest({", ".join(arrays)}) AS w({", ".join(names)})
        ON CONFLICT ({", ".join(keys)}) DO UPDATE SET {", ".join(replaced)}
    """  # noqa: S608 - names of the tables and columns in models/
