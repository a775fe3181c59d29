"""Compiles operations into plans, which run level by level over whole lists of objects. This package does not depend on
the domain.

From a document to its JSON, one file for each step:

1. `documents.py` parses the text and keeps valid documents. `selections.py`, `lengths.py` and `cost.py` compute the
   price; `limits.py` compares it with the limits of the caller.
2. `calls.py` lists the root fields, and `sizes.py` measures the variables: for the limits of writes and of inputs.
3. `start.py` coerces the variables.
4. `plans.py` finds the plan of the operation, or lets `compile.py` make it. The plan has one selection for each level
   (`levels.py`), the members of its objects (`members.py`), their completers (`complete.py`), the lookups of fields
   (`fields.py`) and the arguments of resolvers (`arguments.py`).
5. `run.py` is one execution of the plan. Each level looks up its values for all objects, and its completers turn them
   into JSON.
6. `fragments.py` joins the JSON of the fields, and keeps the parts that do not change. `frames.py` computes the path of
   a value, when an error needs it.
"""

from execution.fields import Batched
from execution.plans import PlannedExecutor, Plans

__all__ = ["Batched", "PlannedExecutor", "Plans"]
