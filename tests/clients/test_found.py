"""The client kit marks the words of a search in a text."""

import json
from pathlib import Path

import pytest

from tests.support.deployment import ROOT
from tests.support.node import compiled, needs_compiler, run

MARK = """
import { readFileSync } from "node:fs";
import { foundParts } from "./found.mjs";
const { text, query } = JSON.parse(readFileSync("case.json", "utf8"));
console.log(JSON.stringify(foundParts(text, query)));
"""


@needs_compiler
@pytest.mark.parametrize(
    ("text", "query", "found"),
    [
        ("Green tea, teapots & TEA", "tea", ["tea", "teapots", "TEA"]),
        ("A café in Łódź", "CAFE lodz", ["café"]),
        ("the steam", "tea", []),
        ("green tea by bob", '"green tea" from:bob topic:"tea" has:image', ["green", "tea"]),
        ("四川火锅的秘密", "火锅 密", ["火锅", "密"]),
        ("a<b>tea</b> 1.5", "b .*", ["b", "b"]),
        ("anything", "", []),
    ],
)
def test_the_words_of_a_query_are_marked(tmp_path: Path, text: str, query: str, found: list[str]) -> None:
    compiled(ROOT / "clients" / "typescript" / "src" / "found.ts", tmp_path)
    (tmp_path / "mark.mjs").write_text(MARK)
    (tmp_path / "case.json").write_text(json.dumps({"text": text, "query": query}))

    parts = json.loads(run(tmp_path, "node", "mark.mjs"))

    assert "".join(part["text"] for part in parts) == text
    assert [part["text"] for part in parts if part["isFound"]] == found
