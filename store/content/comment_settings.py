"""Settings of the comments on a post or entity: who may comment, and which comment is pinned. Their rows, and their
cached form.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, replace
from functools import reduce
from operator import attrgetter
from typing import Any

import orjson
from sqlalchemy import text

from models.comment_settings import CommentPolicy, CommentSettings, SubjectKey
from models.patches import CommentSettingsPatch
from store import keys
from store.cache.values import Cache, Cached, Codec
from store.groups import grouped
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns
from store.postgres.distributed import some_shards

DEFAULT = CommentSettings()
LIFE_MS = 86_400_000
_FORMAT = 1
"""The number of the format in which values are cached. Increase it when the format changes (store/cache/values.py)."""
_READ = some_shards(
    """
    SELECT s.business_id, s.key, s.policy, s.policy_version, s.pinned_id, s.pin_version, s.version
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:keys AS text[])) AS wanted(business_id, key)
    JOIN comment_settings s USING (business_id, key) WHERE {in_shard}
    """,
    column="s.key",
    parameter="keys",
    type_="text",
)
_LOCK = text("""
    INSERT INTO comment_settings AS s (business_id, key, version)
    SELECT business_id, key, 0
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:keys AS text[])) AS w(business_id, key)
    ON CONFLICT (business_id, key) DO UPDATE SET version = s.version
    RETURNING s.business_id, s.key, s.policy, s.policy_version, s.pinned_id, s.pin_version, s.version
""")
_WRITE = text("""
    UPDATE comment_settings s SET
        policy = w.policy, policy_version = w.policy_version, pinned_id = w.pinned_id, pin_version = w.pin_version,
        version = w.version
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:keys AS text[]), CAST(:policies AS smallint[]),
                CAST(:policy_versions AS bigint[]), CAST(:pinned AS bigint[]), CAST(:pin_versions AS bigint[]),
                CAST(:versions AS bigint[]))
         AS w(business_id, key, policy, policy_version, pinned_id, pin_version, version)
    WHERE (s.business_id, s.key) = (w.business_id, w.key)
""")


async def by_subject(postgres: Postgres, subjects: Sequence[SubjectKey]) -> dict[SubjectKey, CommentSettings]:
    """Reads the settings of the comments on these posts and entities, in one query. Posts and entities whose settings
    were never changed are left out.
    """
    rows = await postgres.read(_READ, **columns(subjects, "businesses", "keys"))
    return {(row.business_id, row.key): _settings(row[2:]) for row in rows}


async def write(transaction: Transaction, patches: Iterable[CommentSettingsPatch]) -> None:
    """Applies changes of settings to their rows, in the order of the changes' versions. Locks the rows until the
    transaction ends, and creates missing ones.
    """
    changes = grouped((patch.subject, patch) for patch in sorted(patches, key=attrgetter("version")))
    if not changes:
        return
    # sorted, because other transactions may lock some of these rows
    rows = await transaction.execute(_LOCK, **columns(sorted(changes), "businesses", "keys"))
    values = []
    for row in rows:
        subject, before = (row.business_id, row.key), _settings(row[2:])
        after = reduce(lambda settings, patch: patch.applied(settings), changes[subject], before)
        if after != before:
            # at least the last change: a failover that loses several batches does not take the version back
            version = max(before.version + 1, changes[subject][-1].version)
            values.append((*subject, *_columns(replace(after, version=version))))
    if values:
        settings_columns = "policies", "policy_versions", "pinned", "pin_versions", "versions"
        await transaction.execute(_WRITE, **columns(values, "businesses", "keys", *settings_columns))


def encode(settings: CommentSettings) -> Cached:
    """Encodes settings of comments for the cache."""
    return Cached(settings.version, orjson.dumps(_columns(settings)), format=_FORMAT)


def decode(cached: Cached) -> CommentSettings:
    """Returns the settings that `encode` has encoded. Raises OtherFormat if they are encoded in another format."""
    return _settings(orjson.loads(cached.body_in(_FORMAT)))


def _columns(settings: CommentSettings) -> tuple[int, ...]:
    return tuple(map(int, astuple(settings)))


def _settings(row: Sequence[Any]) -> CommentSettings:
    policy, *versions = row
    return CommentSettings(CommentPolicy(policy), *versions)


def cache_key(subject: SubjectKey) -> str:
    """Returns the cache key of the settings of the comments on a post or entity."""
    return keys.comment_settings(*subject)


CODEC = Codec("comment_settings", cache_key, encode, decode, absent=DEFAULT)
"""How the settings of the comments on posts and entities are cached."""


async def publish(cache: Cache, found: Mapping[SubjectKey, CommentSettings]) -> None:
    """Replaces cached settings with these, unless the cached ones are newer. Settings that are not cached stay
    uncached. Raises RedisDown.
    """
    await cache.publish([(cache_key(subject), encode(settings)) for subject, settings in found.items()], LIFE_MS)
