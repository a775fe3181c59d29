"""A user who reposts posts of an author and removes the reposts, and the check of the rows, the counters and the home
timeline of a follower.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import text

from state import State
from tests.failures.faults.authors import OutcomeUnknown
from tests.failures.faults.client import Client
from tests.support.reposts import REPOST, entries
from tests.support.system import Api

_ROWS = text("SELECT post_id FROM reposts WHERE user_id = :user AND stands")
_COUNTERS = text("SELECT entity_id, value FROM counters WHERE kind = 14 AND entity_id = ANY(:posts)")


@dataclass
class Reposting:
    """The user, and a follower who follows nobody else. Nobody else reposts the posts."""

    client: Client
    user_id: int
    follower: str
    stands: dict[str, set[bool]]
    """By post, whether the repost may stand."""
    names: Iterator[str]

    async def act(self) -> None:
        """Reposts a random post or removes the repost. Raises OutcomeUnknown if its outcome stays unknown."""
        post, wanted, name = random.choice([*self.stands]), random.random() < 0.6, next(self.names)
        self.stands[post].add(wanted)
        answer = await self.client.insist(name, REPOST % ("repost" if wanted else "unrepost"), id=post, key=name)
        if answer is None:
            raise OutcomeUnknown
        self.stands[post] = {wanted}
        shown = answer.value["post"]
        if answer.whole and shown and (shown["repostCount"], shown["viewerHasReposted"]) != (int(wanted), wanted):
            self.client.broken.append(f"the answer to {name} shows {shown} where {wanted} was requested")


async def repost_violations(stores: State, api: Api, reposting: Sequence[Reposting]) -> list[str]:
    """Returns a sentence for each repost that is not as its user has left it, each wrong counter, and each home
    timeline of a follower that does not say what the rows say.
    """
    found = []
    for one in reposting:
        posts = {post: int(post.rpartition(":")[2]) for post in one.stands}
        rows = {post for (post,) in await stores.postgres.read(_ROWS, user=one.user_id)}
        counters = dict(map(tuple, await stores.postgres.read(_COUNTERS, posts=[*posts.values()])))
        for post, possible in one.stands.items():
            stands = posts[post] in rows
            if stands not in possible:
                found.append(f"the repost of {post} stands: {stands}, where {possible} was acknowledged")
            if counters.get(posts[post], 0) != stands:
                found.append(f"counter REPOSTS of {post} is {counters.get(posts[post])} where the row says {stands}")
        shown = len(await entries(api.person(one.follower), first=2))
        if shown != len(rows):
            found.append(f"{one.follower} is shown {shown} posts where the rows have {len(rows)} reposts")
    return found
