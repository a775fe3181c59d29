"""The record of processing says of every column and every Redis key whether it has personal data."""

import re
from collections import Counter

from models import METADATA
from models.personal_data import NOT_PERSONAL, NOT_PERSONAL_KEYS, PROCESSING
from settings import RetentionSettings
from store import key_lives
from tests.support.key_table import key_kinds


def test_every_column_has_a_line() -> None:
    lines = [*NOT_PERSONAL.items(), *(line for one in PROCESSING for line in one.tables.items())]
    named = Counter((table, column) for table, columns in lines for column in columns.split())

    stored = [(table.name, column.name) for table in METADATA.sorted_tables for column in table.columns]
    assert sorted(named.elements()) == sorted(stored), "add each new column to models/personal_data.py"


def test_every_redis_key_has_a_line() -> None:
    named = [*NOT_PERSONAL_KEYS, *(key for one in PROCESSING for key in one.keys)]

    assert sorted(named) == sorted(kind.name for kind in key_kinds()), "add each new key to models/personal_data.py"
    assert key_lives.lives().keys() == set(named)
    assert all(key_lives.lives().values())


def test_every_period_of_retention_is_in_the_record() -> None:
    named = {name for one in PROCESSING for name in re.findall(r"\{(\w+)\}", one.kept)}

    assert named == set(RetentionSettings.model_fields)


def test_columns_with_ids_of_people_are_personal() -> None:
    personal = {(table, column) for one in PROCESSING for table, some in one.tables.items() for column in some.split()}
    people = re.compile(r"(user|author|actor|owner|reporter|moderator|assignee|follower|followee)_id|ip|device")
    ids = {(table.name, column.name) for table in METADATA.sorted_tables for column in table.columns}

    assert {one for one in ids if people.fullmatch(one[1])} <= personal
