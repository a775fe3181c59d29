"""Clocks that a test controls."""

from domain.ids import wall_clock_ms


class ForwardClock:
    """A wall clock that is `ahead_ms` ahead."""

    ahead_ms = 0

    def __call__(self) -> int:
        return wall_clock_ms() + self.ahead_ms


class ManualClock:
    """A clock in seconds. A test sets `now`."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class FrozenClock:
    """A clock in milliseconds that stands still until a test calls `pass_seconds`."""

    def __init__(self) -> None:
        self.ms = wall_clock_ms()

    def __call__(self) -> int:
        return self.ms

    def pass_seconds(self, seconds: float) -> None:
        self.ms += int(seconds * 1000)
