"""The page of entities as one would write it by hand. The baseline of the section `page`.

It gets the requests that the API gets, sends the same commands to Redis in as many round trips, and answers with the
same bytes; everything in between is as direct as Python allows.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import orjson
from redis import asyncio as redis_asyncio
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bench.serving import SignIn, pool, serve
from loaders.counts import SeenCounts
from models.counters import CounterKind, EntityRef
from settings import Settings
from store import counts, keys, pending
from store.cache import Cached
from store.keys import Keys
from store.pending import REACT, Pending

_SHOWN = [
    ("likeCount", str(int(CounterKind.LIKES))),
    ("dislikeCount", str(int(CounterKind.DISLIKES))),
    ("viewCount", str(int(CounterKind.VIEWS))),
    ("shareCount", str(int(CounterKind.SHARES))),
]
_NONE = [0]


class Page:
    """The endpoint, for pages whose every value is cached: it refuses to be measured on anything else."""

    def __init__(self, settings: Settings, connections: asyncpg.Pool) -> None:
        self._sign_in = SignIn(settings, connections)
        self._keys = Keys(settings.partitions)
        (self._business,) = (business for business in settings.businesses if business.name == "video")
        self._redis: Any = redis_asyncio.Redis.from_url(settings.redis_url, protocol=2)

    async def __call__(self, request: Request) -> Response:
        user_id = await self._sign_in.user_of(request)
        wanted = orjson.loads(await request.body())["variables"]["keys"]
        documents = await self._redis.mget([keys.entity(self._business.id, key) for key in wanted])
        entities = [orjson.loads(raw.split(b" ", 2)[2]) for raw in documents]
        page = await self._page(user_id, entities)
        return Response(orjson.dumps({"data": {"entities": page}}), media_type="application/json")

    async def _page(self, user_id: int, entities: list[dict[str, Any]]) -> list[dict[str, Any]]:
        refs = [EntityRef(entity["business_id"], entity["entity_id"]) for entity in entities]
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.mget([keys.counts(ref) for ref in refs])
        pipeline.hgetall(self._keys.pending(user_id))
        pipeline.zmscore(self._keys.reactions(user_id, self._business.id), [0, *(ref.entity_id for ref in refs)])
        counters, waiting, (floor, *scores) = await pipeline.execute()
        assert floor is not None
        shown = [_shown(*one) for one in zip(entities, counters, scores, strict=True)]
        return self._overlaid(user_id, refs, shown, counters, waiting) if waiting else shown

    def _overlaid(
        self,
        user_id: int,
        refs: list[EntityRef],
        shown: list[dict[str, Any]],
        counters: list[bytes],
        waiting: dict[bytes, bytes],
    ) -> list[dict[str, Any]]:
        """With the viewer's own changes that are on their way; rare enough to be done by the code that does it best."""
        flat = [part for item in waiting.items() for part in item]
        mine = pending.parse(self._keys.partition_of(user_id), flat)
        return [_overlaid(*one, mine) for one in zip(refs, shown, counters, strict=True)]


def _shown(entity: dict[str, Any], raw: bytes, score: float | None) -> dict[str, Any]:
    counters = orjson.loads(raw.split(b" ", 2)[2])
    shown = {"id": f"Entity:{entity['business']}:{entity['key']}", "title": entity["title"]}
    for field, kind in _SHOWN:
        shown[field] = counters.get(kind, _NONE)[0]
    shown["viewerReaction"] = None if score is None else "DISLIKE" if int(score) % 2 else "LIKE"
    return shown


def _overlaid(ref: EntityRef, shown: dict[str, Any], raw: bytes, mine: Pending) -> dict[str, Any]:
    seen = SeenCounts(ref, counts.decode(Cached.parse(raw)), mine)
    shown |= {
        "likeCount": seen.likes,
        "dislikeCount": seen.dislikes,
        "viewCount": seen.views,
        "shareCount": seen.shares,
    }
    for history in mine.of(REACT, ref):
        shown["viewerReaction"] = (None, "LIKE", "DISLIKE")[history.latest]
    return shown


def app(settings: Settings) -> Starlette:
    """The server."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with pool(settings) as connections:
            app.state.page = Page(settings, connections)
            yield

    async def page(request: Request) -> Response:
        endpoint: Page = request.app.state.page
        return await endpoint(request)

    return Starlette(routes=[Route("/graphql", page, methods=["POST"])], lifespan=lifespan)


if __name__ == "__main__":
    chosen = Settings()
    serve(app(chosen), chosen)
