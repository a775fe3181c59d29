"""The commands that README.md tells its reader to type; `python -m runner.readme test` prints those for testing."""

import re
import sys
from pathlib import Path

from runner.errors import RunnerError

README = Path(__file__).parents[1] / "README.md"
# What a fenced block tells a shell; one may be marked sh, bash, shell or console.
BLOCK = re.compile(r"^```(?:sh|bash|shell|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def commands(readme: str, purpose: str) -> list[str]:
    """The lines of the first shell block that holds `make purpose`; raise RunnerError if there is none."""
    for block in BLOCK.findall(readme):
        lines = [line.strip().removeprefix("$ ") for line in block.splitlines()]
        typed = [line for line in lines if line and not line.startswith("#")]
        if any(line.startswith(f"make {purpose}") for line in typed):
            return typed
    raise RunnerError(f"README.md has no shell block with `make {purpose}`.")


if __name__ == "__main__":
    print("\n".join(commands(README.read_text(), sys.argv[1])))
