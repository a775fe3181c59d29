"""Mutations that switch a preference of the viewer on or off, such as setTopicsInHome. Each appends one change to the
write log, which acknowledges the change.
"""

import orjson

from commands.own_sets import OwnChange
from commands.write import Write
from context import Context
from models.own_sets import Transition
from models.preferences import PREFERENCE, preference_ref


async def switch(
    context: Context, mutation: str, preference: int, on: bool, idempotency_key: str | None, *parts: object
) -> None:
    """Switches a preference of the viewer on or off, exactly once. Switching it to the same state again succeeds and
    changes nothing. `preference` is a `Preference`, or the number of a choice about a label. `mutation` is the name of
    the mutation; `parts` are values of its input beside `on`.

    Raises Unauthenticated, AccountDeleted, RateLimited, Unavailable; Refused with IDEMPOTENCY_MISMATCH.
    """
    async with Write(context, mutation, idempotency_key, on, *parts) as write:
        business_id, number = ref = preference_ref(preference)
        about = {"actor": write.actor_id, "business": business_id, "entity": number}
        await write.append(OwnChange(Transition(PREFERENCE, ref, int(on), orjson.dumps(about))))
    context.forget()
