"""The metrics of an API on a separate port."""

from collections.abc import Callable

import httpx
import pytest

from app import create_app
from runner.ports import free_port
from settings import Settings
from tests.support.system import running

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])


async def test_metrics_have_a_separate_port_which_in_production_is_the_only_one(
    make_settings: Callable[..., Settings],
) -> None:
    port = free_port()
    private = f"http://127.0.0.1:{port}/metrics"
    settings = make_settings(metrics_port=port)
    production = settings.model_copy(update={"env": "production"})
    async with httpx.AsyncClient(trust_env=False) as http:
        async with running(settings) as system:
            assert "plaudit_requests_total" in (await http.get(private)).text
            assert (await system.http.get("/metrics")).status_code == 200
        with pytest.raises(httpx.ConnectError):
            await http.get(private)
        transport = httpx.ASGITransport(app=create_app(production))
        async with httpx.AsyncClient(transport=transport, base_url="http://plaudit.test") as public:
            assert (await public.get("/metrics")).status_code == 404
