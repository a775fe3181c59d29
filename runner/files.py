"""Files that only this user can read."""

from pathlib import Path


def write_private(file: Path, text: str) -> None:
    """Writes a file atomically. Only this user can read it."""
    unfinished = file.with_suffix(".unfinished")
    unfinished.unlink(missing_ok=True)
    unfinished.touch(mode=0o600)
    unfinished.write_text(text)
    unfinished.rename(file)
