"""The demo app finds the topics that the server finds in a text."""

import json
from pathlib import Path

from domain import topics
from domain.text_tokens import TokenKind, tokens
from tests.clients.node import compiled, needs_compiler, run
from tests.clients.texts import generated
from tests.support.deployment import ROOT

FIND = """
import { readFileSync } from "node:fs";
import { topicsOf } from "./topics.mjs";
console.log(JSON.stringify(JSON.parse(readFileSync("texts.json", "utf8")).map(topicsOf)));
"""
NAMES = [
    "#tea",
    "#tea",
    "\uff03tea",
    "#ça",
    "#お茶",
    "tea",
    "don",
    "t",
    "'",
    "\u2019",
    "·",
    "\u2010",
    "\u05f4",
    "\u0f0b",
]
OTHERS = ["&#", "##", "@#", "#", ":", "example.org", "https://a.bc/", "www.", "://", ".org/#"]
LETTERS = "aB_1éжß\u0627कก漢ーか한བ\u0301\U00020000"
SIGNS = "#\uff03@./:-=~?&'()\"<\\。\uff0c \n\u3000\u200d\u200c\u180e\u2060\ufe0f\u20e3👍"


@needs_compiler
def test_the_demo_app_finds_the_topics_that_the_server_finds(tmp_path: Path) -> None:
    compiled(ROOT / "web" / "app" / "src" / "topics.ts", tmp_path)
    (tmp_path / "find.mjs").write_text(FIND)
    texts = generated([*NAMES, *OTHERS, *LETTERS, *SIGNS], "#tea", 20_000)
    (tmp_path / "texts.json").write_text(json.dumps(texts))

    found = [shown(names) for names in json.loads(run(tmp_path, "node", "find.mjs"))]

    expected = [
        list(dict.fromkeys(token.value for token in tokens(text) if token.kind is TokenKind.TOPIC)) for text in texts
    ]
    assert sum(map(len, expected)) > 5000
    differing = [(text, there, here) for text, there, here in zip(texts, found, expected, strict=True) if there != here]
    assert differing == []


def shown(names: list[str]) -> list[str]:
    """Returns the names that the server accepts, as it shows them."""
    return list(dict.fromkeys(filter(None, map(topics.spelling, names))))
