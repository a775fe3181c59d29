"""Settings of the moderation rules and of the external reviewer (docs/build/moderation.md)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Self
from urllib.parse import urlsplit

from pydantic import Field, HttpUrl, SecretStr, model_validator

from settings.lists import Names
from settings.numbers import LARGEST
from settings.part import Part

_PAGE = r"^(https://|http://(localhost|127\.0\.0\.1)[:/])[!-~]{1,2000}$"
_ISSUER = r"^(https://[A-Za-z0-9.-]+|http://(localhost|127\.0\.0\.1))(:\d{1,5})?(/[A-Za-z0-9._~%/@:-]{0,500})?$"
"""The URL of an issuer. Its host has no characters that mean something in a Content-Security-Policy."""


def _refuse_plain(url: HttpUrl) -> None:
    if url.scheme != "https" and url.host not in ("127.0.0.1", "localhost", "[::1]"):
        raise ValueError("the url of a service on another machine must use https")


class ReviewerSettings(Part):
    """The external reviewer: a service that decides about submissions, such as posts and comments, to which no
    moderation rule objects.
    """

    url: HttpUrl
    """The address of the service: `https`, or `http` on this machine."""
    secret: Annotated[SecretStr, Field(min_length=16)]
    """The secret that signs requests: at least 16 characters."""
    timeout: Annotated[float, Field(gt=0, le=60)] = 3.0
    """Seconds for one review."""
    concurrency: Annotated[int, Field(ge=1, le=1000)] = 8
    """The most requests of one worker at once."""
    max_bytes: Annotated[int, Field(ge=64)] = 16_384
    """The most bytes of a valid answer."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        _refuse_plain(self.url)
        return self


class CaptchaSettings(Part):
    """The captcha service of the operator, which is asked whether a person, and not a program, sends a notice."""

    url: HttpUrl
    """The address of the service: `https`, or `http` on this machine."""
    secret: Annotated[SecretStr, Field(min_length=16)]
    """The secret that signs requests: at least 16 characters."""
    timeout: Annotated[float, Field(gt=0, le=10)] = 2.0
    """Seconds after which notices are refused with `UNAVAILABLE`."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        _refuse_plain(self.url)
        return self


class NoticeSettings(Part):
    """Notices by people without an account (docs/build/notices.md)."""

    form: bool = False
    """Whether the form is served at `/notice`."""
    captcha: CaptchaSettings | None = None
    """The captcha service for notices without a token."""


class SignInSettings(Part):
    """The OpenID Connect issuer at which moderators sign in to the moderation console."""

    issuer: Annotated[str, Field(pattern=_ISSUER)]
    """The issuer, exactly as in the claim `iss` of its tokens: an `https` URL, or an `http` URL of this machine. Also
    list it in `PLAUDIT_JWT_ISSUER`.
    """
    client_id: Annotated[str, Field(pattern=r"^[!-~]{1,255}$")]
    """The console's client id at the issuer: a public client with the authorization code flow and PKCE."""
    scopes: Annotated[Names, Field(min_length=1)] = ("openid", "profile")
    """The scopes that the console asks the issuer for."""

    @property
    def origin(self) -> str:
        """Returns the origin of the issuer, such as `https://sso.example.com`."""
        parts = urlsplit(self.issuer)
        return f"{parts.scheme}://{parts.netloc}"

    @model_validator(mode="after")
    def _check(self) -> Self:
        if "openid" not in self.scopes:
            raise ValueError("the scopes of sign_in must include openid")
        return self


class ModeratorRoleSettings(Part):
    """The claims of tokens that give a role in moderation. A token with several roles has the highest. The scope
    `moderate` gives the role lead.
    """

    claims: Names = ()
    """The claims with the roles of a user, as lists or as texts with spaces, such as `realm_access.roles`. All of them
    are used. Do not list a claim that users can edit. Empty: no claim gives a role.
    """
    auditor: Names = ()
    """The values that give the role auditor: reads the moderation log, and changes nothing."""
    viewer: Names = ()
    """The values that give the role viewer: also reads the moderation queue."""
    moderator: Names = ()
    """The values that give the role moderator: also decides about content and reports, and sets labels."""
    lead: Names = ()
    """The values that give the role lead: also warns and suspends users, decides appeals, and unlists topics."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if bool(self.claims) != bool(self.auditor or self.viewer or self.moderator or self.lead):
            raise ValueError("roles needs claims, and values of at least one role")
        return self


class PremoderationSettings(Part):
    """The submissions (posts and comments) that a moderator must approve, even if no moderation rule objects. By
    default none.
    """

    businesses: tuple[str, ...] = ()
    """The businesses in which all submissions wait, as in `hide_reported`."""
    topics: tuple[str, ...] = ()
    """The topics whose posts wait."""
    new_accounts: bool = False
    """Whether all submissions of new accounts (`new_account`) wait."""


class ModerationSettings(Part):
    """The rules that decide which submissions, such as posts and comments, are published without a moderator
    (docs/build/moderation.md), and the page at which moderators sign in.
    """

    words_file: Path = Path(__file__).parents[1] / "domain" / "moderation" / "words.txt"
    """The word list, until you set one with `plaudit words set`."""
    reviewer: ReviewerSettings | None = None
    """The external reviewer. Without it, what no rule objects to is published at once."""
    window: Annotated[float, Field(ge=3600)] = 86_400.0
    """Seconds for which an author's submissions are compared with later ones."""
    traces: Annotated[int, Field(ge=1, le=1000)] = 100
    """The most earlier submissions of the author with which a new one is compared."""
    same_text: Annotated[int, Field(ge=1)] = 2
    """How often an author may post the same text in the window."""
    same_text_waits: Annotated[int, Field(ge=1)] = 5
    """How often before further submissions are rejected. Until then, they wait."""
    links: Annotated[int, Field(ge=0)] = 5
    """Links in one text."""
    same_link: Annotated[int, Field(ge=1)] = 5
    """How often an author may post the same link in the window."""
    new_account: Annotated[float, Field(ge=0)] = 86_400.0
    """Seconds for which an account is new. 0: none is."""
    new_posts_per_hour: Annotated[int, Field(ge=0)] = 5
    """Posts or comments of a new account in an hour."""
    new_links: Annotated[int, Field(ge=0)] = 0
    """Links in one text of a new account."""
    network_posts_per_hour: Annotated[int, Field(ge=0)] = 0
    """Posts and comments from one network (IPv4 address or IPv6 /64) in an hour. 0: no limit."""
    device_posts_per_hour: Annotated[int, Field(ge=0)] = 0
    """The same, with one `X-Device-Id`."""
    rejections: Annotated[int, Field(ge=0, le=100)] = 0
    """Rejections in 30 days after which all submissions of the author wait. 0: never."""
    hide_reported: Mapping[str, Annotated[int, Field(ge=100)]] = Field(default_factory=dict)
    """The weight of open reports at which a post or comment is hidden until a moderator decides, by business: `post`
    for posts and comments on them, and the names of external businesses for comments on entities. A report weighs at
    most 100. Without an entry: never.
    """
    premoderate: PremoderationSettings = PremoderationSettings()
    """What a moderator must approve before it is published."""
    statement_of_hold_hours: Annotated[float, Field(ge=0, le=LARGEST)] = 24
    """Hours after which the author of a waiting post or comment gets a statement of reasons."""
    appeal_days: Annotated[float, Field(ge=1, le=LARGEST)] = 180
    """Days within which the person can appeal against a decision."""
    appeal_answer_days: Annotated[float, Field(gt=0, le=LARGEST)] = 14
    """Days within which moderators should decide an appeal."""
    notices: NoticeSettings = NoticeSettings()
    """Notices by people without an account."""
    sign_in_url: Annotated[str | None, Field(pattern=_PAGE)] = None
    """Your own page that signs moderators in and sends them to `/moderation#token=…`: `https`, or `http` on this
    machine.
    """
    sign_in: SignInSettings | None = None
    """The OpenID Connect issuer at which [moderators sign in](../build/moderators.md). Without it, the console links to
    `sign_in_url`.
    """
    roles: ModeratorRoleSettings = ModeratorRoleSettings()
    """The claims that give the [roles](../build/moderators.md#roles) of moderators."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.sign_in and self.sign_in_url:
            raise ValueError("set either sign_in or sign_in_url: moderators sign in at one place")
        if self.same_text_waits < self.same_text:
            raise ValueError("same_text_waits is less than same_text: no submission would ever wait for a moderator")
        if self.traces < max(self.same_text_waits, self.same_link, self.new_posts_per_hour):
            raise ValueError("traces is less than another limit of submissions, which could not be reached")
        if self.premoderate.new_accounts and not self.new_account:
            raise ValueError("premoderate has new_accounts, but new_account is 0: no account is ever new")
        return self
