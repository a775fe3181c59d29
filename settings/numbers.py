"""Types for settings that are numbers."""

from typing import Annotated

from pydantic import Field

LARGEST = 2**31 - 1
"""The largest number that Redis and Postgres can store as a time or as a count."""

Count = Annotated[int, Field(ge=1, le=LARGEST)]
Seconds = Annotated[float, Field(gt=0, le=LARGEST)]
SecondsOrZero = Annotated[float, Field(ge=0, le=LARGEST)]
