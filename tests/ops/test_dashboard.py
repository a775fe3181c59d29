"""The Grafana dashboard is generated, fits the model of Grafana, and uses metrics that processes really export."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import promql_parser as promql
import pytest
import yaml
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models.dashboard import Dashboard

from ops import dashboard
from ops.panels import LEFT_OUT, ROWS
from runner.ports import free_port
from runner.postgres import Postgres
from runner.valkey import Valkey
from tests.ops.series import OF_PROMETHEUS, series
from tests.support.deployment import deployed

ROOT = Path(__file__).parents[2]
BOARD: dict[str, Any] = json.loads(dashboard.FILE.read_text())
ALERTS = yaml.safe_load((ROOT / "ops" / "alerts.yml").read_text())["groups"][0]["rules"]
FAMILY = re.compile(r"^# TYPE (\w+) (\w+)$", re.MULTILINE)
PARTS = {"counter": ("",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}


def panels() -> list[dict[str, Any]]:
    """Returns the panels that show something."""
    return [panel for panel in BOARD["panels"] if panel["type"] != "row"]


def queries() -> Iterator[tuple[str, Any]]:
    """Yields the title of each panel with each of its queries, parsed."""
    for panel in panels():
        for target in panel["targets"]:
            yield panel["title"], promql.parse(target["expr"].replace("$__rate_interval", "5m"))


def selectors(query: Any) -> list[Any]:
    found: list[Any] = []
    promql.walk(query, lambda part: found.append(part) if isinstance(part, promql.VectorSelector) else None)
    return found


def labels(query: Any) -> set[str]:
    """Returns the labels by which a query aggregates."""
    found: set[str] = set()

    def visit(part: Any) -> None:
        if isinstance(part, promql.AggregateExpr) and part.modifier:
            found.update(part.modifier.labels)

    promql.walk(query, visit)
    return found


def test_the_committed_dashboard_is_the_generated_one() -> None:
    assert dashboard.FILE.read_text() == dashboard.generated()


def test_the_dashboard_fits_the_model_of_grafana() -> None:
    """The model drops what it does not know."""
    known = json.loads(json.dumps(Dashboard.from_json(BOARD), cls=JSONEncoder))

    assert known == BOARD


def test_panels_have_numbers_and_places_of_their_own() -> None:
    numbers = [panel["id"] for panel in BOARD["panels"]]
    places = [
        (x, y)
        for at in (panel["gridPos"] for panel in BOARD["panels"])
        for x in range(at["x"], at["x"] + at["w"])
        for y in range(at["y"], at["y"] + at["h"])
    ]

    assert len(set(numbers)) == len(numbers) == len(panels()) + len(ROWS)
    assert len(set(places)) == len(places)
    assert max(x for x, _ in places) == 23


def test_every_panel_asks_the_chosen_data_source_about_the_chosen_processes() -> None:
    names = [variable["name"] for variable in BOARD["templating"]["list"]]

    assert names == ["datasource", "job", "instance"]
    for panel in panels():
        assert panel["datasource"] == {"type": "prometheus", "uid": "${datasource}"}
    for title, query in queries():
        for selector in selectors(query):
            scope = {matcher.name: matcher.value for matcher in selector.matchers.matchers}
            assert selector.name == "ALERTS" or scope.items() >= {"job": "$job", "instance": "$instance"}.items(), title


def test_queries_use_labels_that_their_metrics_have() -> None:
    exported = series()
    for title, query in queries():
        named = [selector for selector in selectors(query) if selector.name in exported]
        known = set().union(OF_PROMETHEUS, *(exported[selector.name] for selector in named))
        for selector in named:
            used = {matcher.name for matcher in selector.matchers.matchers}
            assert used <= exported[selector.name] | OF_PROMETHEUS, title
        if named:
            assert labels(query) - {"alertname", "severity"} <= known, title


def test_legends_use_labels_that_their_queries_keep() -> None:
    for panel in panels():
        for target in panel["targets"]:
            query = promql.parse(target["expr"].replace("$__rate_interval", "5m"))
            assert set(re.findall(r"{{(\w+)}}", target["legendFormat"])) <= labels(query), panel["title"]


def test_every_metric_is_on_the_dashboard_or_left_out_on_purpose() -> None:
    shown = {selector.name for _, query in queries() for selector in selectors(query)}
    metrics = {name.removesuffix("_bucket") for name in series() if not name.endswith(("_sum", "_count"))}
    on_dashboard = {name for name in metrics if {name, f"{name}_bucket", f"{name}_sum"} & shown}

    assert metrics - on_dashboard == LEFT_OUT.keys()


def test_every_alert_is_named_where_its_expression_is_shown() -> None:
    texts = " ".join(panel["description"] for panel in panels())

    assert {rule["alert"] for rule in ALERTS if "alert" in rule} == set(re.findall(r"Plaudit[A-Z]\w+", texts))


def test_thresholds_are_lines_in_the_colours_of_their_alerts() -> None:
    drawn = {panel["title"]: panel["fieldConfig"]["defaults"].get("thresholds", {}).get("steps") for panel in panels()}

    assert drawn["Oldest change that is not stored"][1:] == [
        {"color": "orange", "value": 10},
        {"color": "red", "value": 300},
    ]
    assert drawn["Memory of state servers"][1:] == [{"color": "orange", "value": 0.8}, {"color": "red", "value": 0.95}]
    assert drawn["Duration of a commit"][1:] == [{"color": "orange", "value": 1}]
    assert drawn["Requests"] is None


@pytest.mark.timeout(180)
async def test_an_api_and_a_worker_export_every_series_of_the_dashboard(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder, ports = tmp_path_factory.mktemp("stores"), [free_port(), free_port()]
    with (
        Postgres(folder / "postgres", durable=False) as postgres,
        Valkey(folder / "valkey") as valkey,
        deployed(tmp_path, postgres.url, valkey.url, metrics_port=ports[0]) as deployment,
    ):
        deployment.migrate()
        deployment.start_api()
        worker = deployment.start_worker(metrics_port=ports[1])
        await deployment.ready()
        await deployment.workers_started(worker)
        async with httpx.AsyncClient(trust_env=False) as http:
            pages = [(await http.get(f"http://127.0.0.1:{port}/metrics")).text for port in ports]

    wanted = {selector.name for _, query in queries() for selector in selectors(query)} - {"ALERTS"}
    for page in pages:
        exported = {name + part for name, kind in FAMILY.findall(page) for part in PARTS[kind]}
        assert len(wanted) > 50
        assert wanted <= exported
