"""The configuration of a process, read once from the environment and from the businesses file.

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

from settings.businesses import (
    COMMENTS,
    FIRST_EXTERNAL,
    FIRST_OWN_COUNTER,
    POSTS,
    TOPICS,
    USERS,
    Business,
    OwnCounter,
)
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
    "FIRST_OWN_COUNTER",
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
    "OwnCounter",
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


def _ignored(post: Business, comment: Business) -> str | None:
    """Returns what is wrong with the options of the built-in businesses: some would do nothing there."""
    for business in (post, comment):
        if not business.moderation:
            return f"[{business.name}] cannot switch moderation off; only a [[business]] can"
    return "[comment] cannot have counters; only posts and entities can be counted" if comment.counters else None


class Settings(BaseSettings):
    """The configuration of a process. `python -m cli.reference` prints the docstrings of its fields for operators."""

    model_config = SettingsConfigDict(
        env_prefix="PLAUDIT_", frozen=True, extra="forbid", populate_by_name=True, use_attribute_docstrings=True
    )

    env: Literal["development", "production"] = "production"
    """In `production`, a process does not start if a check finds that data could be lost. In `development`, only
    another number of partitions stops it, and GraphiQL, introspection and pages of localhost are allowed.
    """
    host: str = "127.0.0.1"
    """The address to listen on."""
    port: Port = 8000
    """The port of the API; 0 takes any free one."""
    metrics_port: Port | None = None
    """The port of Prometheus metrics; none by default. Of several API processes on one port, each uses the next one."""
    log_level: Annotated[LogLevel, BeforeValidator(_in_capitals)] = "INFO"
    """The least severe messages to log."""
    accepted_findings: tuple[str, ...] = ()
    """A JSON list of findings of `plaudit check` that you accept: they do not stop the start."""
    businesses_file: Path = Path(__file__).parents[1] / "businesses.toml"
    """The file that lists your lines of content."""

    database_url: str = Field(
        "postgresql://plaudit@127.0.0.1:5432/plaudit",
        validation_alias=AliasChoices("DATABASE_URL", "PLAUDIT_DATABASE_URL", "database_url"),
    )
    """The address of Postgres."""
    database_connections: Annotated[int, Field(ge=2)] = 10
    """Connections to Postgres of one process, at most."""
    database_timeout: float = 3.0
    """Seconds that a connection, and a statement, may take."""

    redis_url: str = Field(
        "redis://127.0.0.1:6379/0",
        validation_alias=AliasChoices("REDIS_URL", "PLAUDIT_REDIS_URL", "redis_url"),
    )
    """The address of the state Redis, which holds journals. It needs `noeviction` and an append-only file."""
    redis_mode: RedisMode = "standalone"
    """How the state Redis runs."""
    sentinel_service: str = "plaudit"
    """The name by which sentinels know the state Redis."""
    cache_url: str | None = None
    """The address of the cache Redis; by default the state Redis."""
    cache_mode: RedisMode | None = None
    """How the cache Redis runs; by default as `PLAUDIT_REDIS_MODE`. Used with `PLAUDIT_CACHE_URL` only."""
    cache_service: str | None = None
    """The name by which sentinels know the cache Redis; by default `PLAUDIT_SENTINEL_SERVICE`."""
    redis_connections: Annotated[int, Field(ge=2)] = 32
    """Connections to each Redis server of one process, at most."""
    redis_timeout: float = 1.0
    """Seconds that a connection, and an answer, may take."""

    jwt_secret: SecretStr | None = None
    """The shared secret of HS256 tokens; at least 32 bytes in production."""
    jwt_jwks_url: str | None = None
    """The address of the identity provider's keys; instead of, or beside, the shared secret."""
    jwt_algorithms: Names = ("RS256", "ES256", "EdDSA")
    """Algorithms that are accepted with keys of the identity provider."""
    jwt_issuer: str = "https://plaudit.local"
    """The accepted issuer, and the issuer of tokens that `plaudit token` makes."""
    jwt_trusted_issuers: Names = ()
    """Further accepted issuers."""
    jwt_audience: Names = ()
    """A token's `aud` must name one of these. Not checked if empty."""
    jwt_authorized_parties: Names = ()
    """A token without `aud`, or any token if there is no `PLAUDIT_JWT_AUDIENCE`, must name one of these in `azp`."""
    jwt_handle_claims: Names = (
        "preferred_username",
        "handle",
        "username",
        "nickname",
        "user_metadata.preferred_username",
        "user_metadata.user_name",
    )
    """Claims that fill a new user's handle; the first one that is present. A dot leads into an object."""
    jwt_name_claims: Names = ("name", "user_metadata.full_name", "user_metadata.name")
    """Claims that fill a new user's display name, and the handle if no claim has one."""
    jwt_email_claims: Names = ("email",)
    """Claims that fill the handle if there is no name: the part before the @. Empty for never."""
    jwt_picture_claims: Names = ("picture", "user_metadata.avatar_url", "user_metadata.picture")
    """Claims that fill a new user's avatar."""
    jwt_scope_claims: Names = ("scope",)
    """Claims that grant scopes; all of them count. Name none that users can edit."""
    secret_key: SecretStr | None = None
    """Signs cursors; by default `PLAUDIT_JWT_SECRET`. At least 32 bytes in production."""

    trusted_proxies: tuple[IPvAnyNetwork, ...] = (IPv4Network("127.0.0.1"), IPv6Network("::1"))
    """A JSON list of addresses and networks of proxies whose `X-Forwarded-For` is believed."""
    cors_origins: Names = ()
    """Web origins whose pages may call the API and open WebSockets."""
    cors_headers: Names = (
        *("authorization", "content-type", "x-device-id", "x-client-kind"),
        *("apollographql-client-name", "apollographql-client-version", "apollo-require-preflight"),
        *("x-apollo-operation-name", "x-apollo-operation-id", "x-graphql-client-name", "x-graphql-client-version"),
        *("graphql-client-name", "graphql-client-version", "graphql-require-preflight"),
        *("traceparent", "tracestate", "baggage", "sentry-trace", "b3", "x-request-id", "x-correlation-id"),
        *("x-b3-traceid", "x-b3-spanid", "x-b3-parentspanid", "x-b3-sampled", "x-b3-flags"),
        *("x-datadog-trace-id", "x-datadog-parent-id", "x-datadog-origin", "x-datadog-sampling-priority"),
    )
    """Headers that such pages may send; by default those of Plaudit, of tracing, and of clients' names."""
    public_max_age: Annotated[int, Field(ge=0, le=30)] = 10
    """Seconds for which shared caches may keep anonymous answers to GET."""
    request_timeout: float = 4.0
    """Seconds that a request may take; then it is answered with 503."""
    max_concurrent_requests: Annotated[int, Field(ge=1)] = 100
    """Requests that one process runs at once; further ones are refused with 503. The process must be able to answer so
    many in much less than `PLAUDIT_REQUEST_TIMEOUT`.
    """
    drain_seconds: Annotated[float | None, Field(ge=0)] = None
    """Seconds that an API process goes on serving after SIGTERM, while `/readyz` says 503; longer than load balancers
    need to notice. By default 10 in production, 0 in development.
    """
    introspection: bool | None = None
    """Whether clients may read the schema and get suggestions; by default only in development. GraphiQL needs it."""
    compiled_plans: bool = True
    """Whether queries run by compiled plans; otherwise graphql-core runs them all."""

    max_connections: Annotated[int, Field(ge=2)] = 20_000
    """Connections of any kind that one process keeps open; at most half as many as it may open files."""
    max_header_bytes: Annotated[int, Field(ge=1024, le=1_000_000)] = 16_384
    """Bytes of a request's URL and headers together."""
    max_headers: Annotated[int, Field(ge=10, le=10_000)] = 100
    """Headers of a request."""
    header_timeout: Annotated[float, Field(gt=0)] = 10.0
    """Seconds that a client may take to send the URL and the headers."""
    max_body_bytes: Annotated[int, Field(ge=1)] = 131_072
    """Bytes of a request's body."""
    max_bulk_body_bytes: Annotated[int, Field(ge=1)] = 1_000_000
    """Bytes of a request's body if the token has the scope `entities:write` or `users:write`."""
    body_timeout: float = 10.0
    """Seconds that a client may take to send the body."""
    limits: LimitSettings = LimitSettings()
    """Rate limits and limits of documents, as JSON: see [PLAUDIT_LIMITS](#plaudit_limits)."""
    anonymous_per_target: Annotated[int, Field(ge=1)] = 100
    """Views, shares, and actions of each other counter, of one thing that count in an hour from anonymous devices of
    one network address.
    """
    anonymous_per_address: Annotated[int, Field(ge=1)] = 10_000
    """Views, shares, and actions of each other counter, of all things together that count in an hour from anonymous
    devices of one network address.
    """

    max_streaming_connections: Annotated[int, Field(ge=1)] = 10_000
    """WebSockets and event streams that one process keeps open; less than `PLAUDIT_MAX_CONNECTIONS`."""
    streaming_connections_per_user: Annotated[int, Field(ge=1)] = 20
    """WebSockets and event streams of one user in one process."""
    streaming_connections_per_address: Annotated[int, Field(ge=1)] = 200
    """WebSockets and event streams of anonymous clients at one network address in one process."""
    subscriptions_per_connection: Annotated[int, Field(ge=1)] = 50
    """Subscriptions on one WebSocket."""
    max_queued_messages: Annotated[int, Field(ge=1)] = 100
    """Messages that may wait for a slow WebSocket client before it is disconnected."""
    max_message_bytes: int = 100_000
    """Bytes of a message that a WebSocket client sends."""
    init_timeout: float = 5.0
    """Seconds that a WebSocket client may take to send `connection_init`."""
    keep_alive_interval: float = 15.0
    """Seconds between signs of life on a silent connection."""

    persisted_manifests: tuple[Path, ...] = ()
    """A JSON list of manifests of persisted operations, or of folders with `*.json` files."""
    persisted_only: bool = False
    """Whether only persisted operations run (lockdown)."""
    apq: bool = True
    """Whether clients may register queries by their hash (Apollo's automatic persisted queries)."""
    apq_entries: Annotated[int, Field(ge=1)] = 8192
    """Registered queries that Redis keeps."""
    apq_bytes: Annotated[int, Field(ge=1)] = 16_384
    """Bytes of a registered query; longer ones run and are not kept."""
    apq_idle_seconds: Annotated[float, Field(ge=1)] = 7 * 86_400.0
    """Seconds after the last use for which a registered query is kept."""

    post_characters: Annotated[int, Field(ge=1, le=100_000)] = 5000
    """Characters of a post."""
    post_images: Annotated[int, Field(ge=0, le=100)] = 9
    """Images of a post."""
    post_topics: Annotated[int, Field(ge=0, le=100)] = 10
    """Topics of a post."""
    comment_characters: Annotated[int, Field(ge=1, le=100_000)] = 2000
    """Characters of a comment."""
    follow_limit: Annotated[int, Field(ge=1, le=10_000)] = 5000
    """Users that one user may follow."""
    others_list_depth: Annotated[int, Field(ge=1)] = 1000
    """How many followers, followed users and friends of another user a user can page through."""
    reserved_handles: Names = (
        *("abuse", "admin", "administrator", "contact", "everyone", "help", "info", "legal", "mod", "moderation"),
        *("moderator", "official", "plaudit", "postmaster", "press", "root", "security", "staff", "support", "system"),
        *("team", "webmaster"),
    )
    """Handles that users cannot choose, nor any that looks like one; `registerUsers` can assign them."""
    handle_hold_days: Annotated[float, Field(ge=0)] = 30
    """Days for which a handle stays reserved for its former owner after they changed it."""
    moderation: ModerationSettings = ModerationSettings()
    """Rules, the word list and the external reviewer, as JSON: see [PLAUDIT_MODERATION](#plaudit_moderation)."""
    images: ImageSettings = ImageSettings()
    """Hosts of images and the keys that sign their URLs, as JSON: see [PLAUDIT_IMAGES](#plaudit_images)."""

    hot_key_reads: Annotated[int, Field(ge=64)] = 100
    """A value that a process reads this often within two seconds is *hot*: the process keeps a copy if the value is
    the same for all users. Only one read in eight is counted, so smaller numbers than 64 would not be reliable.
    """
    local_cache_seconds: Annotated[float, Field(ge=0)] = 0.5
    """Seconds for which such copies, and the newest posts of very large accounts, are used; 0 for no copies."""
    cached_followers: Annotated[int, Field(ge=100, le=10_000)] = 1000
    """The number of a user's newest followers, and of their newest friends, in the cache."""
    cached_posts: Annotated[int, Field(ge=100, le=10_000)] = 800
    """The number of the newest posts of an author, of the square, and of a topic in the cache."""
    cached_comments: Annotated[int, Field(ge=100, le=10_000)] = 800
    """Newest and oldest comments of a subject, and oldest replies of a comment, in the cache."""
    hot_comments: Annotated[int, Field(ge=10, le=10_000)] = 1000
    """Comments of a subject that are ordered by hot score; the others follow, newest first."""
    inbox_posts: Annotated[int, Field(ge=10, le=10_000)] = 800
    """The number of posts in a user's inbox for the home timeline; older ones come from Postgres."""
    inbox_idle_days: Annotated[float, Field(gt=0)] = 7
    """Days after a user's last visit for which their inbox is kept and pushed to."""
    push_follower_limit: Annotated[int, Field(ge=1)] = 10_000
    """Posts of authors with at least this many followers are not pushed into inboxes. Home pages read their lists."""
    kept_notifications: Annotated[int, Field(ge=100)] = 1000
    """Newest notifications of a user that are kept, about."""

    partitions: Annotated[int, Field(ge=1, le=4096)] = 64
    """Journals of the deployment, and so the most workers that can work at once. Fixed at installation."""
    journal_max_entries: int = 1_000_000
    """Entries of one journal; beyond it, writes are refused with `UNAVAILABLE`."""
    journal_tail_seconds: float = 60.0
    """Seconds of committed entries that journals keep, for a Postgres that loses its last commits."""
    batch_entries: Annotated[int, Field(ge=1)] = 500
    """Entries of one batch of a worker."""
    batch_window_seconds: float = 0.25
    """Seconds that a worker waits to fill a batch."""
    commit_target_seconds: Annotated[float, Field(gt=0)] = 1.0
    """A worker whose median commit takes longer writes less at once."""
    partition_lease_seconds: float = 5.0
    """Seconds after which the partitions of a silent worker are taken over."""
    pending_seconds: float = 5.0
    """Seconds for which a published change stays among its author's pending changes. Longer than
    `PLAUDIT_REQUEST_TIMEOUT` and `PLAUDIT_LOCAL_CACHE_SECONDS` together.
    """
    idempotency_seconds: float = 86_400.0
    """Seconds for which idempotency keys are remembered, except those of posts and comments, which are kept forever."""

    reconcile_interval: Annotated[float, Field(ge=0)] = 86_400.0
    """Seconds between two comparisons of derived data with its rows by the workers; 0 for never."""
    reconcile_keys_per_second: Annotated[float, Field(gt=0)] = 1000.0
    """Keys a second that workers compare."""
    view_and_share_days: Annotated[float, Field(ge=2)] = 30
    """Days for which rows of single views, shares and other counted actions are kept; their number stays."""
    daily_likes_days: Annotated[float, Field(ge=8)] = 30
    """Days for which likes by day are kept; leaderboards look back seven days."""
    reaction_log_days: Annotated[float, Field(ge=0)] = 0
    """Days for which the logs of likes and follows are kept; 0 for forever."""

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
            raise ValueError("trusted_proxies contains all addresses: then every client could choose its own address")
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
        """The businesses with reactions: posts, comments, then the external ones of the businesses file.

        Its tables `[post]` and `[comment]` may set what its tables `[[business]]` may, except id and name.
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
        if ignored := _ignored(*own_ones):
            raise ValueError(f"{self.businesses_file}: {ignored}")
        counters = [counter for business in businesses for counter in business.counters]
        if len({counter.id for counter in counters}) < len(counters):
            raise ValueError(f"{self.businesses_file}: two counters share an id")
        for business in businesses:
            if len({counter.name for counter in business.counters}) < len(business.counters):
                raise ValueError(f"{self.businesses_file}: two counters of {business.name} share a name")
        return businesses

    @property
    def handle_hold(self) -> float:
        """The seconds for which a changed handle is held for its former owner."""
        return self.handle_hold_days * 86_400

    @cached_property
    def signing_key(self) -> bytes:
        """The key that signs cursors."""
        secret = self.secret_key or self.jwt_secret
        assert secret is not None  # the validator refused anything else
        return secret.get_secret_value().encode()

    @property
    def cors_pattern(self) -> str | None:
        """A pattern of further origins whose pages may call: in development, those of this machine on any port."""
        return r"https?://(localhost|127\.0\.0\.1)(:\d{1,5})?" if self.env == "development" else None

    @property
    def image_hosts(self) -> tuple[str, ...]:
        """The hosts whose images posts may show. In development the default is an example host and that of the seed."""
        return self.images.hosts or ((EXAMPLE_HOST, DEMO_HOST) if self.env == "development" else ())

    @property
    def demo_url(self) -> str | None:
        """The address of the seed's images, in development without configured hosts; otherwise None."""
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::") else self.host  # noqa: S104 - a comparison
        return f"http://{host}:{self.port}{DEMO_PATH}" if DEMO_HOST in self.image_hosts else None

    @property
    def image_keys(self) -> tuple[ImageKey, ...]:
        """The keys that sign image URLs; the default is derived from the key that signs cursors."""
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
        """The seconds from SIGTERM to the end of serving."""
        default = 0.0 if self.env == "development" else 10.0
        return default if self.drain_seconds is None else self.drain_seconds

    @property
    def shows_schema(self) -> bool:
        """Whether clients may read the schema by introspection."""
        return self.env == "development" if self.introspection is None else self.introspection

    @property
    def shows_graphiql(self) -> bool:
        """Whether GraphiQL is served: it needs introspection, and sends documents that lockdown refuses."""
        return self.shows_schema and not self.persisted_only

    @property
    def issuers(self) -> tuple[str, ...]:
        """All issuers whose tokens are accepted."""
        return (self.jwt_issuer, *self.jwt_trusted_issuers)
