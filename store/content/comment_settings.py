"""Settings of the comments on posts and entities: their changes, their rows, and their cached form.

A change is a patch, as of posts and comments (store/content/patches.py).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, replace
from typing import Any, NamedTuple

import orjson
from sqlalchemy import text

from models.comment_settings import CommentPolicy, CommentSettings, SubjectKey
from store import keys
from store.cache.values import Cache, Cached
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns

COMMENT_SETTINGS = "comment_settings"
"""The kind of the journal entries, and the `op` in their data."""
DEFAULT = CommentSettings()
LIFE_MS = 86_400_000
_FORMAT = 1
"""The format of the cached document. Raise it when the format changes (store/cache/values.py)."""
_READ = text("""
    SELECT s.business_id, s.key, s.policy, s.policy_version, s.version
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:keys AS text[])) AS wanted(business_id, key)
    JOIN comment_settings s USING (business_id, key)
""")
_WRITE_POLICIES = text("""
    INSERT INTO comment_settings AS s (business_id, key, policy, policy_version, version)
    SELECT business_id, key, policy, policy_version, 1
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:keys AS text[]), CAST(:policies AS smallint[]),
                CAST(:versions AS bigint[])) AS w(business_id, key, policy, policy_version)
    ON CONFLICT (business_id, key) DO UPDATE SET
        policy = excluded.policy, policy_version = excluded.policy_version, version = s.version + 1
    WHERE excluded.policy_version > s.policy_version
""")


class CommentSettingsPatch(NamedTuple):
    """One change of the settings of a post or entity."""

    version: int
    subject: SubjectKey
    policy: CommentPolicy

    @classmethod
    def parse(cls, version: int, data: Mapping[str, Any]) -> "CommentSettingsPatch":
        """Parses the data of a journal entry. Raises KeyError, TypeError or ValueError if the data is malformed."""
        if type(data["key"]) is not str:
            raise TypeError(f"{data['key']!r} is no key")
        return cls(version, (int(data["business"]), data["key"]), CommentPolicy(data["policy"]))

    def applied(self, settings: CommentSettings) -> CommentSettings:
        """Returns the settings after this change, which they may include already."""
        if self.version <= settings.policy_version:
            return settings
        return replace(settings, policy=self.policy, policy_version=self.version)


async def by_subject(postgres: Postgres, subjects: Sequence[SubjectKey]) -> dict[SubjectKey, CommentSettings]:
    """Reads the settings of posts and entities, in one query. Those without changed settings are left out."""
    rows = await postgres.read(_READ, **columns(subjects, "businesses", "keys"))
    return {(row.business_id, row.key): _settings(row[2:]) for row in rows}


async def write(transaction: Transaction, patches: Iterable[CommentSettingsPatch]) -> None:
    """Writes the newest of these changes of each post or entity, unless its row has a newer one."""
    newest = {patch.subject: patch for patch in sorted(patches)}
    values = [(*subject, int(newest[subject].policy), newest[subject].version) for subject in sorted(newest)]
    if values:
        await transaction.execute(_WRITE_POLICIES, **columns(values, "businesses", "keys", "policies", "versions"))


def encode(settings: CommentSettings) -> Cached:
    """Encodes settings for the cache."""
    return Cached(settings.version, orjson.dumps(astuple(settings)), format=_FORMAT)


def decode(cached: Cached) -> CommentSettings:
    """Decodes what `encode` returns."""
    return _settings(orjson.loads(cached.body_in(_FORMAT)))


def _settings(row: Sequence[Any]) -> CommentSettings:
    policy, *versions = row
    return CommentSettings(CommentPolicy(policy), *versions)


def cache_key(subject: SubjectKey) -> str:
    """Returns the cache key of the settings of a post or entity."""
    return keys.comment_settings(*subject)


async def publish(cache: Cache, found: Mapping[SubjectKey, CommentSettings]) -> None:
    """Replaces the cached settings that are not newer than these."""
    await cache.publish([(cache_key(subject), encode(settings)) for subject, settings in found.items()], LIFE_MS)
