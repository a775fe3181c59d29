"""Persisted operations for `plaudit persisted`, through the administration API of a system."""

import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import httpx

from commands.persisted.checking import OperationCheck, Report
from commands.persisted.importing import ImportRefused
from commands.persisted.manifests import ManifestOperation
from commands.persisted.registry import Registry
from commands.persisted.withdrawing import NotWithdrawable
from store.persisted.usage import OperationUsage, VersionUsage

_MOST, _MOST_BYTES, _MOST_SEPARATORS = 100, 400_000, 15_000
"""The most operations in one request, their bytes, and their commas and opening brackets: less than the API allows."""
_PAGE = 50
_ATTEMPTS = 20
_LONGEST_WAIT = 60.0
_TIMEOUT = 60.0
_CHECKED = "id name kind source leastCost cost problem"


class ApiError(Exception):
    """The API cannot be reached, or refuses a request. The message says what to do."""


class RemoteOperations:
    """The persisted operations of the system whose API is at `url`, such as `https://api.example.com`. The token needs
    the scope `admin`.
    """

    def __init__(self, url: str, token: str) -> None:
        self._url = url if url.rstrip("/").endswith("/graphql") else url.rstrip("/") + "/graphql"
        self._headers = {"authorization": f"Bearer {token}"}

    def check(self, operations: Sequence[ManifestOperation], report: Report) -> list[OperationCheck]:
        query = f"""query ($operations: [PersistedOperationInput!]!) {{
          admin {{ operationChecks(operations: $operations) {{ {_CHECKED} }} }} }}"""
        results = list[OperationCheck]()
        for batch in _batches(operations):
            report(len(results), len(operations))
            found = self._ask(query, operations=list(map(_input, batch)))["admin"]["operationChecks"]
            results += [_check(row, one) for one, row in zip(batch, found, strict=True)]
        return results

    def import_operations(
        self, operations: Sequence[ManifestOperation], client: str, versions: Sequence[str], report: Report
    ) -> tuple[int, int]:
        """Imports operations in batches, after it has checked all of them. Raises ManifestError or ImportRefused. If
        another import gets in between, earlier batches may stay imported; a repetition imports the others.
        """
        Registry().add(operations)  # raises if the operations contradict each other
        different = list({one.id: one for one in operations}.values())
        results = self.check(different, report)
        if failed := [result for result in results if result.problem]:
            message = f"{len(failed)} of {len(results)} operations cannot run here. Nothing was imported."
            raise ImportRefused(message, failed)
        query = """mutation ($input: ImportOperationsInput!) { importOperations(input: $input) {
          newCount knownCount userErrors { message } } }"""
        named = {"client": client, "clientVersions": list(versions)} if client else {}
        new = known = 0
        for batch in _batches(different):
            payload = self._ask(query, input={"operations": list(map(_input, batch)), **named})["importOperations"]
            if payload["userErrors"]:
                raise ImportRefused(" ".join(one["message"] for one in payload["userErrors"]))
            new, known = new + payload["newCount"], known + payload["knownCount"]
        return new, known

    def change_operations(self, ids: Sequence[str], message: str | None) -> None:
        self._change("Operations", "ids", ids, {}, message)

    def change_versions(self, client: str, versions: Sequence[str], message: str | None) -> None:
        self._change("ClientVersions", "clientVersions", versions, {"client": client}, message)

    def _change(self, what: str, key: str, names: Sequence[str], more: dict[str, str], message: str | None) -> None:
        """Withdraws or restores what has these names, in parts that the API allows. If a part fails, the parts before
        it stay changed, and the message of the error says so.
        """
        for start in range(0, len(names), _MOST):
            try:
                self._change_part(what, {key: list(names[start : start + _MOST]), **more}, message)
            except (ApiError, NotWithdrawable) as error:
                if not start:
                    raise
                reason = str(error).removesuffix(" Nothing was changed.")
                raise type(error)(f"{reason} The first {start} were changed.") from None

    def _change_part(self, what: str, named: dict[str, Any], message: str | None) -> None:
        verb, given = ("restore", named) if message is None else ("withdraw", {**named, "message": message})
        field, type_ = f"{verb}{what}", f"{verb.title()}{what}Input"
        query = f"mutation ($input: {type_}!) {{ {field}(input: $input) {{ userErrors {{ message }} }} }}"
        if errors := self._ask(query, input=given)[field]["userErrors"]:
            raise NotWithdrawable(" ".join(one["message"] for one in errors))

    def usage(self, client: str | None, version: str | None) -> list[OperationUsage]:
        query = """query ($client: String, $version: String, $first: Int!, $after: String) {
          admin { operationUses(client: $client, clientVersion: $version, first: $first, after: $after) {
            nodes { operationId operationName client clientVersion requestCount lastUsedAt }
            pageInfo { hasNextPage endCursor } } } }"""
        rows = [
            OperationUsage(
                row["operationId"],
                row["operationName"],
                row["client"],
                row["clientVersion"],
                row["requestCount"],
                _time(row["lastUsedAt"]),
            )
            for row in self._pages(query, "operationUses", client=client, version=version)
        ]
        return sorted(rows, key=lambda row: (row.client, row.version, -row.requests, row.name, row.id))

    def versions(self) -> list[VersionUsage]:
        query = """query ($first: Int!, $after: String) { admin { clientVersions(first: $first, after: $after) {
          nodes { client version operationCount requestCount lastUsedAt importedAt withdrawnMessage }
          pageInfo { hasNextPage endCursor } } } }"""
        return [
            VersionUsage(
                row["client"],
                row["version"],
                row["operationCount"],
                row["requestCount"],
                _time(row["lastUsedAt"]),
                datetime.fromisoformat(row["importedAt"]),
                row["withdrawnMessage"],
            )
            for row in self._pages(query, "clientVersions")
        ]

    def every(self, report: Report) -> list[OperationCheck]:
        query = f"""query ($first: Int!, $after: String) {{ admin {{ operations(first: $first, after: $after) {{
          nodes {{ withdrawnMessage check {{ {_CHECKED} }} }} pageInfo {{ hasNextPage endCursor }} }} }} }}"""
        results = list[OperationCheck]()
        for row in self._pages(query, "operations"):
            report(len(results), len(results) + 1)
            withdrawn = row["withdrawnMessage"]
            checked = row["check"] if withdrawn is None else {**row["check"], "problem": f"Withdrawn: {withdrawn}"}
            results.append(_check(checked, ManifestOperation(checked["id"], "", checked["source"])))
        return results

    def _pages(self, query: str, field: str, **variables: Any) -> Iterator[dict[str, Any]]:
        """Yields the nodes of all pages of a list."""
        after = None
        while True:
            page = self._ask(query, first=_PAGE, after=after, **variables)["admin"][field]
            yield from page["nodes"]
            if not page["pageInfo"]["hasNextPage"]:
                return
            after = page["pageInfo"]["endCursor"]

    def _ask(self, query: str, **variables: Any) -> dict[str, Any]:
        """Returns `data` of the answer to an operation. Waits and asks again if a budget is used up. Raises
        ApiError.
        """
        for _ in range(_ATTEMPTS):
            body = self._post({"query": query, "variables": variables})
            if not (errors := body.get("errors")):
                if body["extensions"].get("degraded"):
                    raise ApiError(f"{self._url} cannot read its stores now. Try again later.")
                return dict(body["data"])
            extensions = errors[0].get("extensions", {})
            if extensions.get("code") != "RATE_LIMITED":
                raise ApiError(f"{self._url}: {errors[0]['message']}")
            time.sleep(min(float(extensions.get("retryAfter") or 1), _LONGEST_WAIT))
        raise ApiError(f"{self._url} refuses requests because of rate limits. Try again later.")

    def _post(self, body: dict[str, Any]) -> Mapping[str, Any]:
        try:
            response = httpx.post(self._url, json=body, headers=self._headers, timeout=_TIMEOUT)
            answer = response.json()
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ApiError(f"{self._url} does not answer: {str(error) or type(error).__name__}") from None
        except ValueError:
            raise ApiError(f"{self._url} is not the address of an API: the answer is not JSON.") from None
        if not isinstance(answer, dict) or not answer.keys() & {"data", "errors"}:
            raise ApiError(f"{self._url} is not the address of an API: the answer is not one of GraphQL.")
        return answer


def _batches(operations: Sequence[ManifestOperation]) -> Iterator[list[ManifestOperation]]:
    """Yields the operations in lists that fit into one request."""
    batch, size, separators = list[ManifestOperation](), 0, 0
    for one in operations:
        own_size, own = len(one.text.encode()) + 1000, sum(map(one.text.count, ",[{")) + 10
        full = len(batch) == _MOST or size + own_size > _MOST_BYTES or separators + own > _MOST_SEPARATORS
        if batch and full:
            yield batch
            batch, size, separators = [], 0, 0
        batch.append(one)
        size, separators = size + own_size, separators + own
    if batch:
        yield batch


def _input(one: ManifestOperation) -> dict[str, Any]:
    stated = {"name": one.name, "kind": one.kind and one.kind.upper()}
    return {"id": one.id, "text": one.text, "source": one.source, **{k: v for k, v in stated.items() if v is not None}}


def _check(row: Mapping[str, Any], operation: ManifestOperation) -> OperationCheck:
    kind = (row["kind"] or "").lower()
    return OperationCheck(operation, row["name"], kind, row["leastCost"], row["cost"], row["problem"] or "")


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
