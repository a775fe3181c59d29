"""Finds the text of the operation that a request wants executed.

| a request has                | the text that runs                                                       | in lockdown |
|------------------------------|--------------------------------------------------------------------------|-------------|
| `documentId`                 | the text of this id in a manifest or an import                           | same        |
| `sha256Hash`                 | the text of this hash in a manifest or import, else a registered text    | no registered texts |
| `sha256Hash` and `query`     | `query`, if it has this hash; a valid `query` is registered              | only if trusted |
| `query`                      | `query`                                                                  | only if trusted |

In lockdown (the setting `persisted_only`) only trusted texts run: those of manifests and imports. Tokens with the scope
`admin` without restriction to businesses run any text. Texts in the memory of the process need no round trip. While
Redis is down, other registered texts are not found; while Postgres is down, new imports are not found.

A withdrawn operation is refused under all its ids. All operations of a withdrawn version of a client are refused.
"""  # noqa: E501 - a table is read by its columns

import asyncio
import hashlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime

from cachetools import TTLCache
from sqlalchemy.exc import DBAPIError

from api.messages import GraphQLRequest
from api.persisted.usage import Usage
from commands.persisted.manifests import ManifestError, ManifestOperation, read_all
from commands.persisted.registry import Registry
from commands.persisted.withdrawals import Withdrawals
from context import Client
from domain.errors import (
    BadInput,
    NotPersisted,
    OperationWithdrawn,
    PersistedDocumentNotFound,
    PersistedQueryNotFound,
    PersistedQueryNotSupported,
    Unavailable,
)
from observability.logs import Log
from observability.metrics import PERSISTED
from state import State
from store.persisted.operations import AutomaticQueries, read_imported
from store.persisted.usage import Uses, add_usage
from store.postgres.client import PostgresDown
from store.redis.client import RedisDown

log = Log(__name__)

_SLOTS = 8192
"""The most registered texts that Redis keeps: more than the operations of all versions of the clients of a product.
Together they have at most 134 MB, whatever clients send.
"""
_LONGEST = 16_384
"""The most bytes of a registered text. Longer texts run and are not kept. A document has at most 10,000 characters, and
operations of apps have a few thousand bytes.
"""
_IDLE_MS = 7 * 86_400_000
"""How long a registered text is kept after its last use, in milliseconds: a client that is used once a week finds its
texts.
"""
LOCAL_ENTRIES = 1000
"""The most registered texts that a process keeps."""
LOCAL_SECONDS = 3600.0
"""Seconds for which a process keeps a registered text. After that it reads the text from Redis, which extends the
text's life there.
"""
IMPORT_INTERVAL_MS = 5000
"""The shortest time between two queries for new imports, in milliseconds."""
IMPORT_TIMEOUT = 1.0
"""Seconds that a request waits for the query for new imports."""
REFRESH_SECONDS = 10.0
"""Seconds after which a process reads again what is withdrawn, and stores what it has counted."""

_SHA256 = re.compile(r"[0-9a-f]{64}")


class PersistedOperations:
    """Finds the texts of persisted operations: in the memory of the process, or else in Redis and Postgres. Redis keeps
    at most `slots` registered texts. Counts the requests for trusted operations (those of manifests and imports).
    """

    def __init__(self, state: State, slots: int = _SLOTS) -> None:
        settings = state.settings
        self._state = state
        self._lockdown = settings.persisted_only
        self._apq = settings.apq and not settings.persisted_only
        self.trusted = Registry()
        """The operations of manifests and imports."""
        self._registered = AutomaticQueries(state.cache.redis, slots, _LONGEST, _IDLE_MS)
        self._local: TTLCache[str, str] = TTLCache(
            min(LOCAL_ENTRIES, slots), LOCAL_SECONDS, timer=lambda: state.now_ms() / 1000
        )
        self._withdrawals = Withdrawals(state.postgres)
        self._usage = Usage(state.now_ms)
        self.report: Callable[[Sequence[Uses]], Awaitable[None]] | None = None
        """Sends counted requests to the other site; None if there is one site. Used while this site only reads."""
        self._is_fresh = True
        """Whether the last refresh worked."""
        self._import_lock = asyncio.Lock()
        self._imports_read_ms: int | None = None
        self._last_imported_at: datetime | None = None

    async def load(self) -> None:
        """Reads the manifests and, if Postgres is up, the imported operations and the withdrawals. Raises ManifestError
        if a manifest is invalid or contradicts another one.
        """
        self.trusted.add(read_all(self._state.settings.manifests))
        await self._read_imports(self._state.settings.database_timeout)
        await self.refresh()

    @asynccontextmanager
    async def kept(self) -> AsyncIterator[None]:
        """Calls `refresh` every ten seconds while the block runs, and once at its end to store the last counts."""
        keeper = asyncio.create_task(self._keep())
        try:
            yield
        finally:
            keeper.cancel()
            await asyncio.gather(keeper, return_exceptions=True)
            await self.refresh()

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(REFRESH_SECONDS)
            await self.refresh()

    async def refresh(self) -> None:
        """Reads which operations and versions are withdrawn, and stores the requests that were counted, in Postgres or
        at the other site. If this fails, raises nothing, and logs the first of several failures in a row.
        """
        try:
            async with asyncio.timeout(self._state.settings.database_timeout):
                await self._withdrawals.refresh()
                only_reads = self._state.write_mode.only_reads
                await self._usage.store(self.report if self.report and only_reads else self.add)
            self._is_fresh = True
        except (Unavailable, DBAPIError, TimeoutError) as error:
            if self._is_fresh:
                log.warning("withdrawn operations not read, or usage not stored", error=repr(error))
            self._is_fresh = False

    async def add(self, uses: Sequence[Uses]) -> None:
        """Adds requests to those in Postgres. Raises PostgresDown."""
        await add_usage(self._state.postgres, uses)

    async def text_of(
        self, request: GraphQLRequest, client: Client, *, counts: bool = True, is_admin: bool = False
    ) -> str:
        """Returns the text of the document that a request of this client wants executed. Counts the request if the text
        is trusted (from a manifest or an import), unless `counts` is False, because another site has counted it.
        `is_admin` tells whether the caller may use the administration API. Such a caller may send any text, because it
        imports what others may run.

        Raises PersistedDocumentNotFound for an unknown id. For an unknown hash, raises PersistedQueryNotFound, or
        PersistedQueryNotSupported if clients may not register texts. Raises NotPersisted if only trusted texts may run
        and this text is not trusted; OperationWithdrawn if the operation or the version of the client is withdrawn;
        BadInput if the hash in the request is not the hash of the text.
        """
        text = request.query
        if text is None or request.query_hash is not None or (self._lockdown and not is_admin):
            text = await self._find_text(request)
        message = self._withdrawals.version_message(client.name, client.version) if client.name else None
        if operation := self.trusted.operations.get(text):
            if message is None:
                message = self._withdrawals.operation_message(operation)
            if counts:
                counted_as = self._withdrawals.known(client.name, client.version)
                self._usage.count(operation, *counted_as, "run" if message is None else "withdrawn")
        if message is not None:
            raise OperationWithdrawn(message)
        return text

    async def _find_text(self, request: GraphQLRequest) -> str:
        if request.document_id is not None:
            return await self._by_document_id(request.document_id)
        if request.query is None:
            assert request.query_hash is not None  # no other way to name an operation is left
            return await self._by_hash(request.query_hash)
        return await self._check_sent_text(request.query, request.query_hash)

    async def register(self, query_hash: str, text: str) -> None:
        """Registers the text of a valid operation under the hash that a request sends with the text. Does nothing if
        automatic persisted queries are off, if the hash is the id of a trusted document, or if the text is too long.
        While Redis is down, only this process keeps the text.
        """
        if not self._apq or self.trusted.find(f"sha256:{query_hash}"):
            return
        try:
            kept = await self._registered.put(query_hash, text)
        except RedisDown:
            kept = True  # on this server, at least
        if kept:
            self._local[query_hash] = text
            PERSISTED.labels("registered").inc()

    async def _by_document_id(self, document_id: str) -> str:
        text = await self._find_trusted(document_id)
        if text is None:
            PERSISTED.labels("nowhere").inc()
            raise PersistedDocumentNotFound
        PERSISTED.labels("manifest").inc()
        return text

    async def _by_hash(self, query_hash: str) -> str:
        names = query_hash, f"sha256:{query_hash}"
        text, found = self.trusted.find(*names), "manifest"
        if text is None and self._apq and _SHA256.fullmatch(query_hash):
            text, found = await self._find_registered(query_hash)
        if text is None:
            text, found = await self._find_trusted(*names), "manifest"
        PERSISTED.labels(found if text else "nowhere").inc()
        if text is None:
            raise self._not_found_error()
        return text

    def _not_found_error(self) -> Exception:
        if self._lockdown:
            return NotPersisted()
        return PersistedQueryNotFound() if self._apq else PersistedQueryNotSupported()

    async def _check_sent_text(self, text: str, query_hash: str | None) -> str:
        """Returns the text that a request contains, if this text may run. Raises NotPersisted or
        PersistedQueryNotSupported if it may not run, and BadInput if the hash in the request is not that of the text.
        """
        actual_hash = hashlib.sha256(text.encode()).hexdigest()
        if self._lockdown and await self._find_trusted(f"sha256:{actual_hash}") is None:
            raise NotPersisted
        if query_hash is not None and not self._apq and self.trusted.find(f"sha256:{actual_hash}") is None:
            raise PersistedQueryNotSupported
        if query_hash not in (None, actual_hash):
            raise BadInput("provided sha does not match query")  # Apollo's wording
        return text

    async def _find_registered(self, query_hash: str) -> tuple[str | None, str]:
        """Returns the text that a client has registered under a hash, and where the text was found: `local` (in this
        process) or `redis`. The text is None if it is not registered or Redis is down; the place then has no meaning.
        """
        local = self._local.get(query_hash)
        if local is not None:
            return local, "local"
        try:
            text = await self._registered.get(query_hash)
        except RedisDown:
            return None, "nowhere"
        if text is not None:
            self._local[query_hash] = text
        return text, "redis"

    async def _find_trusted(self, *names: str) -> str | None:
        """Returns the trusted text under the first of these names (ids or `sha256:` identifiers) that is known, or
        None. If none is known, reads new imports and tries once more.
        """
        text = self.trusted.find(*names)
        if text is None:
            await self._read_imports()
            text = self.trusted.find(*names)
        return text

    async def _read_imports(self, seconds: float = IMPORT_TIMEOUT) -> None:
        """Reads new imports from Postgres, at most once per IMPORT_INTERVAL_MS and for at most `seconds`. Logs a
        failure instead of raising it. Concurrent callers wait for one query.
        """
        async with self._import_lock:
            now_ms = self._state.now_ms()
            if self._imports_read_ms is not None and 0 <= now_ms - self._imports_read_ms < IMPORT_INTERVAL_MS:
                return
            self._imports_read_ms = now_ms
            try:
                async with asyncio.timeout(seconds):
                    imported = await read_imported(self._state.postgres, self._last_imported_at)
            except (PostgresDown, DBAPIError, TimeoutError) as error:
                log.warning("imported operations not read", error=repr(error))
                return
        for one in imported:
            try:
                self.trusted.add([ManifestOperation(one.id, one.text, one.source, one.name or None)])
            except ManifestError as error:
                log.warning("imported operation contradicts a manifest and is not served", error=str(error))
        if imported:
            self._last_imported_at = imported[-1].imported_at
