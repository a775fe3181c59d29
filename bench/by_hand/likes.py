"""The hand-written like. It reads the cached entity, runs the Redis script of the API, and reads the counters."""

import secrets
from typing import Any

import orjson
from redis.exceptions import NoScriptError

from bench.by_hand.hidden import HiddenUsers
from bench.by_hand.seen import body, counted
from domain.digests import digest
from domain.ids import EntityId, parse_id
from models.counters import CounterKind, EntityRef
from models.likes import REACT, Reaction
from settings import Settings
from store import keys
from store.keys import Keys
from store.own_sets.kinds import counted_changes
from store.own_sets.own_sets import oldest_moment
from store.scripts import CHANGE_OWN_SET as SCRIPT
from store.write_log.pending import Pending, PendingHistory, field_of

_DAY_MS = 86_400_000
_RECORD_MS = 60_000


class Likes:
    """Answers likes of viewers whose reactions are cached."""

    def __init__(self, settings: Settings, redis: Any) -> None:
        self._keys = Keys(settings.partitions)
        self._hidden = HiddenUsers(self._keys)
        self._businesses = {business.name: business for business in settings.businesses}
        self._pending_ms, self._bound = int(settings.pending_seconds * 1000), settings.journal_max_entries
        self._redis = redis

    async def like(self, viewer: int, target: str, ip: str | None) -> dict[str, Any]:
        """Likes the entity with the id `target`, from the IP address `ip`. Returns the payload as the API
        would answer.
        """
        parsed = parse_id(target)
        assert isinstance(parsed, EntityId)
        business = self._businesses[parsed.business]
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.get(keys.entity(business.id, parsed.key))
        pipeline.get(keys.user(viewer))
        self._hidden.ask(pipeline, viewer)
        document, profile, boundaries = await pipeline.execute()
        entity, user = body(document), body(profile)
        assert user["suspended"] is None
        assert entity["owner_id"] not in self._hidden.read(viewer, boundaries)
        shown = await self._react(viewer, target, business, entity, ip)
        return {"target": {"id": target, **shown}, "userErrors": []}

    async def _react(
        self, viewer: int, target: str, business: Any, entity: dict[str, Any], ip: str | None
    ) -> dict[str, Any]:
        """Runs the script that stores the like. Returns the new number of likes and the viewer's reaction, including
        pending changes.
        """
        entity_id, owner = entity["entity_id"], entity["owner_id"]
        entry = {"actor": viewer, "business": business.id, "entity": entity_id, "owner": owner, "source": None}
        entry |= {"verb": "like", "ip": ip, "device": None, "client": None}
        journal, *of_all = self._keys.of_scripts(viewer)
        script_keys = [
            journal,
            self._keys.own_set(REACT, viewer, business.id),
            self._keys.own_states(REACT, viewer, business.id),
            self._keys.pending(viewer),
            self._keys.operation(viewer, secrets.token_hex(16)),
            *of_all,
        ]
        arguments = [
            *(REACT, entity_id, field_of(REACT, EntityRef(business.id, entity_id)), digest(target), _RECORD_MS),
            *(int(Reaction.LIKE), "", "", oldest_moment(entity_id), "", 0, self._pending_ms),
            *(business.recent_reactions, "", business.reactions_idle_days * _DAY_MS, self._bound),
            *("", 0, "", "", "", "", "", "", orjson.dumps(entry), ""),
            *(*[field_of(what, EntityRef(business.id, entity_id)) for what in counted_changes(business.id)], 0),
        ]
        ref = EntityRef(business.id, entity_id)
        try:
            counters, answer = await self._sent(ref, "evalsha", SCRIPT.sha, len(script_keys), *script_keys, *arguments)
        except NoScriptError:
            counters, answer = await self._sent(ref, "eval", SCRIPT.source, len(script_keys), *script_keys, *arguments)
        assert answer[0] == b"DONE"
        _, state, _, histories = answer
        found = zip(counted_changes(business.id), histories, strict=True)
        pending = {(what, ref): PendingHistory(history) for what, history in found if history}
        mine = Pending(self._keys.partition_of(viewer), pending)
        likes = counted(body(counters), CounterKind.LIKES, mine, REACT, ref, lambda state: state == Reaction.LIKE)
        return {"likeCount": likes, "viewerReaction": (None, "LIKE", "DISLIKE")[int(state)]}

    async def _sent(self, ref: EntityRef, *script: Any) -> tuple[bytes, list[Any]]:
        """Runs the Redis command `script`, and reads the counters of the entity `ref` in the same round trip. Returns
        the cached counters and the reply to the command.
        """
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.get(keys.counts(ref))
        pipeline.execute_command(*script)
        counters, answer = await pipeline.execute()
        return counters, answer
