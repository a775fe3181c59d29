"""Makes statements that remove rows in batches."""


def same(key: str) -> str:
    """Returns the condition that a row `t` has the primary key `old`. `key` has the columns of the key."""
    return " AND ".join(f"t.{column} = old.{column}" for column in key.split(", "))


def removal(table: str, key: str, rows: str, returning: str, also: str = "true") -> str:
    """Returns a statement that removes the rows of a table whose primary keys the query `rows` selects, and selects
    `returning` for each removed row. `key` has the columns of the primary key. `also` is a condition on the table, as
    `t`, from which Citus finds the shard.
    """
    return f"""
        WITH old AS MATERIALIZED ({rows})
        DELETE FROM {table} t USING old WHERE {same(key)} AND {also} RETURNING {returning}
    """  # noqa: S608 - constants of the callers
