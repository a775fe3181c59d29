"""The paths of values in a response. They are computed only when an error needs one."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(slots=True)
class Frame:
    """The paths in the response of one column of values. Value `i` belongs to value `origins[i]` of the parent frame,
    and `steps[i]` is added to the path of that value.

    Without `origins`, the two frames have the same length. If `steps` is one name, it is added to every path. If it is
    None, nothing is added.
    """

    above: "Frame | None" = None
    steps: Sequence[int] | str | None = None
    origins: Sequence[int] | None = None

    @property
    def names(self) -> list[str]:
        """Returns the response keys on the path of the values, without positions in lists."""
        own = [self.steps] if isinstance(self.steps, str) else []
        return self.above.names + own if self.above else own

    @property
    def is_root(self) -> bool:
        """Returns whether the values are those of root fields."""
        return self.above is not None and self.above.above is None

    def path(self, i: int) -> list[str | int]:
        """Returns the path of value `i` in the response: keys and list positions."""
        path: list[str | int] = []
        frame: Frame | None = self
        while frame is not None:
            if frame.steps is not None:
                path.append(frame.steps if isinstance(frame.steps, str) else frame.steps[i])
            if frame.origins is not None:
                i = frame.origins[i]
            frame = frame.above
        return path[::-1]
