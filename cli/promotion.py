"""What the commands for two sites do: promote the reading site, and let the former write site follow it (ADR 104)."""

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from domain.errors import Unavailable
from domain.versions import version_ms
from state import State
from store import promotion
from store.backoff import rest
from store.cache import log, repeated
from store.other_site import OtherSite, SiteReport
from store.postgres.client import PostgresDown
from store.redis import replication
from store.write_log import write_mode
from store.write_log.write_mode import Mode

_PATIENCE = 60.0
"""Seconds for which a planned promotion waits until this site has everything."""
_POLL = 0.1
_ATTEMPTS = 10
"""How often Postgres is asked, a second apart, before it counts as down."""
_BATCH = 1000
_OF_CLIENTS = {b"ip", b"device", b"client", b"traceparent"}
"""The fields of entries that say where a request came from."""


class Refused(Exception):
    """Raised if a command must not do what it was asked to do. Nothing has changed. The message is for operators."""


class Promoted(NamedTuple):
    """The result of a promotion: the new term; by how many seconds this site was behind, None if it never received
    anything; the version of the last entry of each journal; and whether the state Redis also takes writes after a
    restart.
    """

    term: int
    behind_s: float | None
    lasts: dict[int, int]
    is_stored: bool


class Status(NamedTuple):
    """A site as `plaudit site status` shows it. `other` is what the other site says, None if it does not answer."""

    mode: Mode
    role: str
    behind_s: float | None
    other: SiteReport | None


async def standby(state: State) -> promotion.Standby:
    """Returns the state of the Postgres of this site. Waits for up to ten seconds until it answers, because a busy
    server counts as down at first. Raises PostgresDown.
    """
    for _ in range(_ATTEMPTS):
        with suppress(PostgresDown):
            return await promotion.standby(state.postgres)
        await rest(1)
    return await promotion.standby(state.postgres)


async def promote(state: State, *, planned: bool, continued: bool = False) -> Promoted:
    """Makes this site, which only reads, the one that takes writes. With `planned`, first waits until the other site
    has released the writes, and until this one has all of them. Also continues a promotion that has failed halfway;
    with `continued`, also one that another tool has begun, of which nothing is noted.

    Raises Refused, PostgresDown, or redis-py's errors.
    """
    postgres, redis = state.postgres, state.redis
    here, is_replica = await standby(state), await replication.is_replica(redis)
    other_site(state)
    term = (await write_mode.read(postgres)).term
    had = None if is_replica else await promotion.noted(redis, term)
    is_promoted = not (here.is_standby or is_replica)
    if is_promoted and not (had or continued):
        raise Refused("This site takes the writes already. If another tool has promoted it, add --continue.")
    if here.is_standby and not here.may_promote:
        raise Refused("The role may not promote Postgres: GRANT EXECUTE ON FUNCTION pg_promote TO it.")
    if not is_promoted:  # otherwise only the new term lets the other site stop
        await _refuse_two_write_sites(state, planned=planned)
    behind_s = await _behind_s(state)
    is_stored = await replication.promote(redis)
    lasts = {p: await state.journals.last(p) for p in range(state.keys.partitions)}
    if here.is_standby:
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                while not (await standby(state)).has_replayed:
                    await rest(_POLL)
    had = had or promotion.Had(lasts, await promotion.snapshot(postgres), behind_s)
    await promotion.note(redis, term, had)
    if here.is_standby:
        await promotion.promote(postgres)
    return Promoted(await promotion.begin_term(postgres, had), had.behind_s, had.lasts, is_stored)


async def _refuse_two_write_sites(state: State, *, planned: bool) -> None:
    """Raises Refused if the other site says that it takes writes. With `planned`, first waits until it has released
    them.
    """
    if planned:
        await _wait_for_release(state)
    with suppress(Unavailable):
        if (await other_site(state).ask()).takes_writes:
            raise Refused(
                "The other site takes writes. Run `plaudit site release` there, and `plaudit promote --planned` here."
            )


async def _wait_for_release(state: State) -> None:
    """Waits until both replicas show that the other site has released the writes: Postgres has the new mode, and Redis
    has journals that are closed since.
    """
    for _ in range(_ATTEMPTS):
        if (mode := await write_mode.read(state.postgres)).is_released:
            break
        await rest(0.5)  # the release may be under way
    else:
        raise Refused("The other site has not released the writes. Run `plaudit site release` there.")
    try:
        async with asyncio.timeout(_PATIENCE):
            while await state.journals.open_for() < mode.generation:
                await rest(_POLL)
    except TimeoutError:
        raise Refused("The journals of the other site were not closed in time. Does a worker run there?") from None


def other_site(state: State) -> OtherSite:
    """Returns the other site. Raises Refused if there is one site."""
    if state.other_site is None:
        raise Refused("There is one site: other_site in PLAUDIT_CONNECTIONS is not set.")
    return state.other_site


async def _behind_s(state: State) -> float | None:
    """Returns how old the newest change is that this site has received, in seconds."""
    newest_ms = await log.newest_ms(state.redis)
    return None if newest_ms < 0 else max(0.0, (state.now_ms() - newest_ms) / 1000)


async def status(state: State) -> Status:
    """Returns the role, the term and the mode of this site, and what the other site says. Raises PostgresDown and
    RedisDown.
    """
    mode, other = await write_mode.read(state.postgres), None
    with suppress(Unavailable):
        other = await other_site(state).ask()
    if not (await standby(state)).is_standby:
        return Status(mode, "released" if mode.is_released else "writes", None, other)
    reached = await repeated.reached(state.cache.redis)
    behind_s = (state.now_ms() - reached.ms) / 1000 if reached else None
    return Status(mode, "reads", behind_s, other)


async def release(state: State) -> None:
    """Lets this site refuse writes, so that the other one can be promoted. Raises Refused if this site only reads."""
    other_site(state)
    if (await standby(state)).is_standby:
        raise Refused("This site takes no writes: its Postgres is a standby.")
    await write_mode.release(state.postgres)


async def take_back(state: State) -> bool:
    """Lets this site take writes again. Returns whether it had released them. Raises Refused if the other site was
    promoted, or does not say that it was not.
    """
    await standby(state)
    try:
        report = await other_site(state).ask()
    except Unavailable as error:
        raise Refused(f"{error.message} It may have been promoted.") from error
    if report.takes_writes or report.term > (await write_mode.read(state.postgres)).term:
        raise Refused(f"The other site was promoted (term {report.term}).")
    return await write_mode.take_back(state.postgres)


async def begin_synchronous(state: State) -> int:
    """Begins synchronous mode. Returns how many replicas of the state Redis must have a write. Raises Refused if this
    site takes no writes, or has nothing to wait for.
    """
    other_site(state)
    if (await standby(state)).is_standby or await replication.is_replica(state.redis):
        raise Refused("Run this command at the site that takes the writes.")
    if await promotion.has_no_standby(state.postgres):
        raise Refused("Postgres has no synchronous_standby_names: name the standby of the other site there.")
    if not (count := await replication.replicas(state.redis)):
        raise Refused("The state Redis has no replica: make the one of the other site its replica.")
    await write_mode.set_synchronous(state.postgres, count)
    return count


async def lost_writes(state: State) -> AsyncIterator[dict[str, Any]]:
    """Yields the journal entries of this site that the other one lacked when it was promoted, oldest first in each
    journal. Leaves out where their requests came from. Raises Refused if the other site was not promoted; Unavailable
    if it does not answer; RedisDown.
    """
    other = other_site(state)
    if not (await other.ask()).takes_writes:
        raise Refused("The other site takes no writes, so it lacks none.")
    for p, after in (await other.promotion()).ends.items():
        while entries := (await state.journals.read([(p, after, _BATCH)]))[0]:
            for entry in entries:
                fields = {name: _told(value) for name, value in entry.fields.items() if name not in _OF_CLIENTS}
                at = datetime.fromtimestamp(version_ms(entry.version) / 1000, UTC)
                yield {
                    "partition": p,
                    "version": entry.version,
                    "at": at.isoformat(timespec="milliseconds"),
                    **{name.decode(): value for name, value in fields.items()},
                }
            after = entries[-1].version  # noqa: PLW2901 - the next page


def _told(value: bytes) -> Any:
    """Returns a field of an entry: its JSON without where its request came from, or its text."""
    if not value.startswith(b"{"):
        return value.decode(errors="backslashreplace")
    read: dict[str, Any] = orjson.loads(value)
    return {name: one for name, one in read.items() if name.encode() not in _OF_CLIENTS}


async def changed_rows(state: State) -> dict[str, list[str]]:
    """Returns, by table, the keys of the rows that this site has written since the other one was promoted. Raises
    Refused, Unavailable and PostgresDown.
    """
    snapshot = (await other_site(state).promotion()).snapshot
    if snapshot is None:
        raise Refused("The other site was not promoted.")
    return await promotion.changed_rows(state.postgres, snapshot)


async def follow(state: State, source: str, redis: tuple[str, int], data: Path, binaries: Path, discard: bool) -> bool:
    """Makes this site, which has lost the writes, a reading site: its Postgres, which is stopped and has its data in
    the directory `data`, a standby of the one with the connection string `source`; and its state Redis a replica of
    `redis`. Returns whether the state Redis also stays a replica after a restart.

    Raises Refused if the other site was not promoted, if Postgres still runs, if pg_rewind fails, or if the other site
    lacks writes of this one, unless `discard`. Raises Unavailable if the other site does not answer.
    """
    report = await other_site(state).ask()
    if not report.takes_writes:
        raise Refused("The other site takes no writes.")
    if not await replication.is_replica(state.redis):
        lost = sum([1 async for _ in lost_writes(state)])
        if lost and not discard:
            raise Refused(
                f"{lost} acknowledged writes are only here. Save the output of `plaudit site salvage`, and repeat the "
                "command with --discard."
            )
    is_running = True
    try:
        if (await standby(state)).is_standby:
            return await replication.follow(state.redis, *redis)
        await write_mode.release(state.postgres, report.term)
    except Unavailable:
        is_running = False
    if is_running:
        raise Refused("This site takes no writes now. Stop its Postgres, and repeat the command.")
    await asyncio.to_thread(_rewind, source, data, binaries)
    return await replication.follow(state.redis, *redis)


def _rewind(source: str, data: Path, binaries: Path) -> None:
    """Runs pg_rewind as the owner of the data directory. Raises Refused if it fails."""
    # The owner of the directory may be unable to reach it by its path.
    argv = [str(binaries / "pg_rewind"), "--target-pgdata", ".", "--source-server", source]
    owner: dict[str, Any] = {}
    if os.geteuid() == 0:  # as which Postgres refuses to run
        found = data.stat()
        owner = {"user": found.st_uid, "group": found.st_gid, "extra_groups": []}
    done = subprocess.run(
        [*argv, "--write-recovery-conf"], capture_output=True, text=True, check=False, cwd=data, **owner
    )
    if done.returncode:
        raise Refused(
            f"pg_rewind failed: {done.stderr.strip()}\nCopy the data with pg_basebackup --write-recovery-conf instead."
        )
