"""Checks that no shared cache may keep a GET response that depends on the viewer."""

import json
from typing import Any

from tests.features.visibility.hidden_things import VisibilityCase
from tests.features.visibility.read_checks import Reading, check_private
from tests.features.visibility.read_queries import BOARDS, LISTS, NODES
from tests.features.visibility.things import Viewer


async def check_caching(case: VisibilityCase) -> None:
    """Shared caches keep only what nobody in particular was told; and whoever has another's answer gets their own."""
    asked: list[tuple[str, dict[str, Any], str]] = [
        (LISTS, {"queue": False}, "private"),
        (NODES, {"ids": case.ids}, "public"),
        (BOARDS, {}, "public"),
    ]
    for query, variables, for_nobody in asked:
        url = {"query": query, "variables": json.dumps(variables)}
        author = await case.system.http.get("/graphql", params=url, headers=case.viewers["author"].headers)
        for viewer in case.viewers.values():
            await _check(case, viewer, url, author.headers["etag"], for_nobody if not viewer.handle else "private")


async def _check(case: VisibilityCase, viewer: Viewer, url: dict[str, str], anothers: str, kept: str) -> None:
    headers = {**viewer.headers, "if-none-match": anothers}
    response = await case.system.http.get("/graphql", params=url, headers=headers)
    assert "Authorization" in response.headers["vary"].split(", ")
    assert response.headers["cache-control"].split(",")[0] == kept, viewer.name
    if response.status_code != 304:  # theirs is another, or they are refused
        check_private(case, Reading(viewer, [response.text]))
    else:
        assert response.headers["etag"] == anothers  # theirs is the same
        bare = await case.system.http.get("/graphql", params=url, headers=viewer.headers)
        check_private(case, Reading(viewer, [bare.text]))
