"""Errors of starting programs. The person at the terminal reads their messages."""

from pathlib import Path


class RunnerError(Exception):
    """Raised if a cause outside Plaudit prevents a start. The message says what to do."""


class StartError(RunnerError):
    """Raised if a program failed, ended too early, or was not ready in time. `output` is the end of the program's log,
    without earlier starts.
    """

    def __init__(self, what: str, output: str, log: Path) -> None:
        super().__init__(f"{what}. The end of {log}:\n{output.strip()}")
        self.output = output

    @property
    def port_taken(self) -> bool:
        """Returns whether the program failed because another program listens on its port."""
        return "address already in use" in self.output.lower()
