"""Each alert fires in an incident that really happened, and no other alert does: `promtool test rules` reads the series
that tests/ops/record.py has recorded.
"""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.ops.incidents import INCIDENTS
from tests.ops.prometheus import RULES
from tests.ops.record import EVERY, FOLDER, HEALTHY
from tests.ops.scene import API, ENVIRONMENT, WORKERS

PROGRAM = shutil.which("promtool")
LATER = 4200
"""Seconds for which an incident goes on in the same way after its recording."""
EVALUATION = 15
"""Seconds between two evaluations of the rules, as in production."""
TREND = 6
"""The number of last values from which the growth of a series is taken."""
STORES = {"postgres_is_down": "postgres", "state_redis_is_down": "redis", "cache_redis_is_down": "cache"}
COUNTED = ("_total", "_bucket", "_sum", "_count")
"""The last parts of the names of counters."""


def going_on(text: str, values: str) -> str:
    """Returns the values of a series, and those if the incident goes on in the same way. A series that is gone gets the
    mark `stale`, because otherwise promtool uses its last value for five minutes.
    """
    more, values = LATER // EVERY, re.sub(r"(\d) _x", r"\1 stale _x", values)
    each = [value for value, times in re.findall(r"(\S+)x(\d+)", values) for _ in range(int(times) + (value != "_"))]
    if each[-1] == "_":
        return f"{values} _x{more}"
    known = [float(value) for value in each[-TREND - 1 :] if value != "_"]
    name, growth = text.partition("{")[0], (known[-1] - known[0]) / TREND
    grows = name.endswith(COUNTED) or (name.endswith("_lag_seconds") and growth > EVERY / 2)
    growth = growth if grows else 0.0
    return f"{values} {known[-1] + growth}+{growth}x{more}"


def fires(seconds: int, alerts: set[str]) -> dict[str, Any]:
    """Returns a test of promtool: exactly these alerts fire after so many seconds, each in its environment."""
    labels = [f'{{alertname="Plaudit{name}", environment="{ENVIRONMENT}"}}' for name in sorted(alerts)]
    return {
        "expr": 'group by (alertname, environment) (ALERTS{alertstate="firing"})',
        "eval_time": f"{seconds}s",
        "exp_samples": [{"labels": one, "value": 1} for one in labels],
    }


def assert_promtool_agrees(folder: Path, recorded: Any, *expected: dict[str, Any]) -> None:
    """Evaluates the rules on the series of a recording that goes on, and checks what is expected."""
    series = [{"series": text, "values": going_on(text, values)} for text, values in recorded["series"].items()]
    test = {"interval": f"{EVERY}s", "input_series": series, "promql_expr_test": [*expected]}
    whole = {"rule_files": ["alerts.yml"], "evaluation_interval": f"{EVALUATION}s", "tests": [test]}
    (folder / "alerts.yml").write_text(RULES)
    (folder / "test.yml").write_text(yaml.safe_dump(whole, width=10_000))
    assert PROGRAM
    done = subprocess.run(
        [PROGRAM, "test", "rules", str(folder / "test.yml")], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(PROGRAM is None, reason="needs promtool, of Debian's package prometheus")
@pytest.mark.parametrize("name", INCIDENTS)
def test_exactly_the_alerts_of_an_incident_fire(tmp_path: Path, name: str) -> None:
    incident, recorded = INCIDENTS[name], json.loads((FOLDER / f"{name}.json").read_text())
    end = recorded["steps"] * EVERY

    assert_promtool_agrees(
        tmp_path,
        recorded,
        fires(HEALTHY, set()),
        fires(end, incident.soon),
        fires(end + LATER, incident.soon | incident.later),
    )


@pytest.mark.skipif(PROGRAM is None, reason="needs promtool, of Debian's package prometheus")
@pytest.mark.parametrize(("name", "store"), STORES.items())
def test_every_process_that_misses_a_store_is_named(tmp_path: Path, name: str, store: str) -> None:
    recorded = json.loads((FOLDER / f"{name}.json").read_text())
    named = {
        "expr": 'group by (store, job, instance) (ALERTS{alertname="PlauditStoreDown", alertstate="firing"})',
        "eval_time": f"{recorded['steps'] * EVERY}s",
        "exp_samples": [
            {"labels": f'{{store="{store}", job="{job}", instance="{instance}"}}', "value": 1}
            for job, instance in (API, *WORKERS)
        ],
    }

    assert_promtool_agrees(tmp_path, recorded, named)


def test_every_alert_fires_in_a_recorded_incident() -> None:
    alerts = set(re.findall(r"alert: Plaudit(\w+)", RULES))

    assert alerts == set().union(*(incident.soon | incident.later for incident in INCIDENTS.values()))
    assert {file.stem for file in FOLDER.glob("*.json")} == INCIDENTS.keys()
