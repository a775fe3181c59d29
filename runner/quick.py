"""Runs the checks that a change most likely fails: style, import rules and types. Then runs the nearest tests for the
rest of a minute.

The change is what differs from the last commit; if nothing does, the last commit. The nearest tests are those with the
names of the changed files, then those of their folders. Prints the tests for which no time is left.
"""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
SECONDS = 58.0
"""The number of seconds after which tests are stopped."""
_SHORTEST = 5.0
"""The fewest seconds that must be left to begin the next tests."""
_WITHOUT = "not cluster and not sentinels"
"""Leaves out tests with several Redis servers, which take long to start."""


def main() -> int:
    """Runs the checks. Returns 0 if nothing has failed, otherwise 1."""
    end = time.monotonic() + SECONDS
    changed = [Path(name) for name in _changed() if (ROOT / name).is_file()]
    print(f"{len(changed)} changed files", flush=True)
    sources = [str(path) for path in changed if path.suffix == ".py"]
    together = [
        [BIN / "ruff", "check", "."],
        [BIN / "ruff", "format", "--check", "."],
        [BIN / "python", "-m", "runner.imports"],
    ]
    if sources:
        together.append([BIN / "mypy", *sources])
    if any(_run_together(together)):
        return 1
    tests = list(dict.fromkeys(chain.from_iterable(nearest(changed))))
    return _run_tests(tests, end) if tests else 0


def _changed() -> Sequence[str]:
    """Returns the paths of the changed files, relative to the root of the repository."""
    own = _git("diff", "--name-only", "HEAD") + _git("ls-files", "--others", "--exclude-standard")
    return own or _git("diff", "--name-only", "HEAD~1")


def _git(*command: str) -> list[str]:
    found = subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True, check=True)
    return found.stdout.splitlines()


def nearest(changed: Sequence[Path]) -> Iterator[list[str]]:
    """Yields lists of test files and folders, the nearest first: changed tests; tests with the name of a changed file;
    the tests of a feature with this name; the tests of the folder of a changed file.
    """
    yield [str(path) for path in changed if path.parts[0] == "tests" and path.name.startswith("test_")]
    products = [path for path in changed if path.parts[0] != "tests" and path.suffix in (".py", ".lua")]
    yield _existing(Path("tests") / path.parent / f"test_{path.stem}.py" for path in products)
    yield _existing(Path("tests/features") / path.stem for path in products)
    yield _existing(Path("tests") / path.parent for path in products if path.parent.parts)


def _existing(paths: Iterator[Path]) -> list[str]:
    return [str(path) for path in paths if (ROOT / path).exists()]


def _run_together(commands: Sequence[Sequence[object]]) -> list[int]:
    """Runs programs at the same time, prints the output of those that fail, and returns their exit codes."""
    running = [
        subprocess.Popen([*map(str, one)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for one in commands
    ]
    for process in running:
        output, _ = process.communicate()
        if process.returncode:
            print(output)
    return [process.returncode for process in running]


def _run_tests(tests: Sequence[str], end: float) -> int:
    """Runs tests until the time `end` of `time.monotonic`. Stops at the first failure and returns 1. Otherwise returns
    0, also if no time was left for some tests.
    """
    for test in tests:
        left = end - time.monotonic()
        if left < _SHORTEST:
            print(f"no time was left for {test}")
            continue
        command = [BIN / "pytest", "-q", "-x", "-n", "2", "-m", "not prove", "-k", _WITHOUT, test]
        process = subprocess.Popen([*map(str, command)], cwd=ROOT)
        try:
            if process.wait(left) not in (0, 5):  # 5: every test was deselected
                return 1
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            process.wait()
            print(f"no time was left for the rest of {test}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
