"""Compiles operations into plans, which run level by level over whole lists of objects. This package does not depend on
the domain of Plaudit.

From the query text to the response, step by step:

1. `documents.py` finds a document, or parses, prices and validates a new one. `selections.py`, `list_lengths.py` and
   `cost.py` compute the price; `limits.py` compares it with the limits of the caller. `definitions.py` finds which
   fields, fragments and variables in directives an operation has.
2. `inputs.py` has the data that all executions of an operation share. It lists the calls of root fields, from which
   writes are counted, and it coerces variables and arguments.
3. `plans.py` finds the plan of the operation, or lets `compile.py` make it. A plan has a `Selection` for each level of
   the response (`objects.py`), whose fields get their values (`fields.py`) and write them as JSON (`complete.py`).
4. `run.py` is one execution of the plan. Each level reads values for all its objects, and writes these values as JSON.
   `objects.py` joins the texts to objects, and caches the texts that do not change.
"""

from execution.fields import Batched
from execution.plans import PlannedExecutor, Plans

__all__ = ["Batched", "PlannedExecutor", "Plans"]
