"""The script of the web components comes with the licences of the libraries in it."""

from pathlib import Path

from tests.support.node import needs_compiler

pytestmark = needs_compiler

LIBRARIES = {
    "@0no-co/graphql.web",
    "@fluent/bundle",
    "@plaudit/react",
    "@urql/core",
    "@urql/exchange-auth",
    "@urql/exchange-graphcache",
    "@urql/exchange-persisted",
    "@urql/exchange-retry",
    "graphql-ws",
    "preact",
    "urql",
    "wonka",
}
"""The packages whose modules are in the script."""


def test_a_file_beside_the_script_has_the_licence_of_each_library_in_it(pages: Path) -> None:
    script, texts = (pages / "embed.js").read_text(), (pages / "embed.LICENSES.txt").read_text()
    found = dict[str, str]()
    for part in texts.split(f"\n{'-' * 80}\n\n"):
        title, _, text = part.partition("\n\n")
        found[title.partition(" ")[0]] = text

    assert script.startswith("/*! licences: embed.LICENSES.txt */")
    assert found.keys() == LIBRARIES
    assert [name for name, text in found.items() if len(text) < 1000] == []
    assert "Apache License" in found["@fluent/bundle"]
