"""Settings of how long rows are kept (docs/operate/scale.md#old-rows)."""

from typing import Annotated

from pydantic import Field

from settings.numbers import LARGEST
from settings.part import Part


class RetentionSettings(Part):
    """The ages and the numbers at which rows are removed."""

    view_and_share_days: Annotated[float, Field(ge=2, le=LARGEST)] = 30
    """Days for which rows of single views, shares and other counted actions are kept. Counters keep their values."""
    reaction_log_days: Annotated[float, Field(ge=0, le=LARGEST)] = 0
    """Days to keep the logs of likes and follows. Rows may stay up to eight days longer. 0: keep them forever."""
    notifications: Annotated[int, Field(ge=100, le=LARGEST)] = 1000
    """The approximate number of notifications of a user that are kept. The newest are kept."""
