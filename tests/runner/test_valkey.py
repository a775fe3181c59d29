from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from runner.valkey import Valkey


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Valkey]:
    with Valkey(tmp_path / "valkey") as server:
        yield server


def test_acknowledged_writes_survive_sigkill_and_the_address_stays(server: Valkey) -> None:
    url = server.url
    server.command("SET", "kept", "42")

    server.kill()
    assert not server.running
    server.start()

    assert server.url == url
    assert server.command("GET", "kept") == "42"


def test_the_server_evicts_nothing_and_writes_an_append_only_file(server: Valkey) -> None:
    assert server.command("CONFIG GET", "maxmemory-policy") == {"maxmemory-policy": "noeviction"}
    assert server.command("CONFIG GET", "appendonly") == {"appendonly": "yes"}
    assert server.command("CONFIG GET", "appendfsync") == {"appendfsync": "everysec"}


def test_a_second_server_runs_with_its_own_settings(server: Valkey, tmp_path: Path) -> None:
    with Valkey(tmp_path / "other", appendfsync="always", settings={"maxmemory": "32mb"}) as other:
        server.command("SET", "mine", "1")

        assert other.command("GET", "mine") is None
        assert other.command("CONFIG GET", "appendfsync") == {"appendfsync": "always"}
        assert other.command("CONFIG GET", "maxmemory") == {"maxmemory": str(32 * 1024 * 1024)}


def test_a_client_without_password_is_refused(tmp_path: Path) -> None:
    with Valkey(tmp_path / "closed", password="known-to-us") as server:
        assert server.command("PING")
        for password in (None, "guessed"):
            stranger = redis.Redis(port=server.port, password=password, retry=Retry(NoBackoff(), 0))
            with pytest.raises(redis.AuthenticationError):
                stranger.ping()
        assert redis.Redis.from_url(server.url).ping()


def test_only_local_clients_can_connect(server: Valkey) -> None:
    assert server.command("CONFIG GET", "bind") == {"bind": "127.0.0.1"}
