"""The file by which a running Plaudit is found: `plaudit.json` in its data directory."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A system that `plaudit dev` has brought up. `environment` is what its programs were given, secrets included."""

    pid: int
    url: str
    graphiql_url: str | None
    graphql_url: str
    metrics_url: str
    data_dir: str
    environment: dict[str, str]

    @classmethod
    def at(cls, url: str, data_dir: Path, environment: dict[str, str], *, graphiql: bool) -> Self:
        """The system of this process."""
        return cls(
            pid=os.getpid(),
            url=url,
            graphiql_url=f"{url}/graphiql" if graphiql else None,
            graphql_url=f"{url}/graphql",
            metrics_url=f"{url}/metrics",
            data_dir=str(data_dir),
            environment=environment,
        )

    @classmethod
    def read(cls, data_dir: Path) -> Self | None:
        """The system that runs on `data_dir`; None if none is ready there, or the last one was killed."""
        try:
            running = cls(**json.loads(_file(data_dir).read_text()))
        except FileNotFoundError:
            return None
        return running if _exists(running.pid) else None

    def write(self) -> None:
        """Make it known, whole or not at all, to this user alone."""
        file = _file(Path(self.data_dir))
        unfinished = file.with_suffix(".unfinished")
        unfinished.unlink(missing_ok=True)
        with open(unfinished, "w", opener=_private) as out:
            json.dump(asdict(self), out, indent=2)
        unfinished.rename(file)


def forget(data_dir: Path) -> None:
    """Nothing runs on `data_dir` (any more)."""
    _file(data_dir).unlink(missing_ok=True)


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _file(data_dir: Path) -> Path:
    return data_dir / "plaudit.json"


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, mode=0o600)
