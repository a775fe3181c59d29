"""What can go wrong when programs are started; messages are written for the person at the terminal."""

from pathlib import Path


class RunnerError(Exception):
    """Something outside Plaudit must be put right before it can run; the message says what."""


class StartError(RunnerError):
    """A program ended or stayed silent before it was ready; `output` is what this attempt wrote to its log."""

    def __init__(self, what: str, output: str, log: Path) -> None:
        super().__init__(f"{what}. The end of {log}:\n{output.strip()}")
        self.output = output

    @property
    def port_taken(self) -> bool:
        """Whether the program failed because somebody else listens on its port."""
        return "address already in use" in self.output.lower()
