"""The simplest server for likes: a like is one Postgres transaction. The section `likes` compares Plaudit with it.

It receives the requests of the API and answers with the same bodies. It is as fast as such code can be: asyncpg,
prepared statements, entities cached for ever, no GraphQL, and no counter of the likes that an owner receives.
"""

import time
from itertools import count

import asyncpg
import orjson
from starlette.requests import Request
from starlette.responses import Response

from bench.serving import SignIn, serve
from domain.ids import EntityId, parse_id
from settings import Settings

SCHEMA = "naive"
TABLES = ("reactions", "counters", "like_log")

_ENTITY = """
    SELECT e.business_id, e.entity_id, e.owner_id FROM entity_keys k JOIN entities e USING (business_id, entity_id)
    WHERE k.business_id = $1 AND k.key = $2
"""
_REACT = """
    INSERT INTO naive.reactions AS r (user_id, business_id, entity_id, owner_id, state, version)
    VALUES ($1, $2, $3, $4, 1, $5)
    ON CONFLICT (user_id, business_id, entity_id) DO UPDATE SET
        prev_state = r.state, prev_owner_id = r.owner_id, state = 1, version = excluded.version
    WHERE r.state <> 1
    RETURNING prev_state
"""
_COUNT = """
    INSERT INTO naive.counters AS c (business_id, entity_id, kind, value, version) VALUES ($1, $2, 1, $3, $4)
    ON CONFLICT (business_id, entity_id, kind) DO UPDATE SET value = c.value + excluded.value, version = $4
    RETURNING value
"""
_LOG = """
    INSERT INTO naive.like_log (user_id, version, business_id, entity_id, owner_id, verb, ip)
    VALUES ($1, $2, $3, $4, $5, $6, $7::text::inet)
"""
_sequence = count()


class Likes:
    """Answers the requests of the simplest server."""

    def __init__(self, settings: Settings, connections: asyncpg.Pool) -> None:
        self._pool = connections
        self._sign_in = SignIn(settings, connections)
        self._businesses = {business.name: business.id for business in settings.businesses}
        self._entities: dict[str, tuple[int, int, int | None]] = {}

    async def __call__(self, request: Request) -> Response:
        user_id = await self._sign_in.user_of(request)
        target = orjson.loads(await request.body())["variables"]["id"]
        likes = await self._like(user_id, await self._entity(target), request.client.host if request.client else None)
        liked = {"target": {"id": target, "likeCount": likes, "viewerReaction": "LIKE"}, "userErrors": []}
        return Response(orjson.dumps({"data": {"like": liked}}), media_type="application/json")

    async def _entity(self, target: str) -> tuple[int, int, int | None]:
        if target not in self._entities:
            parsed = parse_id(target)
            assert isinstance(parsed, EntityId)
            row = await self._pool.fetchrow(_ENTITY, self._businesses[parsed.business], parsed.key)
            self._entities[target] = tuple(row)
        return self._entities[target]

    async def _like(self, user_id: int, entity: tuple[int, int, int | None], ip: str | None) -> int:
        business_id, entity_id, owner_id = entity
        version = time.time_ns() // 1_000_000 << 20 | next(_sequence) & 0xFFFFF
        async with self._pool.acquire() as connection, connection.transaction():
            was = await connection.fetchval(_REACT, user_id, business_id, entity_id, owner_id, version)
            if was is not None:
                await connection.execute(_LOG, user_id, version, business_id, entity_id, owner_id, "like", ip)
            # Last, because concurrent likes of the same entity wait for this row.
            likes: int = await connection.fetchval(_COUNT, business_id, entity_id, int(was is not None), version)
        return likes


if __name__ == "__main__":
    serve(Likes)
