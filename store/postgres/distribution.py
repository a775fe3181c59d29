"""The distribution of the tables over the nodes of a Citus cluster: a coordinator and worker nodes.

Ids of users, posts, comments and entities have one type, and statements join tables by them. So all tables whose
distribution columns have the same type are in one co-location group: rows with the same value are on one node.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import text

from models import METADATA
from store.postgres.client import Postgres

_VERSION = text("SELECT extversion FROM pg_extension WHERE extname = 'citus'")
_IS_COORDINATOR = text("SELECT groupid = 0 FROM pg_dist_local_group")
_NODES = text("""
    SELECT nodename || ':' || nodeport AS name, isactive AS is_active, shouldhaveshards AS has_shards
    FROM pg_dist_node WHERE noderole = 'primary' AND groupid <> 0 ORDER BY nodename, nodeport
""")
# The partition key of a reference table and of a local table that Citus knows is null.
_PLACEMENTS = text("""
    SELECT name, column_to_column_name(logicalrelid, partkey) AS column_name, colocationid AS colocation
    FROM unnest(CAST(:tables AS text[])) AS name JOIN pg_dist_partition ON logicalrelid = to_regclass(name)
""")
# A node that does not answer has an error in place of the JSON object.
_SETTINGS = text("""
    SELECT coalesce(nodename || ':' || nodeport, 'coordinator') AS name, success, result
    FROM run_command_on_all_nodes($$
        SELECT json_object_agg(name, setting) FROM (
            SELECT name, setting FROM pg_settings
            UNION ALL SELECT 'in_doubt', count(*)::text FROM pg_prepared_xacts WHERE prepared < now() - interval '300 s'
            UNION ALL SELECT 'shards', coalesce(max(number), 0)::text FROM (
                SELECT count(*) AS number FROM pg_dist_placement JOIN pg_dist_shard USING (shardid)
                GROUP BY groupid, logicalrelid
            ) AS counted
        ) AS facts WHERE name IN (
            'fsync', 'full_page_writes', 'in_doubt', 'max_connections', 'max_prepared_transactions',
            'synchronous_commit', 'synchronous_standby_names', 'citus.recover_2pc_interval',
            'citus.enable_deadlock_prevention',
            'citus.distributed_deadlock_detection_factor', 'citus.max_cached_conns_per_worker', 'shards'
        )
    $$) LEFT JOIN pg_dist_node USING (nodeid) ORDER BY coalesce(groupid, 0), 1
""")
_RUNNING = text("""
    SELECT owner FROM nodes WHERE lease_until > now() + make_interval(secs => :unused)
    UNION SELECT worker FROM workers WHERE seen_until > now() ORDER BY 1
""")
_DISTRIBUTE = text("""
    SELECT create_distributed_table(to_regclass(CAST(:name AS text)), CAST(:column AS text),
                                    colocate_with => CAST(:colocate_with AS text), shard_count => CAST(:shards AS int))
""")
_KEPT = text("""
    SELECT name FROM unnest(CAST(:tables AS text[])) AS name
    WHERE pg_relation_size(to_regclass(name)) > 0
       OR EXISTS (SELECT FROM pg_partition_tree(to_regclass(name)) WHERE pg_relation_size(relid) > 0)
""")
_DISCARD = text("SELECT truncate_local_data_after_distributing_table(to_regclass(CAST(:name AS text)))")


class Node(NamedTuple):
    """A worker node: its host and port, whether Citus uses it, and whether it may have shards."""

    name: str
    is_active: bool
    has_shards: bool


class NodeSettings(NamedTuple):
    """Settings of the coordinator or a worker node, by name. `error` is empty, or why the node does not answer.

    Two entries of `settings` are no settings of Postgres: `in_doubt` is the number of transactions that were prepared
    more than five minutes ago, and `shards` the greatest number of shards of one table that a node has.
    """

    name: str
    settings: Mapping[str, str]
    error: str


class Placement(NamedTuple):
    """Where Citus keeps the rows of a table. `column` is the distribution column; None if the whole table is on every
    node or on the coordinator. `colocation` is the number of the co-location group.
    """

    column: str | None
    colocation: int


def columns() -> dict[str, str]:
    """Returns, by the names of the tables to be distributed, their distribution columns."""
    return {name: table.info["shard"] for name, table in sorted(METADATA.tables.items()) if "shard" in table.info}


def groups() -> dict[str, list[str]]:
    """Returns, by the type of their distribution columns, the tables that must be in one co-location group: rows with
    the same value are on the same node.
    """
    found: dict[str, list[str]] = {}
    for name, column in columns().items():
        found.setdefault(str(METADATA.tables[name].columns[column].type), []).append(name)
    return found


async def read_version(postgres: Postgres) -> str | None:
    """Returns the version of the extension Citus, such as `14.0-1`; None if the database has no such extension."""
    rows = await postgres.read(_VERSION)
    return rows[0][0] if rows else None


async def is_coordinator(postgres: Postgres) -> bool:
    """Returns whether the server is the coordinator of its cluster. The database must have the extension Citus."""
    return bool((await postgres.read(_IS_COORDINATOR))[0][0])


async def read_nodes(postgres: Postgres) -> list[Node]:
    """Returns the worker nodes of the cluster."""
    return [Node(*row) for row in await postgres.read(_NODES)]


async def read_settings(postgres: Postgres) -> list[NodeSettings]:
    """Returns the settings of the coordinator, first, and of all worker nodes, also of those that do not answer."""
    rows = await postgres.read(_SETTINGS)
    return [NodeSettings(name, json.loads(result) if ok else {}, "" if ok else result) for name, ok, result in rows]


async def read_placements(postgres: Postgres) -> dict[str, Placement]:
    """Returns where the rows of Plaudit's tables are, by table. Leaves out tables that Citus does not manage."""
    rows = await postgres.read(_PLACEMENTS, tables=list(METADATA.tables))
    return {name: Placement(column, colocation) for name, column, colocation in rows}


def problems(placements: Mapping[str, Placement]) -> list[str]:
    """Returns how these placements differ from those that Plaudit needs: a sentence for each wrong table or group."""
    wanted = columns()
    wrong = [
        f"the table {name} is distributed by {place.column or 'no column'}, not by {wanted[name]}"
        for name, place in placements.items()
        if name in wanted and place.column != wanted[name]
    ]
    wrong += [
        f"the table {name} is distributed by {place.column}, and must be local"
        for name, place in placements.items()
        if name not in wanted and place.column
    ]
    for tables in groups().values():
        colocations = {placements[name].colocation: name for name in tables if name in placements}
        if len(colocations) > 1:
            wrong.append(f"the tables {' and '.join(sorted(colocations.values()))} are not in one co-location group")
    return wrong


async def read_running(postgres: Postgres, unused_s: float) -> list[str]:
    """Returns the names of the API processes and workers that run. An API process counts as running if its lease on a
    node number lasts for more than `unused_s` seconds from now.
    """
    return [row[0] for row in await postgres.read(_RUNNING, unused=unused_s)]


async def distribute(postgres: Postgres, name: str, colocate_with: str | None, shards: int) -> None:
    """Distributes the table `name` over the nodes. Citus copies the rows in one transaction, which blocks writes to the
    table.

    `colocate_with` names a distributed table: the new shards are then on the same nodes as the shards of that table. If
    it is None, the table begins a new co-location group with `shards` shards.
    """
    new: dict[str, Any] = {"colocate_with": "none", "shards": shards}
    place = {"colocate_with": colocate_with, "shards": None} if colocate_with else new
    async with postgres.transaction() as transaction:
        await transaction.execute(_DISTRIBUTE, name=name, column=columns()[name], **place)


async def discard_copies(postgres: Postgres, tables: Iterable[str]) -> None:
    """Removes the rows that the coordinator still has of tables from before they were distributed. No statement sees
    these rows.
    """
    for row in await postgres.read(_KEPT, tables=list(tables)):
        async with postgres.transaction() as transaction:
            await transaction.execute(_DISCARD, name=row.name)
