"""Finds the processes and stores that `plaudit top` shows."""

import os
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from cli.console import DATA_DIR, settings_of
from runner.errors import RunnerError
from runner.running import Running
from settings import Settings


def find(urls: Sequence[str], data_dir: Path | None) -> tuple[Sequence[str], Settings | None]:
    """Returns the URLs of metrics, and the settings of the stores, None if nothing names stores.

    `data_dir` names a system that `plaudit dev` runs. Without it, DATABASE_URL names the stores. Without both, and
    without URLs, the system in `.data` is meant.

    Raises RunnerError if there is nothing to show, or if a URL is invalid.
    """
    for url in urls:
        if not _is_valid(url):
            raise RunnerError(f"{url} is not the URL of metrics, such as http://10.0.0.5:9101/metrics.")
    by_environment = data_dir is None and "DATABASE_URL" in os.environ
    is_local = not by_environment and (data_dir is not None or not urls)
    running = Running.read(data_dir or DATA_DIR) if is_local else None
    if not (by_environment or running or urls):
        raise RunnerError(
            f"No system runs in {data_dir or DATA_DIR}. "
            "Set DATABASE_URL and REDIS_URL, or name the metrics of your processes with --url."
        )
    settings = settings_of(data_dir) if by_environment or is_local else None
    return urls or (running.metrics_urls if running else ()), settings


def _is_valid(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # an invalid address or port
        return False
