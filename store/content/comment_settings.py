"""Settings of the comments on posts and entities: their changes, their rows, and their cached form.

A change is a patch, as of posts and comments (store/content/patches.py).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, replace
from operator import itemgetter
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
    SELECT s.business_id, s.key, s.policy, s.policy_version, s.pinned_id, s.pin_version, s.version
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:keys AS text[])) AS wanted(business_id, key)
    JOIN comment_settings s USING (business_id, key)
""")
_WRITE = text("""
    INSERT INTO comment_settings AS s (business_id, key, policy, policy_version, pinned_id, pin_version, version)
    SELECT business_id, key, policy, policy_version, pinned_id, pin_version, 1
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:keys AS text[]), CAST(:policies AS smallint[]),
                CAST(:policy_versions AS bigint[]), CAST(:pinned AS bigint[]), CAST(:pin_versions AS bigint[]))
         AS w(business_id, key, policy, policy_version, pinned_id, pin_version)
    ON CONFLICT (business_id, key) DO UPDATE SET
        policy = CASE WHEN excluded.policy_version > s.policy_version THEN excluded.policy ELSE s.policy END,
        policy_version = greatest(s.policy_version, excluded.policy_version),
        pinned_id = CASE WHEN excluded.pin_version > s.pin_version THEN excluded.pinned_id ELSE s.pinned_id END,
        pin_version = greatest(s.pin_version, excluded.pin_version),
        version = s.version + 1
    WHERE excluded.policy_version > s.policy_version OR excluded.pin_version > s.pin_version
""")


class CommentSettingsPatch(NamedTuple):
    """One change of the settings of a post or entity. None leaves a setting as it is; the pinned comment 0 unpins."""

    version: int
    subject: SubjectKey
    policy: CommentPolicy | None
    pinned_id: int | None

    @classmethod
    def parse(cls, version: int, data: Mapping[str, Any]) -> "CommentSettingsPatch":
        """Parses the data of a journal entry. Raises KeyError, TypeError or ValueError if the data is malformed."""
        policy, pinned = data.get("policy"), data.get("pinned")
        if type(data["key"]) is not str or type(pinned) not in (int, type(None)):
            raise TypeError(f"{data['key']!r} is no key, or {pinned!r} no comment")
        if policy is None and pinned is None:
            raise ValueError("no setting is changed")
        subject = int(data["business"]), data["key"]
        return cls(version, subject, None if policy is None else CommentPolicy(policy), pinned)

    def applied(self, settings: CommentSettings) -> CommentSettings:
        """Returns the settings after this change, which they may include already."""
        if self.policy is not None and self.version > settings.policy_version:
            settings = replace(settings, policy=self.policy, policy_version=self.version)
        if self.pinned_id is not None and self.version > settings.pin_version:
            settings = replace(settings, pinned_id=self.pinned_id, pin_version=self.version)
        return settings


async def by_subject(postgres: Postgres, subjects: Sequence[SubjectKey]) -> dict[SubjectKey, CommentSettings]:
    """Reads the settings of posts and entities, in one query. Those without changed settings are left out."""
    rows = await postgres.read(_READ, **columns(subjects, "businesses", "keys"))
    return {(row.business_id, row.key): _settings(row[2:]) for row in rows}


async def write(transaction: Transaction, patches: Iterable[CommentSettingsPatch]) -> None:
    """Writes changes of settings. A setting stays if its row has a newer change of it."""
    changed: dict[SubjectKey, CommentSettings] = {}
    for patch in patches:
        changed[patch.subject] = patch.applied(changed.get(patch.subject, DEFAULT))
    # sorted, because other transactions may lock some of these rows
    values = [(*subject, *_columns(settings)[:-1]) for subject, settings in sorted(changed.items(), key=itemgetter(0))]
    if values:
        settings_columns = "policies", "policy_versions", "pinned", "pin_versions"
        await transaction.execute(_WRITE, **columns(values, "businesses", "keys", *settings_columns))


def encode(settings: CommentSettings) -> Cached:
    """Encodes settings for the cache."""
    return Cached(settings.version, orjson.dumps(_columns(settings)), format=_FORMAT)


def decode(cached: Cached) -> CommentSettings:
    """Decodes what `encode` returns."""
    return _settings(orjson.loads(cached.body_in(_FORMAT)))


def _columns(settings: CommentSettings) -> tuple[int, ...]:
    return tuple(map(int, astuple(settings)))


def _settings(row: Sequence[Any]) -> CommentSettings:
    policy, *versions = row
    return CommentSettings(CommentPolicy(policy), *versions)


def cache_key(subject: SubjectKey) -> str:
    """Returns the cache key of the settings of a post or entity."""
    return keys.comment_settings(*subject)


async def publish(cache: Cache, found: Mapping[SubjectKey, CommentSettings]) -> None:
    """Replaces the cached settings that are not newer than these."""
    await cache.publish([(cache_key(subject), encode(settings)) for subject, settings in found.items()], LIFE_MS)
