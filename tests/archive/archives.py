"""Writes archives, imports them, and reads what was rejected."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cli.importing import run
from tests.support.comments import page, seen
from tests.support.system import Person, System

Record = Mapping[str, Any]
LONG_AGO = "2021-03-01T12:00:00.000Z"


class Imported(NamedTuple):
    """The numbers of imported records by kind, and the rejects as (line, reason, imported)."""

    done: dict[str, int]
    rejects: list[tuple[int, str, bool]]

    @property
    def reasons(self) -> list[str]:
        """Returns the reasons of all rejects."""
        return [reason for _, reason, _ in self.rejects]


def at(minutes: int) -> str:
    """Returns the time some minutes after 1 March 2021, noon UTC; the minutes must be fewer than a day's."""
    hours, rest = divmod(minutes, 60)
    return f"2021-03-01T{12 + hours:02}:{rest:02}:00.000Z"


def users(*names: str, **more: Any) -> list[Record]:
    return [{"kind": "user", "externalId": name, "handle": name, "createdAt": LONG_AGO, **more} for name in names]


def entity(key: str, **more: Any) -> Record:
    return {"kind": "entity", "business": "video", "key": key, **more}


def video(key: str) -> dict[str, str]:
    """Returns the reference of a video."""
    return {"business": "video", "key": key}


def reaction(user: str, target: Record, **more: Any) -> Record:
    return {"kind": "reaction", "user": user, "target": target, "createdAt": LONG_AGO, **more}


def follow(follower: str, followee: str, **more: Any) -> Record:
    return {"kind": "follow", "follower": follower, "followee": followee, "createdAt": LONG_AGO, **more}


def post(id_: str, author: str, **more: Any) -> Record:
    return {"kind": "post", "id": id_, "author": author, "text": f"text of {id_}", "createdAt": LONG_AGO, **more}


def comment(id_: str, author: str, subject: Record, **more: Any) -> Record:
    said = {"id": id_, "author": author, "subject": subject, "text": f"text of {id_}", "createdAt": LONG_AGO}
    return {"kind": "comment", **said, **more}


def save(user: str, target: Record, **more: Any) -> Record:
    return {"kind": "save", "user": user, "target": target, "createdAt": LONG_AGO, **more}


def write(path: Path, records: Sequence[Record | str]) -> Path:
    """Writes an archive. Texts are written as they are."""
    path.write_text("".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in records))
    return path


async def shown(viewer: Person, of: str, sort: str | None) -> list[Any]:
    """Returns the comments on a subject; without `sort`, the replies to a comment."""
    ids = [node["id"] for node in (await page(viewer, of, sort))["nodes"]]
    return [await seen(viewer, id_) for id_ in ids]


async def load(
    system: System, folder: Path, *records: Record | str, check: bool = False, events: bool = False
) -> Imported:
    """Imports an archive with these records, or only checks it, as the command does. Sends outgoing events if `events`
    is true.
    """
    rejects = folder / "rejects.jsonl"
    rejects.unlink(missing_ok=True)
    archive = write(folder / "archive.jsonl", records)
    options: dict[str, Any] = {"issuer": None, "check": check, "events": events, "line_every": None}
    result = await asyncio.to_thread(run, system.settings, [archive], rejects, **options)
    lines = rejects.read_text().splitlines() if rejects.exists() else []
    found = [(one["line"], one["reason"], one["imported"]) for one in map(json.loads, lines)]
    assert result.rejected == sum(not imported for _, _, imported in found)
    return Imported(result.done, sorted(found))
