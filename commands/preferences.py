"""setTopicsInHome: switches a preference of the viewer on or off. Appends one change to the write log, which
acknowledges the change.
"""

import orjson

from commands.own_sets import OwnChange
from commands.write import Write
from context import Context
from models.own_sets import Transition
from models.preferences import PREFERENCE, Preference


async def set_topics_in_home(context: Context, enabled: bool, idempotency_key: str | None) -> None:
    """Sets whether the viewer's home timeline has posts of the topics that the viewer follows, exactly once. Setting
    the same value again succeeds and changes nothing.

    Raises Unauthenticated, AccountDeleted, RateLimited, Unavailable; Refused with IDEMPOTENCY_MISMATCH.
    """
    async with Write(context, "setTopicsInHome", idempotency_key, enabled) as write:
        business_id, number = ref = Preference.TOPICS_IN_HOME.ref
        about = {"actor": write.actor_id, "business": business_id, "entity": number}
        await write.append(OwnChange(Transition(PREFERENCE, ref, int(enabled), orjson.dumps(about))))
    context.forget()
