"""A scene whose changes three destinations get: two webhooks and a Redis stream. Their receivers can fail.

One webhook is received in the process of the test, so that a fault chooses its answers. The other one is received by a
program (event_receiver.py), which a fault can kill. The program of the guide, docs/events/like_counts.py, reads the
stream.
"""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import text

from runner.ports import free_port
from runner.process import Command, Process
from runner.valkey import Valkey
from settings import EventSettings
from state import State, opened
from store.outgoing import cursors, destinations
from store.postgres.client import PostgresDown
from tests.failures.faults.checker import drained
from tests.failures.faults.scene import Scene, started_scene
from tests.support.external_reviewer import Server
from tests.support.guide import FOLDER
from tests.support.webhooks import SECRET, events_of, receiver

SETTINGS = EventSettings(private_addresses=True, timeout=1.0, longest_pause=0.5, batch=20)
STREAM = "all-events"
Events = list[dict[str, Any]]

_COUNT = text("SELECT count(*) FROM outgoing_events")
_UNTOLD = text("SELECT count(*) FROM untold")


@dataclass
class EventScene:
    """The servers and processes that faults happen to. `state` is for checks."""

    system: Scene
    state: State
    server: Server
    """The receiver of the first webhook."""
    stream: Valkey
    folder: Path
    port: int
    """The port of the program that receives the second webhook."""
    programs: list[Process] = field(default_factory=list)
    """The receivers of the second webhook, one after the other."""
    consumers: list[Process] = field(default_factory=list)
    """The consumers of the stream, one after the other."""

    def start_program(self) -> None:
        """Starts a receiver of the second webhook. Each has a file of its own."""
        file = self.folder / f"received-{len(self.programs)}"
        module = ("-m", "tests.failures.faults.event_receiver", str(self.port), SECRET, str(file))
        self.programs.append(self._started("receiver", *module))

    def start_consumer(self) -> None:
        """Starts a consumer, which reads the stream from its beginning."""
        program = str(FOLDER / "like_counts.py")
        self.consumers.append(self._started(f"consumer-{len(self.consumers)}", program, self.stream.url, STREAM))

    def _started(self, name: str, *program: str) -> Process:
        environment = self.system.deployment.environment
        return Process(Command(argv=(sys.executable, *program), log=self.folder / f"{name}.log", env=environment))

    async def stored(self) -> int:
        """Returns the number of stored events, also if the machine is too busy for the first attempts."""
        async with asyncio.timeout(60):
            while True:
                with suppress(PostgresDown):
                    ((count,),) = await self.state.postgres.read(_COUNT)
                    return int(count)
                await asyncio.sleep(0.1)

    async def settles(self, seconds: float) -> None:
        """Returns when all changes are stored, all notifications are delivered, and all destinations have all events.
        Raises TimeoutError.
        """
        await drained(self.state)
        async with asyncio.timeout(seconds):
            while await self._is_busy():
                await asyncio.sleep(0.1)

    async def _is_busy(self) -> bool:
        ((untold,),) = await self.state.postgres.read(_UNTOLD)
        return untold > 0 or bool(await cursors.due(self.state.postgres, range(self.state.settings.partitions)))

    async def received(self) -> dict[str, Events]:
        """Returns the events that each destination got, in the order of their arrival."""
        bodies = [line for file in sorted(self.folder.glob("received-*")) for line in _whole_lines(file)]
        entries = self.stream.command("XRANGE", STREAM, "-", "+")
        return {
            "hook": [event for request in self.server.requests for event in events_of(request)],
            "program": [event for body in bodies for event in json.loads(body)["events"]],
            "stream": [json.loads(fields["event"]) for _, fields in entries],
        }

    async def counted(self, expected: Counter[str]) -> Counter[str]:
        """Returns the likes that the consumer counts, when they are as expected or after twenty seconds. Starts the
        consumer again if it has ended.
        """
        if not self.consumers[-1].running:
            self.start_consumer()
        with suppress(TimeoutError):
            async with asyncio.timeout(20):
                while self._printed() != expected:
                    await asyncio.sleep(0.2)
        return self._printed()

    def _printed(self) -> Counter[str]:
        """Returns the counts that are not 0. Each line of the consumer is a target and its count."""
        lines = _whole_lines(self.consumers[-1].command.log)
        last = dict(line.rsplit(" ", 1) for line in lines)
        return Counter({target: int(count) for target, count in last.items() if count != "0"})

    async def stop(self) -> None:
        for process in (*self.programs, *self.consumers):
            await asyncio.to_thread(process.stop)


def _whole_lines(file: Path) -> list[str]:
    """Returns the lines of a file, without one that a killed process has not ended."""
    return file.read_text(encoding="utf-8").split("\n")[:-1]


@asynccontextmanager
async def started_events(folder: Path, sabotage: str | None = None) -> AsyncIterator[EventScene]:
    """Starts a scene with its destinations. `sabotage` names a defect of its workers (broken_worker.py)."""
    async with started_scene(folder, "plain", events=SETTINGS) as system, receiver() as server:
        with Valkey(folder / "stream") as stream:
            await system.ready()
            async with opened(system.deployment.settings, "checking", makes_ids=False) as state:
                scene = EventScene(system, state, server, stream, folder, free_port())
                try:
                    scene.start_program()
                    scene.start_consumer()
                    await _add_destinations(scene)
                    if sabotage:
                        await _sabotage(system, sabotage)
                    yield scene
                finally:
                    await scene.stop()


async def _add_destinations(scene: EventScene) -> None:
    hook, program = (f"http://127.0.0.1:{port}/hook" for port in (scene.server.port, scene.port))
    stream = f"{scene.stream.url}?stream={STREAM}"
    for name, url, secrets in ("hook", hook, [SECRET]), ("program", program, [SECRET]), ("stream", stream, []):
        assert await destinations.add(scene.state.postgres, name, url, (), (), secrets)


async def _sabotage(system: Scene, sabotage: str) -> None:
    """Replaces the workers by ones with a defect."""
    for number, worker in enumerate(system.workers):
        await asyncio.to_thread(worker.stop)
        system.workers[number] = system.deployment.start_worker(sabotage, metrics_port=system.worker_ports[number])
    await system.deployment.workers_started(*system.workers)
