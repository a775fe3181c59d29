"""Clocks that a test sets."""

from domain.ids import wall_clock_ms


class ForwardClock:
    """The wall's, ahead by what it is told."""

    ahead_ms = 0

    def __call__(self) -> int:
        return wall_clock_ms() + self.ahead_ms


class ManualClock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class FrozenClock:
    """Time that stands still until it is told otherwise."""

    def __init__(self) -> None:
        self.ms = wall_clock_ms()

    def __call__(self) -> int:
        return self.ms

    def pass_seconds(self, seconds: float) -> None:
        self.ms += int(seconds * 1000)
