"""Settings of how long personal data and old rows are kept (docs/operate/privacy.md)."""

from typing import Annotated

from pydantic import AfterValidator, Field

from settings.numbers import LARGEST
from settings.part import Part

_LEAST_IDEMPOTENCY_DAYS = 2
"""The least number of days for which idempotency keys are kept in Postgres: twice the life of the records in Redis
(domain/idempotency.py), so that no key ends sooner than all others do.
"""


def _outliving_records(days: float) -> float:
    if 0 < days < _LEAST_IDEMPOTENCY_DAYS:
        raise ValueError(f"must be 0, or at least {_LEAST_IDEMPOTENCY_DAYS}")
    return days


Days = Annotated[float, Field(ge=0, le=LARGEST)]


class RetentionSettings(Part):
    """The ages and the number at which personal data and old rows are removed. An age of 0 means forever."""

    client_days: Days = 90
    """The IP address, device id and client name of posts and comments."""
    removed_text_days: Days = 180
    """Texts, images, topics and custom data of posts and comments, with earlier versions, after they were deleted or
    rejected, and while a case of the moderation queue is open. Also earlier versions that moderation had not approved,
    after the edit.
    """
    unused_upload_days: Annotated[float, Field(ge=1, le=LARGEST)] = 1
    """Uploaded files that nothing shows, after the upload has expired or an edit has removed them. At least 1."""
    report_days: Days = 365
    """Decided reports, and texts of decided appeals, after the last decision about their target."""
    notice_days: Days = 365
    """The explanation, name and e-mail address of a notice, after its decision."""
    notification_days: Days = 365
    """A notification, after its last event."""
    notifications: Annotated[int, Field(ge=100, le=LARGEST)] = 1000
    """The approximate number of kept notifications of a user. At least 100."""
    reaction_log_days: Days = 90
    """The logs of likes and follows, up to eight days longer."""
    view_and_share_days: Annotated[float, Field(ge=2, le=LARGEST)] = 30
    """Single views, shares and other counted actions. Counters stay. At least 2."""
    idempotency_days: Annotated[Days, AfterValidator(_outliving_records)] = 90
    """Digests of the idempotency keys of new posts and comments. If not 0, at least 2."""
