"""The worker process: starts and stops a worker."""

import asyncio
import secrets
import signal
import socket
from contextlib import suppress
from typing import Any

import uvloop
from sqlalchemy.exc import DBAPIError

import checks
from checks.ports import refuse_taken_ports
from observability import logs, metrics, tracing
from observability.logs import Log
from settings import Settings
from state import State, calm_collector, opened
from store.postgres.client import PostgresDown
from store.write_log import shared_settings
from workers.relay import Relay
from workers.released import Released
from workers.repeating import wait_for
from workers.worker import Worker

log = Log(__name__)

_ROLE_INTERVAL = 0.1
"""Seconds between two looks whether the site writes."""


def run(settings: Settings) -> None:
    """Runs a worker until SIGTERM or SIGINT. The worker then finishes its batch and releases its partitions. Raises
    Misconfigured if it cannot start.
    """
    logs.configure(settings.log_level, as_json=settings.logs_json)
    refuse_taken_ports(settings, [("PLAUDIT_METRICS_PORT", settings.metrics_port)])
    metrics.describe_process("worker")
    with metrics.served(settings.host, settings.metrics_port):
        uvloop.run(_run(settings))


async def _run(settings: Settings) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    name = f"{socket.gethostname()}-{secrets.token_hex(4)}"
    await checks.refuse_unsafe_start(settings)
    with tracing.running("worker", settings.tracing):
        async with opened(settings, "worker", makes_ids=False, obeys_term=False) as state:
            calm_collector()
            await check_pending_seconds(state, name)
            log.info("worker started", worker=name)
            await work(state, name, stop)
            log.info("worker stopped", worker=name)


async def work(state: State, name: str, stop: asyncio.Event) -> None:
    """Runs a worker until `stop` is set; a relay while this site only reads; and what remains to do (`Released`) while
    another site takes the writes.
    """
    if not state.settings.connections.other_site:
        await Worker(state, name).run(stop)
        return
    while not stop.is_set():
        role, ended = _role(state), asyncio.Event()
        begun = Worker(state, name).run(ended) if role is Worker else role(state).run(ended)
        working = asyncio.create_task(begun)
        while not stop.is_set() and not working.done() and _role(state) is role:
            await wait_for(stop, _ROLE_INTERVAL)
        ended.set()
        await working


def _role(state: State) -> Any:
    """Returns the class whose `run` this process runs now."""
    if state.write_mode.only_reads:
        return Relay
    return Worker if state.write_mode.takes_writes else Released


async def check_pending_seconds(state: State, name: str) -> None:
    """Stores this worker's setting `pending_seconds`, so that API processes can compare it with theirs. Raises
    Misconfigured if the value of an API process is higher. Does nothing while Postgres is down.
    """
    settings = state.settings
    with suppress(PostgresDown, DBAPIError):  # Postgres is down or not migrated yet: the worker waits for it
        if problem := await shared_settings.problem_of_worker(
            state.postgres, name, settings.partition_lease_seconds, int(settings.pending_seconds * 1000)
        ):
            raise checks.Misconfigured(problem)
