"""All configuration, read once from the environment and from the businesses file.

`DATABASE_URL` and `REDIS_URL` carry no prefix, because platforms set them; everything else is `PLAUDIT_<NAME>`.
"""

import hmac
import tomllib
from functools import cached_property
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AliasChoices, BeforeValidator, Field, IPvAnyNetwork, SecretStr, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from settings.businesses import COMMENTS, FIRST_EXTERNAL, POSTS, TOPICS, USERS, Business
from settings.images import DEMO_HOST, DEMO_PATH, EXAMPLE_HOST, ImageKey, ImageSettings
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
from settings.moderation import ModerationSettings, ReviewerSettings

__all__ = [
    "COMMENTS",
    "DEMO_HOST",
    "DEMO_PATH",
    "EXAMPLE_HOST",
    "FIRST_EXTERNAL",
    "POSTS",
    "TOPICS",
    "USERS",
    "AddressSettings",
    "AnonymousSettings",
    "BudgetSettings",
    "Business",
    "DeviceSettings",
    "ImageKey",
    "ImageSettings",
    "LimitSettings",
    "ModerationSettings",
    "Rate",
    "RedisMode",
    "ReviewerSettings",
    "RoleSettings",
    "Settings",
    "WriteKind",
]

RedisMode = Literal["standalone", "sentinel", "cluster"]
LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]
Port = Annotated[int, Field(ge=0, le=65_535)]


def _in_capitals(value: Any) -> Any:
    return value.upper() if isinstance(value, str) else value


class Settings(BaseSettings):
    """Everything a process needs to know. Seconds unless a name says otherwise."""

    model_config = SettingsConfigDict(env_prefix="PLAUDIT_", frozen=True, extra="forbid", populate_by_name=True)

    env: Literal["development", "production"] = "production"
    accepted_findings: tuple[str, ...] = ()
    """Names of findings of `plaudit check` that somebody has decided to live with: they keep nothing from starting."""
    host: str = "127.0.0.1"
    port: Port = 8000
    trusted_proxies: tuple[IPvAnyNetwork, ...] = (IPv4Network("127.0.0.1"), IPv6Network("::1"))
    """Who is believed about addresses, in X-Forwarded-For: the proxies in front of us, each adding whom it serves."""
    log_level: Annotated[LogLevel, BeforeValidator(_in_capitals)] = "INFO"

    database_url: str = Field(
        "postgresql://plaudit@127.0.0.1:5432/plaudit",
        validation_alias=AliasChoices("DATABASE_URL", "PLAUDIT_DATABASE_URL", "database_url"),
    )
    database_connections: Annotated[int, Field(ge=2)] = 10
    database_timeout: float = 3.0
    redis_url: str = Field(
        "redis://127.0.0.1:6379/0",
        validation_alias=AliasChoices("REDIS_URL", "PLAUDIT_REDIS_URL", "redis_url"),
    )
    """State: journals and everything an actor script touches. `noeviction` and AOF in production."""
    redis_mode: RedisMode = "standalone"
    sentinel_service: str = "plaudit"
    """What the sentinels call the servers they watch."""
    cache_url: str | None = None
    """Everything that can be rebuilt; defaults to the state server."""
    cache_mode: RedisMode | None = None
    cache_service: str | None = None
    """Where there is a `cache_url`; as for the state by default."""
    redis_connections: Annotated[int, Field(ge=2)] = 32
    redis_timeout: float = 1.0

    jwt_secret: SecretStr | None = None
    jwt_jwks_url: str | None = None
    jwt_algorithms: Names = ("RS256", "ES256", "EdDSA")
    """Accepted from the JWKS; tokens signed with the shared secret are always HS256."""
    jwt_issuer: str = "https://plaudit.local"
    """The issuer of the tokens that we mint ourselves."""
    jwt_trusted_issuers: Names = ()
    """Further accepted issuers; `jwt_issuer` always is."""
    jwt_audience: Names = ()
    """A token's `aud` must name one of these. If there are none, `aud` is not checked."""
    jwt_authorized_parties: Names = ()
    """A token without `aud`, or any token if there is no `jwt_audience`, must name one of these clients in `azp`."""
    jwt_handle_claims: Names = (
        "preferred_username",
        "handle",
        "username",
        "nickname",
        "user_metadata.preferred_username",
        "user_metadata.user_name",
    )
    """Where a new user's handle comes from: the first of these claims that is there. A dot goes into an object."""
    jwt_name_claims: Names = ("name", "user_metadata.full_name", "user_metadata.name")
    """Where a new user's display name comes from, and their handle where no claim has one."""
    jwt_email_claims: Names = ("email",)
    """Where the handle comes from if there is no name either: the part before the @."""
    jwt_picture_claims: Names = ("picture", "user_metadata.avatar_url", "user_metadata.picture")
    """Where a new user's avatar comes from."""
    jwt_scope_claims: Names = ("scope",)
    """Claims that grant scopes, all of them together: words in a text, or a list. Name none that users can edit."""
    secret_key: SecretStr | None = None
    """Signs cursors; defaults to the JWT secret."""

    businesses_file: Path = Path(__file__).parents[1] / "businesses.toml"
    follow_limit: Annotated[int, Field(ge=1, le=10_000)] = 5000
    """How many one user may follow; so few that whom they follow is cached whole."""
    reserved_handles: Names = (
        *("abuse", "admin", "administrator", "contact", "everyone", "help", "info", "legal", "mod", "moderation"),
        *("moderator", "official", "plaudit", "postmaster", "press", "root", "security", "staff", "support", "system"),
        *("team", "webmaster"),
    )
    """Handles that no user can choose, nor any that looks like one; registerUsers can assign them."""
    handle_hold_days: Annotated[float, Field(ge=0)] = 30
    """How long after a user has changed their handle nobody else may claim the old one."""
    anonymous_per_target: Annotated[int, Field(ge=1)] = 100
    """How many views, and how many shares, of one thing count in an hour from devices without a user at one address."""
    anonymous_per_address: Annotated[int, Field(ge=1)] = 10_000
    """How many views, and how many shares, of all things together."""
    cached_followers: Annotated[int, Field(ge=100, le=10_000)] = 1000
    """How many of a user's newest followers, and of their friends, the cache keeps."""
    others_list_depth: Annotated[int, Field(ge=1)] = 1000
    """How far down somebody else's followers, following and friends one may page."""
    hot_key_reads: Annotated[int, Field(ge=64)] = 100
    """What one process is asked for so often within two seconds is *hot*: it keeps a copy, of what is alike for all.

    One in eight is counted: of fewer than 64 it would be chance what is hot.
    """
    local_cache_seconds: Annotated[float, Field(ge=0)] = 0.5
    """How long such copies live, and those of the newest posts of authors whose posts are not pushed; 0 for none."""
    cached_posts: Annotated[int, Field(ge=100, le=10_000)] = 800
    """How many of the newest posts the cache keeps of an author, of the square, and of a topic."""
    inbox_posts: Annotated[int, Field(ge=10, le=10_000)] = 800
    """How many of the newest posts of whom they follow are kept in a user's inbox; older ones come from Postgres."""
    inbox_idle_days: Annotated[float, Field(gt=0)] = 7
    """How long the inbox of somebody is kept who does not come to look: it is not pushed to any more after that."""
    push_follower_limit: Annotated[int, Field(ge=1)] = 10_000
    """Posts of authors with so many followers or more are not pushed into inboxes; home timelines pull them."""
    kept_notifications: Annotated[int, Field(ge=100)] = 1000
    """About how many of a user's newest notifications are kept."""
    post_characters: Annotated[int, Field(ge=1, le=100_000)] = 5000
    post_images: Annotated[int, Field(ge=0, le=100)] = 9
    post_topics: Annotated[int, Field(ge=0, le=100)] = 10
    comment_characters: Annotated[int, Field(ge=1, le=100_000)] = 2000
    cached_comments: Annotated[int, Field(ge=100, le=10_000)] = 800
    """How many of a subject's newest comments, of its oldest, and of a comment's oldest replies the cache keeps."""
    hot_comments: Annotated[int, Field(ge=10, le=10_000)] = 1000
    """How many of a subject's comments are ordered by how hot they are; less hot ones follow, the newest first."""
    partitions: Annotated[int, Field(ge=1, le=4096)] = 64
    """Journals; fixed when a deployment is installed."""
    journal_max_entries: int = 1_000_000
    """Entries a partition may hold before writes are refused."""
    batch_entries: Annotated[int, Field(ge=1)] = 500
    commit_target_seconds: Annotated[float, Field(gt=0)] = 1.0
    """A worker whose batches usually take longer to commit writes less at once."""
    batch_window_seconds: float = 0.25
    """A worker waits at most this long to fill a batch."""
    partition_lease_seconds: float = 5.0
    """Partitions of a worker that stays silent this long are taken over."""
    journal_tail_seconds: float = 60.0
    """How much of the committed journal is kept for a database that loses its last commits."""
    pending_seconds: float = 5.0
    """How long a published change stays in its author's pending set: longer than any request lives."""
    request_timeout: float = 4.0
    drain_seconds: Annotated[float | None, Field(ge=0)] = None
    """How long an API that is told to stop goes on serving, while /readyz says 503: longer than load balancers take to
    notice. By default 10 in production, none in development."""
    max_concurrent_requests: Annotated[int, Field(ge=1)] = 100
    """How many requests one process runs at once; more are refused unread. So many must be answered in well under
    request_timeout, or a process that is asked for too much would answer nothing in time.
    """
    public_max_age: Annotated[int, Field(ge=0, le=30)] = 10
    """How long caches in front of us may keep answers to GET that are the same for everybody."""
    introspection: bool | None = None
    """Whether clients may ask what the schema has, and get suggestions for what they mistype; by default only in
    development."""
    limits: LimitSettings = LimitSettings()
    """How much callers may ask for, by role."""
    moderation: ModerationSettings = ModerationSettings()
    """What may be published without somebody looking at it."""
    images: ImageSettings = ImageSettings()
    """Whose images posts may show, and how their URLs are signed."""
    compiled_plans: bool = True
    """Whether queries are run by compiled plans; without, graphql-core runs them all."""
    persisted_manifests: tuple[Path, ...] = ()
    """Files of persisted operations, or folders with such files, `*.json`."""
    persisted_only: bool = False
    """Whether nothing runs but persisted operations."""
    apq: bool = True
    """Whether clients may register queries by their hash (Apollo's automatic persisted queries)."""
    apq_entries: Annotated[int, Field(ge=1)] = 8192
    """How many of them there may be in Redis."""
    apq_bytes: Annotated[int, Field(ge=1)] = 16_384
    """Longer ones are not kept."""
    apq_idle_seconds: Annotated[float, Field(ge=1)] = 7 * 86_400.0
    """How long one is kept that nobody asks for."""
    reconcile_interval: Annotated[float, Field(ge=0)] = 86_400.0
    """How often the workers compare what is derived with its rows; 0 is never."""
    reconcile_keys_per_second: Annotated[float, Field(gt=0)] = 1000.0
    """How many keys a second they compare then."""
    view_and_share_days: Annotated[float, Field(ge=2)] = 30
    """How long the rows of single views and shares are kept; then only their number is. Longer than any entry that may
    come again: journals, retries and dead letters.
    """
    daily_likes_days: Annotated[float, Field(ge=8)] = 30
    """How long it is kept how many likes a thing had on which day; leaderboards look back seven."""
    reaction_log_days: Annotated[float, Field(ge=0)] = 0
    """How long the logs of likes and follows are kept; 0 for ever."""
    metrics_port: Port | None = None
    """Where a process serves its metrics, besides the port of the API; nowhere by default."""
    cors_origins: Names = ()
    """Web origins whose pages may call this API from the browser."""
    cors_headers: Names = (
        *("authorization", "content-type", "x-device-id", "x-client-kind"),
        *("apollographql-client-name", "apollographql-client-version", "apollo-require-preflight"),
        *("x-apollo-operation-name", "x-apollo-operation-id", "x-graphql-client-name", "x-graphql-client-version"),
        *("graphql-client-name", "graphql-client-version", "graphql-require-preflight"),
        *("traceparent", "tracestate", "baggage", "sentry-trace", "b3", "x-request-id", "x-correlation-id"),
        *("x-b3-traceid", "x-b3-spanid", "x-b3-parentspanid", "x-b3-sampled", "x-b3-flags"),
        *("x-datadog-trace-id", "x-datadog-parent-id", "x-datadog-origin", "x-datadog-sampling-priority"),
    )
    """Headers that such pages may send: ours, of tracing, and by which clients say what they are."""
    max_header_bytes: Annotated[int, Field(ge=1024, le=1_000_000)] = 16_384
    """The longest head of a request: its URL and headers together."""
    max_headers: Annotated[int, Field(ge=10, le=10_000)] = 100
    """The most headers of a request."""
    header_timeout: Annotated[float, Field(gt=0)] = 10.0
    """How long a new connection, or a request that has begun to arrive, may take to send its whole head."""
    max_connections: Annotated[int, Field(ge=2)] = 20_000
    """Connections of any kind that one process keeps open, but never more than half as many as it may open files."""
    body_timeout: float = 10.0
    max_body_bytes: Annotated[int, Field(ge=1)] = 131_072
    """The largest body of a request. Reading one takes CPU time before anything is known of its price."""
    max_bulk_body_bytes: Annotated[int, Field(ge=1)] = 1_000_000
    """The same for callers whose token has the scope `entities:write` or `users:write`."""
    idempotency_seconds: float = 86_400.0
    max_streaming_connections: Annotated[int, Field(ge=1)] = 10_000
    """WebSockets and event streams that one process keeps open."""
    streaming_connections_per_user: Annotated[int, Field(ge=1)] = 20
    streaming_connections_per_address: Annotated[int, Field(ge=1)] = 200
    """Of people who are not signed in."""
    subscriptions_per_connection: Annotated[int, Field(ge=1)] = 50
    max_queued_messages: Annotated[int, Field(ge=1)] = 100
    """How many messages may wait for a WebSocket client that reads slowly, before it is dropped."""
    max_message_bytes: int = 100_000
    init_timeout: float = 5.0
    """How long a WebSocket client may take to say who it is."""
    keep_alive_interval: float = 15.0
    """How often word is sent over a silent connection, so that nobody in between takes it for dead."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.request_timeout + self.local_cache_seconds >= self.pending_seconds:
            raise ValueError(
                "request_timeout and local_cache_seconds together must be shorter than pending_seconds, "
                "or a slow request could miss its own write"
            )
        if self.max_streaming_connections >= self.max_connections:
            raise ValueError(
                "max_streaming_connections must be less than max_connections, which leaves room for requests"
            )
        if any(network.prefixlen == 0 for network in self.trusted_proxies):
            raise ValueError("trusted_proxies names everybody: then everybody says what their address is")
        if self.env == "production" and not (self.jwt_secret or self.jwt_jwks_url):
            raise ValueError(
                "production needs PLAUDIT_JWT_SECRET or PLAUDIT_JWT_JWKS_URL; "
                "commands find a running system by --data-dir"
            )
        if not (self.secret_key or self.jwt_secret):
            raise ValueError("PLAUDIT_SECRET_KEY is needed where there is no PLAUDIT_JWT_SECRET")
        if self.env == "production" and self.images.hosts and not self.images.keys:
            raise ValueError("production needs keys in PLAUDIT_IMAGES to sign the URLs of its hosts")
        return self

    @cached_property
    def businesses(self) -> tuple[Business, ...]:
        """Those whose things people react to: posts, comments, then the external ones, of the businesses file.

        Its tables `[post]` and `[comment]` may set what its tables `[[business]]` may, but for id and name.
        """
        tables = tomllib.loads(self.businesses_file.read_text())
        external = [Business.model_validate(table) for table in tables["business"]]
        if own := [business.name for business in external if business.id < FIRST_EXTERNAL]:
            raise ValueError(f"{self.businesses_file}: {own[0]} needs an id of {FIRST_EXTERNAL} or more")
        own_ones = (
            Business(**tables.get("post", {}), id=POSTS, name="post"),
            Business(**tables.get("comment", {}), id=COMMENTS, name="comment"),
        )
        businesses = (*own_ones, *external)
        if strange := {payer for business in businesses for payer in business.writes} - self.limits.budgets.keys():
            raise ValueError(f"{self.businesses_file}: no budget is called {min(strange)}")
        if len({b.id for b in businesses}) < len(businesses) or len({b.name for b in businesses}) < len(businesses):
            raise ValueError(f"{self.businesses_file}: two businesses share an id or a name")
        return businesses

    @property
    def handle_hold(self) -> float:
        """How long a freed handle is held, in seconds."""
        return self.handle_hold_days * 86_400

    @cached_property
    def signing_key(self) -> bytes:
        """What cursors are signed with."""
        secret = self.secret_key or self.jwt_secret
        assert secret is not None  # the validator refused anything else
        return secret.get_secret_value().encode()

    @property
    def cors_pattern(self) -> str | None:
        """The form of further origins whose pages may call: in development those of this machine, on any port."""
        return r"https?://(localhost|127\.0\.0\.1)(:\d{1,5})?" if self.env == "development" else None

    @property
    def image_hosts(self) -> tuple[str, ...]:
        """Whose images posts may show; in development, where none are named, those of an example and of the seed."""
        return self.images.hosts or ((EXAMPLE_HOST, DEMO_HOST) if self.env == "development" else ())

    @property
    def demo_url(self) -> str | None:
        """Where browsers load the seed's images from, in development where no hosts are named; else there are none."""
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::") else self.host  # noqa: S104 - a comparison
        return f"http://{host}:{self.port}{DEMO_PATH}" if DEMO_HOST in self.image_hosts else None

    @property
    def image_keys(self) -> tuple[ImageKey, ...]:
        """At least one; where none is given, it is made of what signs cursors."""
        made = hmac.digest(self.signing_key, b"images", "sha256").hex()
        return self.images.keys or (ImageKey(id="default", secret=SecretStr(made)),)

    def of_process(self, number: int) -> Self:
        """Returns the settings of one of several API processes that share a port. Each has its own metrics port."""
        port = self.metrics_port
        return self if port is None else self.model_copy(update={"metrics_port": port + number})

    @property
    def logs_json(self) -> bool:
        """Whether each line of the log is a JSON object."""
        return self.env == "production"

    @property
    def drains(self) -> float:
        """Seconds between being told to stop and stopping."""
        default = 0.0 if self.env == "development" else 10.0
        return default if self.drain_seconds is None else self.drain_seconds

    @property
    def shows_schema(self) -> bool:
        """Whether strangers may learn what the schema has."""
        return self.env == "development" if self.introspection is None else self.introspection

    @property
    def shows_graphiql(self) -> bool:
        """Whether GraphiQL is served: it is of no use without the schema, and sends texts nobody has seen before."""
        return self.shows_schema and not self.persisted_only

    @property
    def issuers(self) -> tuple[str, ...]:
        """Every issuer whose tokens are accepted."""
        return (self.jwt_issuer, *self.jwt_trusted_issuers)
