"""Does the README work for a stranger? Clone HEAD into an empty directory and do there what the README says.

It gets a clean environment: PATH without any virtual environment, an empty HOME, and what a machine needs to
reach its package index. Prints what it does; the exit code is 0 only if every step did what the README promises.
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
    """Run every step in a directory that is removed afterwards; 0 if all is well."""
    with tempfile.TemporaryDirectory(prefix="plaudit-newcomer-") as directory:
        clone, home = Path(directory) / "plaudit", Path(directory) / "home"
        home.mkdir()
        # Others must get through: as root, Postgres may have to run as somebody else.
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
    """What a fresh login on this machine would have."""
    path = [
        folder for folder in os.environ["PATH"].split(os.pathsep) if not (Path(folder).parent / "pyvenv.cfg").exists()
    ]
    network = {name: value for name, value in os.environ.items() if NETWORK.fullmatch(name)}
    return {**network, "PATH": os.pathsep.join(path), "HOME": str(home), "LANG": "C.UTF-8"}


def followed(clone: Path, purpose: str) -> list[str]:
    """The README's commands for a purpose, without the getting there, which we have done in our own way."""
    typed = commands((clone / "README.md").read_text(), purpose)
    return [command for command in typed if not command.startswith(("git clone", "cd "))]


def run_and_interrupt(clone: Path, environment: dict[str, str]) -> None:
    """Start it, ask it something, press Ctrl-C, and see that nothing is left."""
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
    # A proxy configured for the machine must not be asked about loopback.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(f"{running.url}/readyz", timeout=10) as answer:
        say(f"/readyz says {answer.status}.")
    question = urllib.request.Request(
        running.graphql_url, json.dumps({"query": "{ __typename }"}).encode(), {"content-type": "application/json"}
    )
    with opener.open(question, timeout=10) as answer:
        told = json.load(answer)
    if told.get("data") != {"__typename": "Query"}:
        raise RunnerError(f"GraphQL answered {told}")
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
    """Tell it at once, also into a pipe."""
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
