"""Operations compiled into plans, which run level by level over whole lists. Nothing here knows the domain."""

from execution.fields import Batched
from execution.plans import PlannedExecutor, Plans

__all__ = ["Batched", "PlannedExecutor", "Plans"]
