"""Partitions the logs of likes and follows by time. The existing tables become the first partitions.

Nothing is copied. Postgres reads each log once, while rows are written. Then writes of likes and follows wait for a
moment, at most ten seconds. If the migration fails because another session reads a log for longer, run it again. If you
do not run it again, drop the constraints `like_log_until` and `follow_log_until`: they refuse rows after five weeks.
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
        SELECT * INTO old FROM pg_class WHERE oid = '{old}'::regclass;
        EXECUTE format('ALTER TABLE {new} OWNER TO %s', old.relowner::regrole);
        FOR one IN SELECT * FROM aclexplode(old.relacl) WHERE grantee <> old.relowner LOOP
            EXECUTE format('GRANT %s ON {new} TO %s', one.privilege_type,
                           CASE one.grantee WHEN 0 THEN 'PUBLIC' ELSE one.grantee::regrole::text END);
        END LOOP;
    END $$
"""
"""Gives a new table the owner and the privileges of an old one."""
LAST = """
    SELECT max(version) >> 20 FROM (SELECT version FROM like_log UNION ALL SELECT version FROM follow_log) AS logs
"""


def upgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = '5s'")
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
        op.execute(f"LOCK TABLE {log}")
        op.execute(f"INSERT INTO {log}_copy SELECT * FROM {log}")  # noqa: S608 - constants
        op.execute(OWN.format(old=log, new=f"{log}_copy"))
        op.execute(f"DROP TABLE {log}")
        op.execute(f"ALTER TABLE {log}_copy RENAME TO {log}")
        _index(log)


def _bound() -> int:
    """Returns the first version of a Monday that is at least AHEAD of now and of all rows, which may have been written
    while a clock was ahead.
    """
    now, last_ms = op.get_bind().execute(sa.text(f"SELECT now(), ({LAST})")).one()
    least = max(now.astimezone(UTC), datetime.fromtimestamp((last_ms or 0) / 1000, UTC)) + AHEAD
    monday = datetime(least.year, least.month, least.day, tzinfo=UTC) + timedelta(days=7 - least.weekday())
    return int(monday.timestamp() * 1000) << 20


def _partition(log: str, bound: int) -> None:
    op.execute(f"ALTER TABLE {log} RENAME TO {log}_first")
    for index in ("pkey", "version_idx"):
        op.execute(f"ALTER INDEX {log}_{index} RENAME TO {log}_first_{index}")
    op.execute(f"CREATE TABLE {log} (LIKE {log}_first INCLUDING DEFAULTS) PARTITION BY RANGE (version)")
    _index(log)
    if _is_distributed(f"{log}_first"):
        op.execute(f"SELECT create_distributed_table('{log}', 'user_id', colocate_with => '{log}_first')")
    # The constraint proves that all rows are below the bound, so Postgres does not read them again.
    op.execute(f"ALTER TABLE {log} ATTACH PARTITION {log}_first FOR VALUES FROM (MINVALUE) TO ({bound})")
    op.execute(f"ALTER TABLE {log}_first DROP CONSTRAINT {log}_until")
    op.execute(f"CREATE TABLE {log}_default PARTITION OF {log} DEFAULT")
    for new in (log, f"{log}_default"):
        op.execute(OWN.format(old=f"{log}_first", new=new))


def _index(log: str) -> None:
    op.create_primary_key(f"{log}_pkey", log, ["user_id", "version"])
    op.create_index(f"{log}_version_idx", log, ["version"])


def _is_distributed(table: str) -> bool:
    connection = op.get_bind()
    if not connection.scalar(sa.text("SELECT to_regclass('pg_dist_partition') IS NOT NULL")):
        return False
    found = sa.text("SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass(:table))")
    return bool(connection.scalar(found, {"table": table}))
