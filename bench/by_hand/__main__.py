"""The hand-written server. It recognises a request by the names of its variables, and does not parse the GraphQL
document.
"""

from typing import Any

import asyncpg
import orjson
from redis import asyncio as redis_asyncio
from starlette.requests import Request
from starlette.responses import Response

from bench.by_hand.comments import Comments
from bench.by_hand.entities import Entities
from bench.by_hand.home import Home
from bench.by_hand.likes import Likes
from bench.by_hand.people import People
from bench.by_hand.square import Square
from bench.serving import SignIn, serve
from settings import Settings


class ByHand:
    """Answers the requests of the hand-written server."""

    def __init__(self, settings: Settings, connections: asyncpg.Pool) -> None:
        redis: Any = redis_asyncio.Redis.from_url(settings.redis_url, protocol=2)
        self._sign_in = SignIn(settings, connections)
        self._entities = Entities(settings, redis)
        self._people = People(settings, redis)
        self._home, self._square = Home(settings, redis), Square(settings, redis)
        self._comments = Comments(settings, redis)
        self._likes = Likes(settings, redis)

    async def __call__(self, request: Request) -> Response:
        user_id = await self._sign_in.user_of(request)
        variables = orjson.loads(await request.body())["variables"]
        data = await self._data(user_id, variables, request)
        return Response(orjson.dumps({"data": data}), media_type="application/json")

    async def _data(self, user_id: int, variables: dict[str, Any], request: Request) -> dict[str, Any]:
        if "keys" in variables:
            return {"entities": await self._entities.page(user_id, variables["keys"])}
        if "people" in variables:
            return {"users": await self._people.page(user_id, variables["people"])}
        if "first" in variables:
            return {"viewer": {"home": await self._home.page(user_id, variables["first"])}}
        if "count" in variables:
            return {"square": await self._square.page(user_id, variables["count"])}
        if "ids" in variables:
            return {"nodes": await self._comments.page(user_id, variables["ids"])}
        ip = request.client.host if request.client else None
        return {"like": await self._likes.like(user_id, variables["id"], ip)}


if __name__ == "__main__":
    serve(ByHand)
