"""The JavaScript of the guide finds the mentions that the server finds."""

import json
import re
from pathlib import Path

from domain.text_tokens import TokenKind, tokens
from tests.clients.node import needs_node, run
from tests.clients.texts import generated

GUIDE = Path(__file__).parents[2] / "docs" / "build" / "notifications.md"
FIND = """
const texts = JSON.parse(require("node:fs").readFileSync("texts.json", "utf8"));
const found = texts.map((text) => mentions(text).map((match) => {
  const start = [...text.slice(0, match.index)].length;
  return [start, start + match[0].length, match.groups.handle.toLowerCase()];
}));
console.log(JSON.stringify(found));
"""
SIGNS = "@@@./:-=~?#&'()\"<\\·。\uff0c \n\u00a0\u3000\u200d\u200c\ufe0f\u20e3👍😀"
LETTERS = "aB_1éжßא\u0627कก漢ーが한བ\U00020000\U0001d49c"
HANDLES = ["@ann.lee", "@a-b", ".lee", "-lee", "-", "_", "a" * 61]
WORDS = ["@bob", "@bob", "@bob", "\uff20bob", "bob", "e\u0301", "か\u3099", "https://", "HTTP://", "www.", "://"]
ADDRESSES = ["a.bc/", "é.рф?", "example.com", ".org", ":80/"]
PIECES = [*SIGNS, *LETTERS, *WORDS, *HANDLES, *ADDRESSES]


@needs_node
def test_the_javascript_of_the_guide_finds_the_mentions_that_the_server_finds(tmp_path: Path) -> None:
    (code,) = re.findall(r"```js\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    (tmp_path / "find.cjs").write_text(code + FIND)
    texts = generated(PIECES, "@bob", 20_000)
    (tmp_path / "texts.json").write_text(json.dumps(texts))

    found = json.loads(run(tmp_path, "node", "find.cjs"))

    expected = [
        [[token.start, token.end, token.value] for token in tokens(text) if token.kind is TokenKind.MENTION]
        for text in texts
    ]
    assert sum(map(len, expected)) > 5000
    differing = [(text, there, here) for text, there, here in zip(texts, found, expected, strict=True) if there != here]
    assert differing == []
