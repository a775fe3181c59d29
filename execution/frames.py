"""The paths of values in a response. They are computed only when an error needs one."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(slots=True)
class Frame:
    """The places of one column of values in the response. Value `i` is below the value `origins[i]` of the frame
    `above`, and the last key or list position of its path is `steps[i]`.

    Without `origins`, value `i` is below the value `i` of the frame `above`. If `steps` is one name, all values have
    this key. If `steps` is None, the values have the same paths as those of the frame `above`.
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
