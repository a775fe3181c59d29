"""Errors of starting programs. The person at the terminal reads their messages."""

from pathlib import Path


class RunnerError(Exception):
    """A cause outside Plaudit prevents the start. The message says what to do."""


class StartError(RunnerError):
    """A program ended, or was not ready in time. `output` is the end of its log, from this attempt only."""

    def __init__(self, what: str, output: str, log: Path) -> None:
        super().__init__(f"{what}. The end of {log}:\n{output.strip()}")
        self.output = output

    @property
    def port_taken(self) -> bool:
        """Whether the program failed because another program listens on its port."""
        return "address already in use" in self.output.lower()
