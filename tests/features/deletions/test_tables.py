"""The deletion of an account knows each table that has ids of users."""

import inspect
import re

from sqlalchemy import BigInteger

from models import METADATA
from store.people import account_rows
from store.people.remains import KEPT
from workers.deletions import undo

OF_USERS = re.compile(
    r"(user|author|actor|owner|prev_owner|reporter|moderator|assignee|follower|followee|blocker|blocked|muted)_id"
    r"|lo|hi|voice|subject_owner|quote_owner|deleted_by|replied_to"
)
"""The names of columns with ids of users."""
OF_OTHERS = re.compile(
    r"(entity|about|collection|prev_collection|comment|post|topic|subject|root|parent|pinned|notification|untold|log|statement)_id"
    r"|\w*(version|moment|_ms|position|_through|_after)|since|value|weight|score|bytes|added|bucket|content|reached"
    r"|notice_id|decided|generation|epoch|head|direct|drained|requests|actor_count|removed|replaced|judged|wanted|shown"
    r"|quote_of|(prev_)?kinds|reactions|read_alone|(moderator_)?labels|(highest_)?term|promoted(_in)?"
)
"""The names of other columns with large numbers. Add the name of a new column here or above."""
ELSEWHERE = {"identities", "appeals", "cases", "user_terms"}
"""Tables whose rows the last transaction of a deletion removes."""


def test_each_table_with_ids_of_users_is_emptied_or_may_keep_them() -> None:
    columns = [(table.name, column) for table in METADATA.sorted_tables for column in table.columns]
    ids = [(table, column.name) for table, column in columns if isinstance(column.type, BigInteger)]

    assert not {name for _, name in ids if not OF_USERS.fullmatch(name) and not OF_OTHERS.fullmatch(name)}
    handled = {*account_rows.TABLES, *KEPT, *ELSEWHERE}
    assert {table for table, name in ids if OF_USERS.fullmatch(name)} - handled == set()


def test_every_kind_of_own_set_and_content_is_undone() -> None:
    assert set(account_rows.UNDONE) == undo.UNDONE


def test_the_tables_that_are_emptied_elsewhere_are_in_the_statements() -> None:
    text = inspect.getsource(account_rows)
    assert {name for name in ELSEWHERE if not re.search(rf"(FROM|UPDATE) {name}", text)} == set()
