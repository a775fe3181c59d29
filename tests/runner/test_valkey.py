from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from runner.valkey import Valkey


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Valkey]:
    with Valkey(tmp_path / "valkey") as server:
        yield server


def test_what_was_acknowledged_survives_sigkill_and_the_address_stays(server: Valkey) -> None:
    url = server.url
    server.command("SET", "kept", "42")

    server.kill()
    assert not server.running
    server.start()

    assert server.url == url
    assert server.command("GET", "kept") == "42"


def test_nothing_is_evicted_and_everything_is_logged(server: Valkey) -> None:
    assert server.command("CONFIG GET", "maxmemory-policy") == {"maxmemory-policy": "noeviction"}
    assert server.command("CONFIG GET", "appendonly") == {"appendonly": "yes"}
    assert server.command("CONFIG GET", "appendfsync") == {"appendfsync": "everysec"}


def test_a_second_server_runs_beside_it_with_settings_of_its_own(server: Valkey, tmp_path: Path) -> None:
    with Valkey(tmp_path / "other", appendfsync="always", settings={"maxmemory": "32mb"}) as other:
        server.command("SET", "mine", "1")

        assert other.command("GET", "mine") is None
        assert other.command("CONFIG GET", "appendfsync") == {"appendfsync": "always"}
        assert other.command("CONFIG GET", "maxmemory") == {"maxmemory": str(32 * 1024 * 1024)}


def test_whoever_does_not_know_its_password_is_refused(tmp_path: Path) -> None:
    with Valkey(tmp_path / "closed", password="known-to-us") as server:
        assert server.command("PING")
        for stranger in (redis.Redis(port=server.port), redis.Redis(port=server.port, password="guessed")):
            with pytest.raises(redis.AuthenticationError):
                stranger.ping()
        assert redis.Redis.from_url(server.url).ping()


def test_only_this_machine_can_connect(server: Valkey) -> None:
    assert server.command("CONFIG GET", "bind") == {"bind": "127.0.0.1"}
