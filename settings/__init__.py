"""The configuration of a process, read once from the environment and from the businesses file, with the settings that
belong to no group.

`DATABASE_URL` and `REDIS_URL` have no prefix, because hosting platforms set them. All other variables are
`PLAUDIT_<NAME>`.
"""

import hmac
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AliasChoices, BeforeValidator, Field, IPvAnyNetwork, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from settings.batches import BatchSettings
from settings.businesses import (
    COLLECTIONS,
    COMMENTS,
    FIRST_EXTERNAL,
    FIRST_OWN_COUNTER,
    POSTS,
    SUGGESTIONS,
    TOPICS,
    USERS,
    Business,
    OwnCounter,
    read_businesses,
)
from settings.caches import CacheSettings
from settings.claims import ClaimSettings
from settings.connections import ConnectionSettings
from settings.content import ContentSettings
from settings.events import EventSettings
from settings.grounds import Ground, read_grounds
from settings.images import DEMO_HOST, DEMO_PATH, EXAMPLE_HOST, ImageKey, ImageSettings
from settings.labels import AgeRule, Label, LabelSettings, read_labels
from settings.limits import (
    AddressSettings,
    AnonymousSettings,
    BudgetSettings,
    DeviceSettings,
    LimitSettings,
    Rate,
    RoleSettings,
    WriteKind,
)
from settings.lists import Names
from settings.moderation import (
    CaptchaSettings,
    ModerationSettings,
    ModeratorRoleSettings,
    NoticeSettings,
    PremoderationSettings,
    ReviewerSettings,
    SignInSettings,
)
from settings.networks import cover_too_much
from settings.numbers import LARGEST, Seconds, SecondsOrZero
from settings.people import PeopleSettings
from settings.reactions import (
    BUILT_IN_REACTIONS,
    FIRST_REACTION,
    LAST_REACTION,
    ReactionKind,
    canonical_reaction,
)
from settings.reconcile import ReconcileSettings
from settings.retention import RetentionSettings
from settings.trends import TrendSettings
from settings.uploads import UploadSettings
from settings.urls import HttpAddress, OptionalRedisUrl, PostgresUrl, RedisUrl

__all__ = [
    "BUILT_IN_REACTIONS",
    "COLLECTIONS",
    "COMMENTS",
    "DEMO_HOST",
    "DEMO_PATH",
    "EXAMPLE_HOST",
    "FIRST_EXTERNAL",
    "FIRST_OWN_COUNTER",
    "FIRST_REACTION",
    "LAST_REACTION",
    "POSTS",
    "SUGGESTIONS",
    "TOPICS",
    "USERS",
    "AddressSettings",
    "AgeRule",
    "AnonymousSettings",
    "BatchSettings",
    "BudgetSettings",
    "Business",
    "CacheSettings",
    "CaptchaSettings",
    "ClaimSettings",
    "ConnectionSettings",
    "ContentSettings",
    "DeviceSettings",
    "EventSettings",
    "Ground",
    "ImageKey",
    "ImageSettings",
    "Label",
    "LabelSettings",
    "LimitSettings",
    "ModerationSettings",
    "ModeratorRoleSettings",
    "NoticeSettings",
    "OwnCounter",
    "PeopleSettings",
    "PremoderationSettings",
    "Rate",
    "ReactionKind",
    "ReconcileSettings",
    "RedisMode",
    "RetentionSettings",
    "ReviewerSettings",
    "RoleSettings",
    "Settings",
    "SignInSettings",
    "TrendSettings",
    "UploadSettings",
    "WriteKind",
    "canonical_reaction",
]

RedisMode = Literal["standalone", "sentinel", "cluster"]
LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]
Port = Annotated[int, Field(ge=0, le=65_535)]
_LONGEST_TIMEOUT = 2_000_000.0
"""The longest timeout of Postgres in seconds. Postgres counts its timeouts in milliseconds, in 32 bits."""
_CONSOLE_MANIFEST = Path(__file__).parents[1] / "web" / "app" / "dist" / "moderation" / "persisted-documents.json"
"""The operations of the moderation console, which its build writes (web/app/manifests.mjs)."""


def _in_capitals(value: Any) -> Any:
    return value.upper() if isinstance(value, str) else value


def _has_opentelemetry() -> bool:
    try:
        return bool(version("opentelemetry-sdk") and version("opentelemetry-exporter-otlp-proto-http"))
    except PackageNotFoundError:
        return False


class Settings(BaseSettings):
    """The configuration of a process. `python -m cli.reference` prints the docstrings of the fields for operators."""

    model_config = SettingsConfigDict(
        env_prefix="PLAUDIT_", frozen=True, extra="forbid", populate_by_name=True, allow_inf_nan=False
    )

    env: Literal["development", "production"] = "production"
    """In `production`, a process does not start if a check finds that data could be lost. In `development`, only a
    changed number of partitions prevents the start; GraphiQL, introspection and pages of localhost are allowed.
    """
    host: str = "127.0.0.1"
    """The address of the API."""
    port: Port = 8000
    """The port of the API. 0: any free port."""
    metrics_port: Port | None = None
    """The port of Prometheus metrics. Without it, they are not served. Several API processes use consecutive ports."""
    tracing: bool | None = None
    """Whether [traces](../operate/monitor.md#traces) are sent. By default, if `OTEL_EXPORTER_OTLP_ENDPOINT` or
    `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` is set.
    """
    log_level: Annotated[LogLevel, BeforeValidator(_in_capitals)] = "INFO"
    """The lowest logged severity."""
    accepted_findings: tuple[str, ...] = ()
    """Findings of `plaudit check` that do not prevent the start."""
    businesses_file: Path = Path(__file__).parents[1] / "businesses.toml"
    """The [businesses file](#businesses)."""

    database_url: PostgresUrl = Field(
        "postgresql://plaudit@127.0.0.1:5432/plaudit",
        validation_alias=AliasChoices("DATABASE_URL", "PLAUDIT_DATABASE_URL", "database_url"),
    )
    """The URL of Postgres."""
    database_connections: Annotated[int, Field(ge=2)] = 10
    """The most connections of one process."""
    database_timeout: Annotated[float, Field(gt=0, le=_LONGEST_TIMEOUT)] = 3.0
    """Seconds for connecting, and for one statement."""

    redis_url: RedisUrl = Field(
        "redis://127.0.0.1:6379/0",
        validation_alias=AliasChoices("REDIS_URL", "PLAUDIT_REDIS_URL", "redis_url"),
    )
    """The state Redis, which holds the journals. It needs `noeviction` and an append-only file."""
    redis_mode: RedisMode = "standalone"
    """The type of the state Redis."""
    sentinel_service: str = "plaudit"
    """The name of the state Redis at the sentinels."""
    cache_url: OptionalRedisUrl = None
    """The cache Redis. By default, the state Redis is also the cache."""
    cache_mode: RedisMode | None = None
    """The type of the cache Redis. By default, `PLAUDIT_REDIS_MODE`."""
    cache_service: str | None = None
    """The name of the cache Redis at the sentinels. By default, `PLAUDIT_SENTINEL_SERVICE`."""
    redis_connections: Annotated[int, Field(ge=2)] = 32
    """The most connections of one process to each server, besides those on which a worker waits."""
    redis_timeout: Seconds = 1.0
    """Seconds for connecting, and for one answer."""
    redis_failover_seconds: SecondsOrZero = 20.0
    """In a cluster: seconds for which a master with a replica may be down before writes go directly to Postgres. Set it
    a few seconds above `cluster-node-timeout`.
    """

    jwt_secret: SecretStr | None = None
    """The secret that verifies and signs HS256 tokens. In production, at least 32 bytes."""
    jwt_jwks_url: HttpAddress | None = None
    """The identity provider's keys (JWKS), besides or instead of the secret."""
    jwt_algorithms: Names = ("RS256", "ES256", "EdDSA")
    """The accepted algorithms of these keys."""
    jwt_issuer: Annotated[Names, Field(min_length=1)] = ("https://plaudit.local",)
    """The accepted values of `iss`. `plaudit token` uses the first."""
    jwt_audience: Names = ()
    """The accepted values of `aud`. Empty: all."""
    jwt_authorized_parties: Names = ()
    """The accepted values of `azp`, for tokens without `aud`, or for all if `PLAUDIT_JWT_AUDIENCE` is empty."""
    jwt_claims: ClaimSettings = ClaimSettings()
    """The claims that become a user's data: see [authentication](../build/authentication.md#what-a-new-user-gets)."""
    secret_key: SecretStr | None = None
    """The key that encrypts cursors and links of exports: in production, at least 32 bytes. By default,
    `PLAUDIT_JWT_SECRET`.
    """

    trusted_proxies: tuple[IPvAnyNetwork, ...] = (IPv4Network("127.0.0.1"), IPv6Network("::1"))
    """The [proxies](limits.md#addresses-behind-proxies) whose `X-Forwarded-For` is trusted."""
    cors_origins: Names = ()
    """The web origins whose pages may call the API and open WebSockets."""
    cors_headers: Names = (
        *("authorization", "content-type", "x-device-id", "x-client-kind"),
        *("apollographql-client-name", "apollographql-client-version", "apollo-require-preflight"),
        *("x-apollo-operation-name", "x-apollo-operation-id", "x-graphql-client-name", "x-graphql-client-version"),
        *("graphql-client-name", "graphql-client-version", "graphql-require-preflight"),
        *("traceparent", "tracestate", "baggage", "sentry-trace", "b3", "x-request-id", "x-correlation-id"),
        *("x-b3-traceid", "x-b3-spanid", "x-b3-parentspanid", "x-b3-sampled", "x-b3-flags"),
        *("x-datadog-trace-id", "x-datadog-parent-id", "x-datadog-origin", "x-datadog-sampling-priority"),
    )
    """The headers that these pages may send."""
    public_max_age: Annotated[int, Field(ge=0, le=30)] = 10
    """Seconds for which shared caches keep responses to anonymous GET requests."""
    request_timeout: Seconds = 4.0
    """Seconds after which a request is answered with 503."""
    max_concurrent_requests: Annotated[int, Field(ge=1)] = 100
    """The most requests that one process runs at once; others get 503. The process must answer this many in much less
    than `PLAUDIT_REQUEST_TIMEOUT`.
    """
    drain_seconds: SecondsOrZero | None = None
    """Seconds for which an API process still serves after SIGTERM, while `/readyz` answers 503: longer than load
    balancers need to notice. By default, 10 in production, else 0.
    """
    introspection: bool | None = None
    """Whether clients may read the schema. By default, only in development."""
    moderation_console: bool = False
    """Whether the moderation console is served at `/moderation`, also in lockdown."""
    compiled_plans: bool = True
    """Whether queries run as compiled plans. Otherwise, graphql-core runs them."""

    connections: ConnectionSettings = ConnectionSettings()
    """Limits of connections and requests: see [limits](limits.md#sizes-of-requests). Numbers without a unit of time are
    maximums of one process.
    """
    limits: LimitSettings = LimitSettings()
    """The most that callers may use: see [limits](limits.md). A default without a role is that of `user` and
    `anonymous`. By default, each of `scopes` is as `user`, and `act` is as `ip`; `device` may be null.
    """

    persisted_manifests: tuple[Path, ...] = ()
    """Manifests of persisted operations, or folders with them."""
    persisted_only: bool = False
    """Whether only persisted operations may run (lockdown)."""
    apq: bool = True
    """Whether clients may register operations by their hash (Apollo's automatic persisted queries)."""

    content: ContentSettings = ContentSettings()
    """The largest posts and comments: see [limits](limits.md#sizes-of-content)."""
    people: PeopleSettings = PeopleSettings()
    """Limits of one user, and rules of handles: see [limits](limits.md#sizes-of-content)."""
    moderation: ModerationSettings = ModerationSettings()
    """Rules, word list and external reviewer: see [moderation](../build/moderation.md). What exceeds a limit waits for
    a moderator.
    """
    events: EventSettings = EventSettings()
    """How outgoing events are sent and kept: see [outgoing events](../build/events.md)."""
    trends: TrendSettings = TrendSettings()
    """Trending topics: see [trends](../build/topics.md#trends)."""
    images: ImageSettings = ImageSettings()
    """Image hosts, keys that sign URLs, and uploads: see [images](../build/images.md)."""

    local_cache_seconds: SecondsOrZero = 0.5
    """Seconds for which a process uses its own copies of frequently read values, and of the newest posts of accounts
    with many followers. 0: no copies.
    """
    caches: CacheSettings = CacheSettings()
    """The most cached items of each list; the rest is read from Postgres. See [memory of
    Redis](../operate/scale.md#memory-of-redis).
    """
    push_follower_limit: Annotated[int, Field(ge=1)] = 10_000
    """Posts of authors with at least this many followers are not pushed into inboxes; home pages read their lists."""

    partitions: Annotated[int, Field(ge=1, le=4096)] = 64
    """The number of journals, and of workers that can work at once. Cannot change after installation."""
    journal_max_entries: Annotated[int, Field(ge=1)] = 1_000_000
    """The most entries of one journal. While a journal is full, writes are refused with `UNAVAILABLE`."""
    journal_tail_seconds: SecondsOrZero = 60.0
    """Seconds for which journals keep committed entries, in case a failover of Postgres loses the last commits."""
    batches: BatchSettings = BatchSettings()
    """The batches of workers: see [write path](../internals/write-path.md#from-journal-to-rows)."""
    partition_lease_seconds: Seconds = 5.0
    """Seconds after which other workers take over from one that does not answer."""
    pending_seconds: Seconds = 5.0
    """Seconds for which authors still see their changes from Redis after a worker has stored them. Longer than
    `PLAUDIT_REQUEST_TIMEOUT` and `PLAUDIT_LOCAL_CACHE_SECONDS` together.
    """

    reconcile: ReconcileSettings = ReconcileSettings()
    """How often and how fast workers compare derived data with rows: see [reconcile](../operate/reconcile.md)."""
    retention: RetentionSettings = RetentionSettings()
    """The days for which [data is kept](../operate/privacy.md#how-long-data-is-kept). 0 means forever, unless a minimum
    is named.
    """

    @field_validator("*")
    @classmethod
    def _bound(cls, value: Any) -> Any:
        """Refuses numbers that Redis and Postgres could not store as times or counts."""
        if isinstance(value, (int, float)) and value > LARGEST:
            raise ValueError(f"the number must not be greater than {LARGEST}")
        return value

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.request_timeout + self.local_cache_seconds >= self.pending_seconds:
            raise ValueError(
                "request_timeout and local_cache_seconds together must be shorter than pending_seconds, "
                "or a slow request could miss its own write"
            )
        if cover_too_much(self.trusted_proxies):
            raise ValueError(
                "trusted_proxies has more public addresses than proxies can have, "
                "and clients at these addresses could choose their own address"
            )
        if self.tracing and not _has_opentelemetry():
            raise ValueError("PLAUDIT_TRACING needs packages that are not installed: install plaudit[otel]")
        if self.env == "production" and not (self.jwt_secret or self.jwt_jwks_url):
            raise ValueError(
                "production needs PLAUDIT_JWT_SECRET or PLAUDIT_JWT_JWKS_URL; "
                "to run a command for a running local system, pass --data-dir"
            )
        if not (self.secret_key or self.jwt_secret):
            raise ValueError("PLAUDIT_SECRET_KEY is required if PLAUDIT_JWT_SECRET is not set")
        if self.env == "production" and self.image_hosts and not self.images.keys:
            raise ValueError("production needs keys in PLAUDIT_IMAGES to sign the URLs of its hosts")
        sign_in = self.moderation.sign_in
        if sign_in and (sign_in.issuer not in self.jwt_issuer or not self.jwt_jwks_url):
            raise ValueError(
                "sign_in in PLAUDIT_MODERATION needs PLAUDIT_JWT_JWKS_URL, and its issuer in PLAUDIT_JWT_ISSUER; "
                "otherwise the API refuses the tokens of the issuer"
            )
        return self

    @cached_property
    def businesses(self) -> tuple[Business, ...]:
        """Returns the businesses (lines of content) with reactions: posts, comments, then the external businesses in
        the businesses file.

        The tables `[post]` and `[comment]` of this file may set the same options as `[[business]]`, except id and name.
        Raises OSError if the file cannot be read; ValueError, KeyError or TypeError if it is invalid.
        """
        return read_businesses(self.businesses_file, self.limits.budgets.keys(), self.moderation)

    @cached_property
    def grounds(self) -> dict[str, Ground]:
        """Returns the grounds of moderation decisions in the businesses file, by name, in the order of the file.

        Raises OSError if the file cannot be read; ValueError or TypeError if a ground is invalid.
        """
        return {ground.name: ground for ground in read_grounds(self.businesses_file)}

    @cached_property
    def default_ground(self) -> str:
        """Returns the name of the ground of decisions that name none."""
        return next(ground.name for ground in self.grounds.values() if ground.default)

    @cached_property
    def labels(self) -> LabelSettings:
        """Returns the labels and age bands of the businesses file. Raises OSError if the file cannot be read;
        ValueError or TypeError if it is invalid.
        """
        return read_labels(self.businesses_file)

    @cached_property
    def signing_key(self) -> bytes:
        """Returns the key that encrypts cursors and the links of exports."""
        secret = self.secret_key or self.jwt_secret
        assert secret is not None  # the validator refused anything else
        return secret.get_secret_value().encode()

    @property
    def cors_pattern(self) -> str | None:
        """Returns a regular expression for origins, other than `cors_origins`, whose pages may call the API: in
        development, those of this machine on any port; otherwise None.
        """
        return r"https?://(localhost|127\.0\.0\.1)(:\d{1,5})?" if self.env == "development" else None

    @property
    def image_hosts(self) -> tuple[str, ...]:
        """Returns the hosts whose images posts, comments and profiles may show. In development, the default is an
        example host and the host of the demo data. The host of uploaded files is always one of them.
        """
        hosts = self.images.hosts or ((EXAMPLE_HOST, DEMO_HOST) if self.env == "development" else ())
        return (*hosts, self.images.uploads.host) if self.images.uploads else hosts

    @property
    def demo_url(self) -> str | None:
        """Returns the URL of the demo data's images. Returns None outside development, or if image hosts are
        configured.
        """
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::") else self.host  # noqa: S104 - a comparison
        return f"http://{host}:{self.port}{DEMO_PATH}" if DEMO_HOST in self.image_hosts else None

    @property
    def image_keys(self) -> tuple[ImageKey, ...]:
        """Returns the keys that sign image URLs. The default key is derived from the key that encrypts cursors."""
        made = hmac.digest(self.signing_key, b"images", "sha256").hex()
        return self.images.keys or (ImageKey(id="default", secret=SecretStr(made)),)

    def of_process(self, number: int) -> Self:
        """Returns the settings of the API process with this number, counted from 0. Several API processes share a port,
        but each has a metrics port of its own.
        """
        port = self.metrics_port
        return self if port is None else self.model_copy(update={"metrics_port": port + number})

    @property
    def logs_json(self) -> bool:
        """Returns whether logs are JSON, one object per line."""
        return self.env == "production"

    @property
    def drains(self) -> float:
        """Returns for how many seconds an API process continues to serve after SIGTERM."""
        default = 0.0 if self.env == "development" else 10.0
        return default if self.drain_seconds is None else self.drain_seconds

    @property
    def shows_schema(self) -> bool:
        """Returns whether clients may read the schema by introspection."""
        return self.env == "development" if self.introspection is None else self.introspection

    @property
    def shows_graphiql(self) -> bool:
        """Returns whether GraphiQL is served. GraphiQL needs introspection, and sends documents that
        lockdown refuses.
        """
        return self.shows_schema and not self.persisted_only

    @property
    def manifests(self) -> tuple[Path, ...]:
        """Returns the manifests of persisted operations: those that are set and, if the moderation console is served,
        that of the console.
        """
        return (*self.persisted_manifests, *([_CONSOLE_MANIFEST] if self.moderation_console else []))

    @property
    def issuer(self) -> str:
        """Returns the issuer (`iss`) of the tokens that this deployment makes: the first that it accepts."""
        return self.jwt_issuer[0]
