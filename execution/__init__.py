"""Compiles operations into plans, which run level by level over whole lists of objects. This package does not depend on
the domain.

From the query text to the response, step by step:

1. `documents.py` parses, validates and caches documents. `selections.py`, `lengths.py` and `cost.py` compute the price;
   `limits.py` compares it with the limits of the caller.
2. `calls.py` lists the root fields, to count writes; `sizes.py` counts the values in variables, to limit inputs.
3. `start.py` coerces the variables.
4. `plans.py` finds the plan of the operation, or lets `compile.py` make it. A plan has a `Selection` for each level
   (`levels.py`). It has the members of objects (`members.py`), functions that write values as JSON (`complete.py`),
   lookups (`fields.py`) and arguments (`arguments.py`).
5. `run.py` is one execution of the plan. Each level reads values for all its objects, and writes these values as JSON.
6. `objects.py` joins JSON texts to objects, and caches the texts that do not change. `frames.py` computes the path of a
   value, when an error needs it.
"""

from execution.fields import Batched
from execution.plans import PlannedExecutor, Plans

__all__ = ["Batched", "PlannedExecutor", "Plans"]
