"""Generates ops/grafana/plaudit.json, the Grafana dashboard, from ops/panels.py, the help texts of the metrics, and the
thresholds of ops/alerts.yml. Run with `python -m ops.dashboard`.
"""

import itertools
import json
import re
import string
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import promql_parser as promql
import yaml
from grafana_foundation_sdk.builders import common as shared
from grafana_foundation_sdk.builders import dashboard as builders
from grafana_foundation_sdk.builders import prometheus, statetimeline, timeseries
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models import common, dashboard
from prometheus_client import REGISTRY, Metric

import observability.metrics  # noqa: F401 - registers the metrics
from ops.panels import ROWS, Panel
from store.groups import grouped

_FOLDER = Path(__file__).parent
FILE = _FOLDER / "grafana" / "plaudit.json"
_RULES = _FOLDER / "alerts.yml"
_SUFFIXES = {"counter": ["_total"], "histogram": ["_bucket", "_sum", "_count"], "gauge": [""]}
"""The suffixes of the names of a metric's time series, by the type of the metric."""
_SCOPE = 'job=~"$job", instance=~"$instance"'
_SERIES = re.compile(r"\b(plaudit_\w+|process_\w+)(\{)?")
_SOURCE = dashboard.DataSourceRef("prometheus", "${datasource}")
_COLOURS = {"warning": "orange", "critical": "red"}
_GOOD = "green"
_HEIGHT = 7


class Alert(NamedTuple):
    """An alert rule of Prometheus that compares an expression with a number. It fires while the comparison `operator`
    with `number` holds.
    """

    name: str
    severity: str
    operator: str
    number: float


def series_of(metric: Metric) -> list[str]:
    """Returns the names of the time series of a metric, such as `…_bucket`, `…_sum` and `…_count` of a histogram."""
    return [metric.name + suffix for suffix in _SUFFIXES[metric.type]]


def _help() -> dict[str, str]:
    """Returns the text "`metric`: help" for each time series, by the name of the series. It has the name and the help
    text of the metric to which the series belongs.
    """
    found = dict[str, str]()
    for metric in REGISTRY.collect():
        series = series_of(metric) if metric.name.startswith("plaudit_") else []
        name = series[0] if len(series) == 1 else metric.name
        found |= dict.fromkeys(series, f"`{name}`: {metric.documentation}")
    return found


def alerts() -> dict[str, list[Alert]]:
    """Returns the alert rules of ops/alerts.yml, by the expression that they compare, in the form in which PromQL
    prints it. Leaves out rules that do not compare with a number.

    The expressions are changed as in panels: without the label `environment`, because people choose jobs in the
    dashboard, and with the range `[5m]`.
    """
    rules = [rule for rule in yaml.safe_load(_RULES.read_text())["groups"][0]["rules"] if "alert" in rule]
    compared = [(rule, _comparison(promql.parse(_as_in_panels(rule["expr"])))) for rule in rules]
    return grouped(
        (found[0], Alert(rule["alert"], rule["labels"]["severity"], *found[1:])) for rule, found in compared if found
    )


def _as_in_panels(rule: str) -> str:
    """Returns the expression of an alert rule in the form that panels use: without `environment`, and with the range
    `[5m]`.
    """
    whole = re.sub(r"by \(environment\) ", "", rule).replace("on (environment)", "on ()")
    return whole.replace("environment, ", "").replace("[1m]", "[5m]")


def _comparison(rule: promql.Expr) -> tuple[str, str, float] | None:
    """Returns (expression, operator, number) of a rule that compares an expression with a number; None for another
    rule. A condition after `and` is left out.
    """
    if isinstance(rule, promql.BinaryExpr) and str(rule.op) == "and":
        rule = rule.lhs
    if isinstance(rule, promql.BinaryExpr) and isinstance(rule.rhs, promql.NumberLiteral):
        return rule.lhs.prettify(), str(rule.op), rule.rhs.val
    return None


def generated() -> str:
    """Returns the text of the dashboard, which is JSON for Grafana."""
    rules, scoped = alerts(), 'label_values(plaudit_store_up{job=~"$job"}, instance)'
    board = (
        builders.Dashboard("Plaudit")
        .uid("plaudit")
        .tags(["plaudit"])
        .time("now-3h", "now")
        .refresh("30s")
        .tooltip(dashboard.DashboardCursorSync.CROSSHAIR)
        .with_variable(builders.DatasourceVariable("datasource").label("data source").type("prometheus"))
        .with_variable(_choice("job", "label_values(plaudit_store_up, job)"))
        .with_variable(_choice("instance", scoped))
    )
    numbers = itertools.count(1)
    for title, panels in ROWS.items():
        board.with_row(builders.Row(title).id(next(numbers)))
        for panel in panels:
            board.with_panel(_panel(panel, next(numbers), rules))
    return json.dumps(board.build(), cls=JSONEncoder, indent=2, sort_keys=True) + "\n"


def _choice(name: str, query: str) -> builders.QueryVariable:
    """Returns a variable of the dashboard, with which people choose values of the label `name`. `query` is the query
    for all values of the label.
    """
    chosen = builders.QueryVariable(name).label(name).datasource(_SOURCE).query(query)
    return (
        chosen.refresh(dashboard.VariableRefresh.ON_TIME_RANGE_CHANGED).multi(multi=True).include_all(include_all=True)
    )


def _panel(panel: Panel, number: int, rules: Mapping[str, Sequence[Alert]]) -> timeseries.Panel | statetimeline.Panel:
    found = {legend: rules.get(promql.parse(query).prettify(), []) for legend, query in panel.queries.items()}
    alerts = [alert for some in found.values() for alert in some]
    drawn = _states(panel.states, alerts) if panel.states else _lines(panel, alerts)
    drawn.id(number).title(panel.title).description(_description(panel, found)).datasource(_SOURCE)
    drawn.unit(panel.unit).span(panel.width).height(_HEIGHT)
    drawn.legend(shared.VizLegendOptions().show_legend(show_legend=True))
    drawn.tooltip(shared.VizTooltipOptions().mode(common.TooltipDisplayMode.MULTI).sort(common.SortOrder.DESCENDING))
    for letter, (legend, query) in zip(string.ascii_uppercase, panel.queries.items(), strict=False):
        drawn.with_target(prometheus.Dataquery().ref_id(letter).expr(scoped(query)).legend_format(legend).range())
    return drawn


def scoped(query: str) -> str:
    """Returns a query of a panel, restricted to the processes that people have chosen, and with Grafana's interval in
    place of `[5m]`.
    """
    chosen = _SERIES.sub(lambda found: f"{found[1]}{{{_SCOPE}" + (", " if found[2] else "}"), query)
    return chosen.replace("[5m]", "[$__rate_interval]")


def _description(panel: Panel, rules: Mapping[str, Sequence[Alert]]) -> str:
    """Returns the description of a panel: its note, its alerts, and the help texts of its metrics. `rules` has the
    alerts of each query, by the name of the query in the legend.
    """
    series = dict.fromkeys(found[1] for query in panel.queries.values() for found in _SERIES.finditer(query))
    fires = [
        f"{one.name} ({one.severity}): {legend + ' ' if len(rules) > 1 else ''}{one.operator} {one.number:g}"
        for legend, some in rules.items()
        for one in some
    ]
    known = _help()
    meanings = dict.fromkeys(known[name] for name in series if name in known)
    return "\n\n".join([panel.note, *fires, *meanings]).strip()


def _states(texts: tuple[str, str], alerts: Sequence[Alert]) -> statetimeline.Panel:
    """Returns a Grafana panel that shows states. `texts` are the texts for the values 0 and 1. The number of the first
    alert is the value that is drawn in red; without an alert, 1 is.
    """
    bad = int(alerts[0].number) if alerts else 1
    colours = [_COLOURS["critical"] if value == bad else _GOOD for value in (0, 1)]
    shown = {
        str(value): dashboard.ValueMappingResult(text, colour, index=value)
        for value, (text, colour) in enumerate(zip(texts, colours, strict=True))
    }
    return statetimeline.Panel().mappings([dashboard.ValueMap(shown)]).no_value("none")


def _lines(panel: Panel, alerts: Sequence[Alert]) -> timeseries.Panel:
    """Returns a Grafana panel that shows lines, with a dashed line for the threshold of each alert. A threshold of 0 is
    not drawn, because it is the axis.
    """
    drawn = timeseries.Panel().min(0).fill_opacity(30 if panel.is_stacked else 0)
    if panel.is_stacked:
        drawn.stacking(shared.StackingConfig().mode(common.StackingMode.NORMAL))
    if limits := sorted((alert.number, _COLOURS[alert.severity]) for alert in alerts if alert.number):
        steps = [dashboard.Threshold(None, "transparent"), *itertools.starmap(dashboard.Threshold, limits)]
        drawn.thresholds(builders.ThresholdsConfig().mode(dashboard.ThresholdsMode.ABSOLUTE).steps(steps))
        drawn.thresholds_style(shared.GraphThresholdsStyleConfig().mode(common.GraphThresholdsStyleMode.DASHED))
    return drawn


if __name__ == "__main__":
    FILE.write_text(generated())
