"""Reads the shell commands in README.md. `python -m runner.readme test` prints the commands that run the tests."""

import re
import sys
from pathlib import Path

from runner.errors import RunnerError

README = Path(__file__).parents[1] / "README.md"
# A fenced block of shell commands, marked sh, bash, shell or console.
BLOCK = re.compile(r"^```(?:sh|bash|shell|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def commands(readme: str, purpose: str) -> list[str]:
    """Returns the commands of the first shell block of the README that contains the command `make PURPOSE`. Leaves out
    comments and the prompts `$ `. Raises RunnerError if there is no such block.
    """
    for block in BLOCK.findall(readme):
        lines = [line.strip().removeprefix("$ ") for line in block.splitlines()]
        typed = [line for line in lines if line and not line.startswith("#")]
        if any(line.startswith(f"make {purpose}") for line in typed):
            return typed
    raise RunnerError(f"README.md has no shell block with `make {purpose}`.")


if __name__ == "__main__":
    print("\n".join(commands(README.read_text(), sys.argv[1])))
