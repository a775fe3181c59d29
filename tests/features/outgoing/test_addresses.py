"""Which addresses and URLs webhooks may have."""

import asyncio
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from models.outgoing import Destination, DestinationState
from settings import EventSettings
from store.outgoing import urls
from tests.support.deployment import ROOT
from workers.outgoing import webhooks
from workers.outgoing.addresses import Lookups, is_public, resolve
from workers.outgoing.failures import DeliveryFailed
from workers.outgoing.unstored import sample


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.1"),
        *("0.0.0.0", "::1", "::", "fe80::1%eth0", "fc00::1", "ff02::1"),  # noqa: S104 - nothing is bound
        *("::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::", "255.255.255.255", "192.0.2.1", "2001:db8::1"),
    ],
)
def test_addresses_of_private_networks_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "64:ff9b::5db8:d70e"])
def test_other_addresses_are_public(address: str) -> None:
    assert is_public(address)


async def test_an_unknown_name_is_a_failure() -> None:
    with pytest.raises(DeliveryFailed, match="unresolved"):
        await resolve(Lookups(1), "a..b", 443, private=False)


@pytest.mark.parametrize(
    "url", ["http://example.com/", "https://user:x@example.com/", "https:///x", "https://a/#x", "ftp://a/"]
)
def test_urls_of_webhooks_use_https_and_name_a_host(url: str) -> None:
    with pytest.raises(ValueError, match="The URL"):
        urls.check_webhook(url, EventSettings())


def test_development_allows_http() -> None:
    urls.check_webhook("http://localhost:8001/hook", EventSettings(private_addresses=True))


async def test_lookups_that_hang_do_not_delay_other_work_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stores' clients look up names with the default threads."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    begun, released = threading.Event(), threading.Event()

    def hang(*_: object, **__: object) -> None:
        begun.set()
        released.wait(10)
        raise OSError("no answer")

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    secrets = ("whsec_c2VjcmV0",)
    destination = Destination("hook", "https://hooks.example.com/", (), (), secrets, DestinationState.ACTIVE, None)
    sink = webhooks.WebhookSink(destination, EventSettings())
    sending = asyncio.create_task(sink.send(0, [sample(0)]))
    assert await asyncio.to_thread(begun.wait, 5)
    try:
        async with asyncio.timeout(2):
            await asyncio.to_thread(int)
    finally:
        released.set()

    with pytest.raises(DeliveryFailed, match="unresolved"):
        await sending
    await sink.close()


async def test_lookups_wait_while_the_permitted_number_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    released = threading.Event()

    def hang(host: str, *_: object, **__: object) -> list[tuple[object, ...]]:
        asked.append(host)
        released.wait(20)
        return [(2, 1, 6, "", ("93.184.215.14", 443))]

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    lookups = Lookups(2)
    abandoned = [asyncio.create_task(lookups.addresses(f"{i}.example.com", 443)) for i in range(2)]
    async with asyncio.timeout(20):
        while len(asked) < 2:
            await asyncio.sleep(0.01)
    for task in abandoned:
        task.cancel()
    last = asyncio.create_task(lookups.addresses("last.example.com", 443))
    await asyncio.gather(*abandoned, return_exceptions=True)
    assert not last.done()
    assert len(asked) == 2

    released.set()
    async with asyncio.timeout(20):
        assert await last == ["93.184.215.14"]


def test_a_process_stops_while_a_lookup_hangs() -> None:
    program = """if True:
        import asyncio, socket, threading
        from workers.outgoing.addresses import Lookups

        begun = threading.Event()

        def hang(*_, **__):
            begun.set()
            threading.Event().wait()

        async def main():
            lookup = asyncio.create_task(Lookups(1).addresses("hooks.example.com", 443))
            await asyncio.to_thread(begun.wait)
            lookup.cancel()

        socket.getaddrinfo = hang
        asyncio.run(main())
        print("stopped")
    """
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True, text=True, timeout=40
    )
    assert done.stdout == "stopped\n"
