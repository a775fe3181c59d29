"""Installs and starts the peer: the GraphQL server in bench/peers/server, which runs on the stores of the benchmark."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson

from bench import wrk
from bench.machine import Machine
from domain.ids import EPOCH_MS
from settings import Settings
from store.content.inboxes import INBOX_LIFE_MS
from store.scripts import BOUNDARIES, CHANGE_OWN_SET

WHOLE_PAGES, EACH_FIELD = "whole-pages", "each-field"
_SOURCE = Path(__file__).with_name("server")
_BUILD = Path(__file__).parents[2] / "build" / "peers"
_NODE = (20, 19)
_INSTALL_SECONDS = 300
_DAY_MS = 86_400_000


def prepared() -> str | None:
    """Prepares this machine for the peer: copies it to build/peers and installs its packages, unless they are
    installed. Returns the reason if that is not possible, otherwise None.
    """
    if absent := [program for program in ("node", "npm", wrk.PROGRAM) if not shutil.which(program)]:
        return f"needs {', '.join(absent)} (Debian: apt-get install nodejs npm wrk)"
    version = subprocess.run([_program("node"), "--version"], capture_output=True, text=True, check=True).stdout  # noqa: S603
    if tuple(map(int, version.strip().removeprefix("v").split("."))) < _NODE:
        return f"needs Node {'.'.join(map(str, _NODE))} or newer; this is {version.strip()}"
    shutil.copytree(_SOURCE, _BUILD, dirs_exist_ok=True)
    return _installed()


def _installed() -> str | None:
    lock, copy = _BUILD / "package-lock.json", _BUILD / "node_modules" / "installed-lock.json"
    if not copy.exists() or copy.read_bytes() != lock.read_bytes():
        npm = [_program("npm"), "ci", "--ignore-scripts", "--loglevel=error"]
        try:
            subprocess.run(npm, cwd=_BUILD, capture_output=True, timeout=_INSTALL_SECONDS, check=True)  # noqa: S603
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            return f"npm could not install its packages: {(error.stderr or b'').decode().strip() or error}"
        shutil.copyfile(lock, copy)  # npm removes the folder before it installs
    return None


@contextmanager
def peer(machine: Machine, resolvers: str = EACH_FIELD) -> Iterator[int]:
    """Runs the peer, which `prepared` has installed, while the block runs. Yields its port. `resolvers` says how it
    answers pages: with a resolver for each field (EACH_FIELD), or with one for the whole page (WHOLE_PAGES).
    """
    extra = {
        "NODE_ENV": "production",
        "PEER_RESOLVERS": resolvers,
        "PEER_SETTINGS": orjson.dumps(_settings(machine.settings)).decode(),
    }
    with machine.program(resolvers, [_program("node"), str(_BUILD / "server.js")], **extra) as port:
        yield port


def _program(name: str) -> str:
    """Returns the path of a program that `prepared` has found."""
    path = shutil.which(name)
    assert path
    return path


def _settings(settings: Settings) -> dict[str, object]:
    """Returns the settings that the peer needs to read and write the same data as Plaudit."""
    assert settings.jwt_secret is not None
    key = settings.image_keys[0]
    return {
        "host": settings.host,
        "redisUrl": settings.redis_url,
        "jwtSecret": settings.jwt_secret.get_secret_value(),
        "jwtIssuer": settings.issuer,
        "signingKey": settings.signing_key.decode(),
        "partitions": settings.partitions,
        "pendingMs": int(settings.pending_seconds * 1000),
        "journalMaxEntries": settings.journal_max_entries,
        "inboxLifeMs": INBOX_LIFE_MS,
        "localCacheMs": 1000 * settings.local_cache_seconds,
        "idEpochMs": EPOCH_MS,
        "boundariesScript": BOUNDARIES.source,
        "changeScript": CHANGE_OWN_SET.source,
        "businesses": {
            business.name: {
                "id": business.id,
                "recentReactions": business.recent_reactions,
                "reactionsIdleMs": business.reactions_idle_days * _DAY_MS,
            }
            for business in settings.businesses
        },
        "images": {
            "lifetime": settings.images.lifetime,
            "bucket": settings.images.bucket,
            "keyId": key.id,
            "key": key.secret.get_secret_value(),
        },
    }
