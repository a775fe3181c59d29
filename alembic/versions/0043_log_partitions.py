"""Partitions the logs of likes and follows by time. The table with the lines so far becomes the first partition.

Nothing is copied. Postgres reads each log once, while lines are written. Then writes of likes and follows wait for a
moment, at most ten seconds. If the migration fails, because something reads a log for longer, run it again.
"""

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None

LOGS = "like_log", "follow_log"
AHEAD = timedelta(weeks=5)
"""The least time until the end of the first partition. Until then, processes of the older version, which know nothing
of partitions, write to one partition.
"""
OWN = """
    DO $$ DECLARE old pg_class; one record; BEGIN
        SELECT * INTO old FROM pg_class WHERE oid = '{log}_first'::regclass;
        EXECUTE format('ALTER TABLE {log} OWNER TO %s', old.relowner::regrole);
        EXECUTE format('ALTER TABLE {log}_default OWNER TO %s', old.relowner::regrole);
        FOR one IN SELECT * FROM aclexplode(old.relacl) WHERE grantee <> old.relowner LOOP
            EXECUTE format('GRANT %s ON {log} TO %s', one.privilege_type,
                           CASE one.grantee WHEN 0 THEN 'PUBLIC' ELSE one.grantee::regrole::text END);
        END LOOP;
    END $$
"""
"""Gives the partitioned table the owner and the privileges that the table had."""


def upgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = '10s'")
        bound = _bound()
        for log in LOGS:
            op.execute(f"ALTER TABLE {log} DROP CONSTRAINT IF EXISTS {log}_until")  # of a run that failed
            op.execute(f"ALTER TABLE {log} ADD CONSTRAINT {log}_until CHECK (version < {bound}) NOT VALID")
            op.execute(f"ALTER TABLE {log} VALIDATE CONSTRAINT {log}_until")
    for log in LOGS:
        _partition(log, bound)
    op.execute("RESET lock_timeout")


def downgrade() -> None:
    for log in LOGS:
        op.execute(f"CREATE TABLE {log}_copy (LIKE {log} INCLUDING DEFAULTS)")
        op.execute(f"INSERT INTO {log}_copy SELECT * FROM {log}")  # noqa: S608 - constants
        op.execute(f"DROP TABLE {log}")
        op.execute(f"ALTER TABLE {log}_copy RENAME TO {log}")
        _index(log)


def _bound() -> int:
    """Returns the first version of a Monday that is at least AHEAD."""
    now = op.get_bind().scalar(sa.text("SELECT now()")).astimezone(UTC) + AHEAD
    monday = datetime(now.year, now.month, now.day, tzinfo=UTC) + timedelta(days=7 - now.weekday())
    return int(monday.timestamp() * 1000) << 20


def _partition(log: str, bound: int) -> None:
    op.execute(f"ALTER TABLE {log} RENAME TO {log}_first")
    for index in ("pkey", "version_idx"):
        op.execute(f"ALTER INDEX {log}_{index} RENAME TO {log}_first_{index}")
    op.execute(f"CREATE TABLE {log} (LIKE {log}_first INCLUDING DEFAULTS) PARTITION BY RANGE (version)")
    _index(log)
    if _is_distributed(f"{log}_first"):
        op.execute(f"SELECT create_distributed_table('{log}', 'user_id', colocate_with => '{log}_first')")
    # The constraint proves that all lines are below the bound, so Postgres does not read them again.
    op.execute(f"ALTER TABLE {log} ATTACH PARTITION {log}_first FOR VALUES FROM (MINVALUE) TO ({bound})")
    op.execute(f"ALTER TABLE {log}_first DROP CONSTRAINT {log}_until")
    op.execute(f"CREATE TABLE {log}_default PARTITION OF {log} DEFAULT")
    op.execute(OWN.format(log=log))


def _index(log: str) -> None:
    op.create_primary_key(f"{log}_pkey", log, ["user_id", "version"])
    op.create_index(f"{log}_version_idx", log, ["version"])


def _is_distributed(table: str) -> bool:
    connection = op.get_bind()
    if not connection.scalar(sa.text("SELECT to_regclass('pg_dist_partition') IS NOT NULL")):
        return False
    found = sa.text("SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass(:table))")
    return bool(connection.scalar(found, {"table": table}))
