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
    """Days to keep the IP address, device id and client name of posts and comments. 0: keep them forever."""
    removed_text_days: Days = 180
    """Days to keep texts, images, topics and custom data of posts and comments after they were deleted or rejected.
    They stay longer while a case of the moderation queue is open. The earlier versions of an edited post or comment are
    removed with its text. Versions that moderation had not approved are removed this many days after the edit. 0: keep
    them forever.
    """
    unused_upload_days: Annotated[float, Field(ge=1, le=LARGEST)] = 1
    """Days to keep uploaded files that nothing shows, after their upload has expired or an edit has removed them."""
    report_days: Days = 365
    """Days to keep decided reports, and the texts of decided appeals, after the last decision about their target. 0:
    keep them forever.
    """
    notice_days: Days = 365
    """Days to keep the explanation, the name and the e-mail address of a notice after it was decided. 0: keep them
    forever.
    """
    notification_days: Days = 365
    """Days to keep a notification after its last event. 0: keep notifications of any age."""
    notifications: Annotated[int, Field(ge=100, le=LARGEST)] = 1000
    """The approximate number of notifications of a user that are kept. The newest are kept."""
    reaction_log_days: Days = 90
    """Days to keep the logs of likes and follows. Rows may stay up to eight days longer. 0: keep them forever."""
    view_and_share_days: Annotated[float, Field(ge=2, le=LARGEST)] = 30
    """Days for which rows of single views, shares and other counted actions are kept. Counters keep their values."""
    idempotency_days: Annotated[Days, AfterValidator(_outliving_records)] = 90
    """Days to keep the digests of the idempotency keys of new posts and comments. 0, which means forever, or at least
    2.
    """
