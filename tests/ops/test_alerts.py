"""Alert rules use exported metrics, and the docs explain them."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.ops.series import OF_PROMETHEUS, series

ROOT = Path(__file__).parents[2]
RULES = (ROOT / "ops" / "alerts.yml").read_text()
RUNBOOKS = (ROOT / "docs" / "operate" / "monitor.md").read_text()
NAME = re.compile(r"\bplaudit_[a-z0-9_]+")
LABELS = re.compile(r"by \(([^)]*)\)|\{(\w+)=")


def rules() -> Iterator[tuple[str, str, str]]:
    """Yields kind, name and text of each rule."""
    for rule in re.split(r"\n +- (?=alert:|record:)", RULES)[1:]:
        kind, _, name = rule.splitlines()[0].partition(": ")
        yield kind, name, rule


def expression(rule: str) -> str:
    found = re.search(r"expr:(.*?)(?=\n +(?:for|labels|annotations):|\n\n|\Z)", rule, re.DOTALL)
    assert found, rule
    return found[1]


def test_rules_use_exported_series_and_labels() -> None:
    exported = series()
    for _, name, rule in rules():
        named = set(NAME.findall(expression(rule)))
        assert named or "up{" in expression(rule), name
        assert named <= exported.keys(), name
        labels = {
            label for many, one in LABELS.findall(expression(rule)) for label in (one or many).split(", ") if label
        }
        assert labels <= set().union(*(exported[one] for one in named)) | OF_PROMETHEUS, name


def test_every_alert_has_a_severity_and_a_description() -> None:
    alerts = [(name, rule) for kind, name, rule in rules() if kind == "alert"]

    assert len({name for name, _ in alerts}) == len(alerts) > 10
    for name, rule in alerts:
        assert re.search(r"labels: \{severity: (critical|warning)\}", rule), name
        assert re.search(r'summary: "[^"]+"\n', rule + "\n"), name


def test_every_alert_has_a_runbook_and_names_it() -> None:
    headings = set(re.findall(r"^### (Plaudit\w+)$", RUNBOOKS, re.MULTILINE))
    alerts = {name: rule for kind, name, rule in rules() if kind == "alert"}

    assert headings == alerts.keys()
    for name, rule in alerts.items():
        assert f"runbook_url: docs/operate/monitor.md#{name.lower()}\n" in rule + "\n", name


def test_no_rule_adds_up_or_compares_two_environments() -> None:
    for _, name, rule in rules():
        aggregations = re.findall(r"\b(?:sum|min|max|avg|count|group|topk)\b *(by \([^)]*\))?", expression(rule))
        assert all("environment" in by for by in aggregations), name
        assert " on " not in expression(rule) or "on (environment)" in expression(rule), name


def test_the_docs_name_every_metric_and_the_rules() -> None:
    named = set(NAME.findall(RUNBOOKS))

    assert {name.removesuffix("_bucket") for name in series() if not name.endswith(("_sum", "_count"))} - named == set()
    assert "ops/alerts.yml" in RUNBOOKS
