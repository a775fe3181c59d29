"""Errors of starting programs, with messages for the person at the terminal."""

from pathlib import Path


class RunnerError(Exception):
    """Raised if a cause outside Plaudit prevents a start. The message says what to do."""


class StartError(RunnerError):
    """Raised if a program failed, ended too early, or was not ready in time. `output` is the end of what the program
    wrote to its log in this run.
    """

    def __init__(self, what: str, output: str, log: Path) -> None:
        super().__init__(f"{what}. The end of {log}:\n{output.strip()}")
        self.output = output

    @property
    def port_taken(self) -> bool:
        """Returns whether the program failed because another program listens on its port."""
        return "address already in use" in self.output.lower()
