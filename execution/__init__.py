"""Compiles operations into plans, which run level by level over whole lists of objects. This package does not depend on
the domain.
"""

from execution.fields import Batched
from execution.plans import PlannedExecutor, Plans

__all__ = ["Batched", "PlannedExecutor", "Plans"]
