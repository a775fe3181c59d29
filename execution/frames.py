"""Where values lie in a response. Nothing is worked out before an error needs it."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(slots=True)
class Frame:
    """The values of one column. Value `i` came from value `origins[i]` of the frame above, by the step `steps[i]`.

    Without origins the two frames are of the same length; a step of one name is everybody's; None adds nothing.
    """

    above: "Frame | None" = None
    steps: Sequence[int] | str | None = None
    origins: Sequence[int] | None = None

    @property
    def names(self) -> list[str]:
        """The response keys of every value's path."""
        own = [self.steps] if isinstance(self.steps, str) else []
        return self.above.names + own if self.above else own

    @property
    def is_root(self) -> bool:
        """Whether its values are root fields."""
        return self.above is not None and self.above.above is None

    def path(self, i: int) -> list[str | int]:
        """Response keys and list positions that lead to value `i`."""
        path: list[str | int] = []
        frame: Frame | None = self
        while frame is not None:
            if frame.steps is not None:
                path.append(frame.steps if isinstance(frame.steps, str) else frame.steps[i])
            if frame.origins is not None:
                i = frame.origins[i]
            frame = frame.above
        return path[::-1]
