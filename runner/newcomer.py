"""Checks that the README works: clones HEAD into an empty directory and runs the commands of the README there.

The commands get a clean environment: PATH without virtual environments, an empty HOME, and the settings that the
machine needs to reach its package index. The exit code is 0 only if every command does what the README promises.
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from runner.errors import RunnerError
from runner.process import alive, children_of
from runner.readme import commands
from runner.running import Running
from runner.waiting import wait_until

ROOT = Path(__file__).parents[1]
READY_SECONDS = 600
STOP_SECONDS = 60
NETWORK = re.compile(
    r"(https?|all|no)_proxy|pip_.*|uv_.*(index|url|cert|tls|timeout).*|ssl_cert_(file|dir)|(requests|curl)_ca_bundle",
    re.IGNORECASE,
)


def main() -> int:
    """Runs every step in a temporary directory. Returns 0 if all steps succeed, else 1."""
    with tempfile.TemporaryDirectory(prefix="plaudit-newcomer-") as directory:
        clone, home = Path(directory) / "plaudit", Path(directory) / "home"
        home.mkdir()
        # When we are root, Postgres runs as another user, who must be able to enter this directory.
        Path(directory).chmod(0o755)
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        environment = clean_environment(home)
        try:
            run_and_interrupt(clone, environment)
            for command in followed(clone, "test"):
                say(f"$ {command}")
                subprocess.run(["bash", "-c", command], cwd=clone, env=environment, check=True)
        except (RunnerError, subprocess.CalledProcessError) as error:
            say(f"A newcomer is stuck: {error}")
            return 1
    say("A newcomer gets through.")
    return 0


def clean_environment(home: Path) -> dict[str, str]:
    """Returns the environment variables that a new user of this machine would have. `home` is the user's home
    directory.
    """
    path = [
        folder for folder in os.environ["PATH"].split(os.pathsep) if not (Path(folder).parent / "pyvenv.cfg").exists()
    ]
    network = {name: value for name, value in os.environ.items() if NETWORK.fullmatch(name)}
    return {**network, "PATH": os.pathsep.join(path), "HOME": str(home), "LANG": "C.UTF-8"}


def followed(clone: Path, purpose: str) -> list[str]:
    """Returns the commands in the clone's README for a purpose, such as `run`, without `git clone` and `cd`."""
    typed = commands((clone / "README.md").read_text(), purpose)
    return [command for command in typed if not command.startswith(("git clone", "cd "))]


def run_and_interrupt(clone: Path, environment: dict[str, str]) -> None:
    """Runs the README's commands that start Plaudit, sends a query, stops Plaudit with Ctrl-C, and checks that no
    process remains. Raises RunnerError or CalledProcessError if one of these fails.
    """
    for command in followed(clone, "run"):
        say(f"$ {command}")
        if command.startswith("make run"):
            with subprocess.Popen(
                ["bash", "-c", command], cwd=clone, env=environment, start_new_session=True
            ) as started:
                try:
                    _ask(_running(started, clone / ".data"))
                finally:
                    _interrupt(started)
        else:
            subprocess.run(["bash", "-c", command], cwd=clone, env=environment, check=True)


def _running(started: subprocess.Popen[bytes], data_dir: Path) -> Running:
    began = time.monotonic()
    wait_until(lambda: started.poll() is not None or Running.read(data_dir) is not None, READY_SECONDS)
    running = Running.read(data_dir)
    if running is None:
        ended = started.poll()
        raise RunnerError("nothing was ready in time" if ended is None else f"it ended with exit code {ended}")
    say(f"Ready after {time.monotonic() - began:.1f} s, downloads included.")
    return running


def _ask(running: Running) -> None:
    # Requests to loopback must not go through the machine's proxy.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(f"{running.url}/readyz", timeout=10) as answer:
        say(f"/readyz says {answer.status}.")
    question = urllib.request.Request(
        running.graphql_url, json.dumps({"query": "{ __typename }"}).encode(), {"content-type": "application/json"}
    )
    with opener.open(question, timeout=10) as answer:
        result = json.load(answer)
    if result.get("data") != {"__typename": "Query"}:
        raise RunnerError(f"GraphQL answered {result}")
    say("GraphQL answers.")


def _interrupt(started: subprocess.Popen[bytes]) -> None:
    if started.poll() is not None:
        return
    family = _descendants(started.pid)
    # The terminal sends Ctrl-C to the whole foreground group.
    os.killpg(started.pid, signal.SIGINT)
    if not wait_until(lambda: not any(map(alive, family)), STOP_SECONDS):
        raise RunnerError(f"still running after Ctrl-C: {[pid for pid in family if alive(pid)]}")
    say(f"Ctrl-C: all {len(family)} processes have ended.")


def _descendants(pid: int) -> list[int]:
    return [pid, *(below for child in children_of(pid) for below in _descendants(child))]


def say(line: str) -> None:
    """Prints a line at once, without buffering."""
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
