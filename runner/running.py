"""Reads and writes `plaudit.json` in the data directory, in which other tools find the addresses of the
running system.
"""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

import psutil

from runner.files import write_private


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A system that `plaudit dev` started: its addresses and its process. `environment` has the environment variables
    of its programs, including secrets.
    """

    pid: int
    url: str
    graphiql_url: str | None
    graphql_url: str
    metrics_urls: list[str]
    data_dir: str
    environment: dict[str, str]
    switch_url: str | None = None
    """The address of the failure switch (runner/switch.py). None if it does not run."""

    @classmethod
    def at(
        cls,
        url: str,
        worker_metrics: str,
        data_dir: Path,
        environment: dict[str, str],
        *,
        graphiql: bool,
        switch_url: str | None = None,
    ) -> Self:
        """Returns the description of the system at `url`, which this process started. `worker_metrics` is the URL of
        the worker's metrics; `graphiql` tells whether GraphiQL is served; `switch_url` is the address of the failure
        switch.
        """
        return cls(
            pid=os.getpid(),
            url=url,
            graphiql_url=f"{url}/graphiql" if graphiql else None,
            graphql_url=f"{url}/graphql",
            metrics_urls=[f"{url}/metrics", worker_metrics],
            data_dir=str(data_dir),
            environment=environment,
            switch_url=switch_url,
        )

    @classmethod
    def read(cls, data_dir: Path) -> Self | None:
        """Returns the description of the system that runs on `data_dir`. Returns None if no system is ready, if the
        process that started it was killed, or if another version of Plaudit, with other fields, wrote the description.
        """
        try:
            running = cls(**json.loads(_file(data_dir).read_text()))
        except (FileNotFoundError, TypeError):
            return None
        return running if psutil.pid_exists(running.pid) else None

    def write(self) -> None:
        """Writes `plaudit.json` atomically. Only this user can read it."""
        write_private(_file(Path(self.data_dir)), json.dumps(asdict(self), indent=2))


def forget(data_dir: Path) -> None:
    """Removes `plaudit.json`, if it exists."""
    _file(data_dir).unlink(missing_ok=True)


def _file(data_dir: Path) -> Path:
    return data_dir / "plaudit.json"
