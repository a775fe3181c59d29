"""The ground (a law or a clause of the operator's rules) that a moderator names for a decision."""

from context import Context
from domain.errors import Refused, UserErrorCode


def check(context: Context, name: str | None, *, deceptive: bool = False) -> str | None:
    """Returns the name of a ground; None for none. Raises Refused with INVALID if no configured ground has this name.
    With `deceptive`, also raises it unless the ground is one for deceptive commercial content.
    """
    ground = context.state.settings.grounds.get(name) if name is not None else None
    if name is not None and ground is None:
        raise Refused.because(UserErrorCode.INVALID, "There is no ground with this name. See `grounds`.", "ground")
    if deceptive and not (ground and ground.deceptive):
        message = "The mode SHADOW needs a ground for deceptive commercial content, because the user is not told."
        raise Refused.because(UserErrorCode.INVALID, message, "ground")
    return name


def parts(name: str | None) -> tuple[str, ...]:
    """Returns what a ground adds to the input that belongs to an idempotency key: nothing without a ground."""
    return () if name is None else ("ground", name)
