"""The client kit cuts a text by the facets of the server into the parts that the server means."""

import json
from pathlib import Path

from domain.text_tokens import tokens
from models.facets import Facet, facets_of
from tests.clients.texts import generated
from tests.support.deployment import ROOT
from tests.support.node import compiled, needs_compiler, run

CUT = """
import { readFileSync } from "node:fs";
import { textParts } from "./facets.mjs";
const cases = JSON.parse(readFileSync("cases.json", "utf8"));
console.log(JSON.stringify(cases.map(({ text, facets }) => ({
  all: textParts(text, facets).map((part) => part.text).join("") === text,
  units: textParts(text, facets).filter((part) => part.facet).map((part) => part.text),
  points: facets.map(({ codePointStart, codePointEnd }) => [...text].slice(codePointStart, codePointEnd).join("")),
}))));
"""
TOKENS = ["@bob", "\uff20ann.lee", "#tea", "\uff03お茶", "https://a.bc/", "www.a.bc", "me@bob.com"]
OTHERS = ["👨\u200d👩\u200d👧", "🇫🇷", "e\u0301", "か\u3099"]
PIECES = [*TOKENS, *OTHERS, *" \n.()👍😀é漢x\ufe0f\U00020000\U0001d49c"]


@needs_compiler
def test_the_offsets_cut_the_same_parts_in_javascript_and_in_python(tmp_path: Path) -> None:
    compiled(ROOT / "clients" / "typescript" / "src" / "facets.ts", tmp_path)
    (tmp_path / "cut.mjs").write_text(CUT)
    texts = generated(PIECES, " @bob ", 5000)
    cases = [{"text": text, "facets": [offsets(facet) for facet in facets_of(text, None)]} for text in texts]
    (tmp_path / "cases.json").write_text(json.dumps(cases))

    found = json.loads(run(tmp_path, "node", "cut.mjs"))

    expected = [[text[token.start : token.end] for token in tokens(text)] for text in texts]
    assert sum(map(len, expected)) > 10_000
    assert found == [{"all": True, "units": parts, "points": parts} for parts in expected]


def offsets(facet: Facet) -> dict[str, int]:
    """Returns the offsets of a facet by their names in the API."""
    points = {"codePointStart": facet.code_point_start, "codePointEnd": facet.code_point_end}
    return {"utf16Start": facet.utf16_start, "utf16End": facet.utf16_end, **points}
