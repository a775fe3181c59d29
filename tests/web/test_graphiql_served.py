"""GraphiQL is served where it can work: never to strangers in production."""

from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from app import create_app
from settings import Settings

PATHS = ("/graphiql", "/graphiql/assets/graphiql.js", "/graphiql/session", "/")

SERVED: dict[str, tuple[dict[str, Any], list[int]]] = {
    "production": ({}, [404, 404, 404, 404]),
    "production with introspection": ({"introspection": True}, [200, 200, 404, 404]),
    "development": ({"env": "development"}, [200, 200, 200, 200]),
    "development without introspection": ({"env": "development", "introspection": False}, [404, 404, 404, 404]),
    "lockdown": ({"env": "development", "persisted_only": True}, [404, 404, 404, 404]),
}


@pytest.mark.parametrize("where", SERVED)
async def test_graphiql_is_served_where_it_can_work_and_offers_users_in_development(where: str) -> None:
    changes, statuses = SERVED[where]
    transport = httpx.ASGITransport(create_app(Settings(jwt_secret=SecretStr("s" * 32), **changes)))

    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        assert [(await client.get(path)).status_code for path in PATHS] == statuses
