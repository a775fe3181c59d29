"""A real Prometheus that watches processes of Plaudit, with the rules of ops/alerts.yml."""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
import yaml

from runner.ports import HOST, free_port
from runner.process import Command, Process

ROOT = Path(__file__).parents[2]
RULES = (ROOT / "ops" / "alerts.yml").read_text()
PROGRAM = shutil.which("prometheus")
MISSING = "prometheus is not on the PATH: apt-get install prometheus"
_DURATION = re.compile(r"(for: |\[)(\d+)([smh])\b")
_SECONDS = {"s": 1, "m": 60, "h": 3600}


def shortened(rules: str, times: int) -> str:
    """Returns rules whose durations are so many times shorter."""

    def shorter(found: re.Match[str]) -> str:
        return f"{found[1]}{1000 * int(found[2]) * _SECONDS[found[3]] // times}ms"

    return _DURATION.sub(shorter, rules)


class Prometheus:
    """A Prometheus server, used in a `with` block. `targets` are ports of metrics by job and name of the process."""

    def __init__(
        self, home: Path, targets: Mapping[tuple[str, str], int], every: int, rules: str, environment: str
    ) -> None:
        self._home = home
        self._rules = rules
        self._every = every
        self._count = len(targets)
        self._url = f"http://{HOST}:{free_port()}"
        jobs = {job for job, _ in targets}
        self._config = {
            "global": {"scrape_interval": f"{every}s", "scrape_timeout": "1s", "evaluation_interval": f"{every}s"},
            "rule_files": [str(home / "alerts.yml")],
            "scrape_configs": [
                {
                    "job_name": job,
                    "static_configs": [
                        {"targets": [f"{HOST}:{port}"], "labels": {"environment": environment, "instance": name}}
                        for (of, name), port in targets.items()
                        if of == job
                    ],
                }
                for job in sorted(jobs)
            ],
        }

    def __enter__(self) -> "Prometheus":
        assert PROGRAM, MISSING
        self._home.mkdir()
        (self._home / "alerts.yml").write_text(self._rules)
        (self._home / "prometheus.yml").write_text(yaml.safe_dump(self._config))
        self._process = Process(
            Command(
                argv=(
                    PROGRAM,
                    f"--config.file={self._home / 'prometheus.yml'}",
                    f"--storage.tsdb.path={self._home / 'data'}",
                    f"--web.listen-address={self._url.removeprefix('http://')}",
                ),
                log=self._home / "log",
            )
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.stop()

    async def ask(self, path: str, **parameters: Any) -> Any:
        """Returns the data of an answer of the HTTP API."""
        async with httpx.AsyncClient(base_url=self._url, trust_env=False) as http:
            return (await http.get(f"/api/v1/{path}", params=parameters)).raise_for_status().json()["data"]

    async def is_watching(self) -> bool:
        """Returns whether every target has answered."""
        try:
            up = (await self.ask("query", query="up"))["result"]
        except httpx.HTTPError:
            return False
        return [one["value"][1] for one in up] == ["1"] * self._count

    async def firing(self) -> list[dict[str, str]]:
        """Returns the labels of the alerts that fire now."""
        alerts = (await self.ask("alerts"))["alerts"]
        return [alert["labels"] for alert in alerts if alert["state"] == "firing"]

    async def recorded(self, names: set[str], since: float, until: float) -> dict[str, list[tuple[float, str]]]:
        """Returns the values of the series with these names at each interval between two times."""
        query = f'{{__name__=~"{"|".join(sorted(names))}"}}'
        answer = await self.ask("query_range", query=query, start=since, end=until, step=self._every)
        return {_text(one["metric"]): [(at, value) for at, value in one["values"]] for one in answer["result"]}


def _text(labels: dict[str, str]) -> str:
    pairs = ", ".join(f'{name}="{value}"' for name, value in sorted(labels.items()) if name != "__name__")
    return f"{labels['__name__']}{{{pairs}}}"
