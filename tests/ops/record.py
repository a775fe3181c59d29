"""Records incidents of a real deployment for tests/ops/test_recorded_incidents.py.

`python -m tests.ops.record NAME` writes tests/ops/incidents/NAME.json. Without names, the program records all
incidents.
"""

import asyncio
import json
import sys
import tempfile
import time
from itertools import groupby
from pathlib import Path

import promql_parser as promql
import yaml

from tests.ops.incidents import INCIDENTS
from tests.ops.prometheus import RULES
from tests.ops.scene import watched

FOLDER = Path(__file__).parent / "incidents"
EVERY = 5
"""Seconds between two values."""
HEALTHY = 30
"""Seconds that are recorded before the incident."""


def names() -> set[str]:
    """Returns the names of the series that the rules use."""
    found = set[str]()

    def visit(part: object) -> None:
        if isinstance(part, promql.VectorSelector) and part.name:
            found.add(part.name)

    for rule in yaml.safe_load(RULES)["groups"][0]["rules"]:
        promql.walk(promql.parse(rule["expr"]), visit)
    return found


async def record(name: str) -> None:
    """Lets an incident happen, and writes the series that Prometheus has collected."""
    incident = INCIDENTS[name]
    with tempfile.TemporaryDirectory() as folder:
        async with watched(Path(folder), EVERY, **incident.settings) as scene:
            await asyncio.sleep(10)
            since = int(time.time())
            await asyncio.sleep(HEALTHY)
            await incident.happen(scene)
            await asyncio.sleep(incident.seconds)
            steps = int(time.time() - since) // EVERY
            recorded = await scene.prometheus.recorded(names(), since, since + steps * EVERY)
            firing = sorted({alert["alertname"] for alert in await scene.prometheus.firing()})
    series = {
        text: _compressed([dict(values).get(since + step * EVERY) for step in range(steps + 1)])
        for text, values in sorted(recorded.items())
    }
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.json").write_text(json.dumps({"steps": steps, "series": series}, indent=1) + "\n")
    print(name, steps, len(series), "firing:", *firing, flush=True)


def _compressed(values: list[str | None]) -> str:
    """Returns values in the notation of promtool: `1x2` is 1 three times, `_` is no value."""
    runs = [(value, len([*group])) for value, group in groupby(values)]
    return " ".join(f"_x{count}" if value is None else f"{value}x{count - 1}" for value, count in runs)


async def _record_all(chosen: list[str]) -> None:
    for name in chosen:
        try:
            await record(name)
        except Exception as error:  # noqa: BLE001 - the others are recorded nevertheless
            print(name, "failed:", repr(error), flush=True)


if __name__ == "__main__":
    asyncio.run(_record_all(sys.argv[1:] or [*INCIDENTS]))
