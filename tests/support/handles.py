"""The rows of handles: those that users have, and those that they have given up."""

from datetime import timedelta

from tests.support.reconciliation import execute
from tests.support.system import System


async def held(system: System) -> set[tuple[str, int]]:
    """Returns the handles that users have according to both tables, each with the id of the user."""
    first, second = [await system.rows(f"SELECT handle, user_id FROM {table}") for table in ("users", "handles")]  # noqa: S608 - constants
    return {*first} & {*second}


async def aged(system: System, handle: str, **by: float) -> None:
    """Moves the time when a handle was given up into the past, such as by `days=31`."""
    ((freed_at,),) = await system.rows("SELECT freed_at FROM handles WHERE handle = :handle", handle=handle)
    aged_row = "UPDATE handles SET freed_at = CAST(:at AS timestamptz) WHERE handle = :handle"
    await execute(system, aged_row, at=freed_at - timedelta(**by), handle=handle)
