"""An undocumented part of SQLAlchemy: the function that calls its blocking methods from coroutines.

**What.** `greenlet_spawn` runs a method of SQLAlchemy in a greenlet. When the method waits for asyncpg, the coroutine
waits.

**Why.** The documented `sqlalchemy.ext.asyncio` does the same, but imports SQLAlchemy's ORM, which takes 7 MB in each
process. Plaudit does not use the ORM.

**Test.** tests/dependencies/test_sqlalchemy.py runs statements of a real engine, lets one wait while others run,
cancels one, and checks that the ORM is not imported.

**Upgrade.** `sqlalchemy/ext/asyncio/engine.py` shows what SQLAlchemy itself calls. To do without: use `async_engine_at`
of models/database/async_engines.py in store/postgres/client.py.
"""

from sqlalchemy.util.concurrency import greenlet_spawn

__all__ = ["greenlet_spawn"]
