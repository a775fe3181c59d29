"""Checks that no shared cache may keep a GET response that depends on the viewer."""

import json
from typing import Any

from tests.features.visibility.hidden_things import VisibilityCase
from tests.features.visibility.read_checks import Reading, check_private
from tests.features.visibility.read_queries import BOARDS, LISTS, NODES
from tests.features.visibility.things import Viewer


async def check_caching(case: VisibilityCase) -> None:
    """Expects that shared caches keep anonymous answers only, and that another viewer's ETag gives no wrong answer."""
    requests: list[tuple[str, dict[str, Any], str]] = [
        (LISTS, {"queue": False}, "private"),
        (NODES, {"ids": case.ids}, "public"),
        (BOARDS, {}, "public"),
    ]
    for query, variables, if_anonymous in requests:
        url = {"query": query, "variables": json.dumps(variables)}
        author = await case.system.http.get("/graphql", params=url, headers=case.viewers["author"].headers)
        for viewer in case.viewers.values():
            await _check(case, viewer, url, author.headers["etag"], if_anonymous if not viewer.handle else "private")


async def _check(case: VisibilityCase, viewer: Viewer, url: dict[str, str], other_etag: str, scope: str) -> None:
    headers = {**viewer.headers, "if-none-match": other_etag}
    response = await case.system.http.get("/graphql", params=url, headers=headers)
    assert "Authorization" in response.headers["vary"].split(", ")
    assert response.headers["cache-control"].split(",")[0] == scope, viewer.name
    if response.status_code != 304:  # the viewer's answer differs, or is a refusal
        check_private(case, Reading(viewer, [response.text]))
    else:
        assert response.headers["etag"] == other_etag  # the viewer's answer is the same
        full = await case.system.http.get("/graphql", params=url, headers=viewer.headers)
        check_private(case, Reading(viewer, [full.text]))
