"""The tabs of a first visit must work: they are the first thing a newcomer runs."""

import re
from pathlib import Path

import pytest
from graphql import OperationDefinitionNode, build_schema, parse, validate

import web

ROOT = Path(web.__file__).parent.parent
SOURCE = (ROOT / "web" / "assets" / "examples.js").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"^const (\w+) = `([^`]*)`;$", SOURCE, re.MULTILINE))


def test_every_tab_is_an_example() -> None:
    tabs = re.search(r"tabs = \[([\w, ]+)\]", SOURCE)

    assert tabs
    assert tabs[1].split(", ") == list(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_asks_for_what_the_contract_offers(name: str) -> None:
    contract = build_schema((ROOT / "docs" / "contract.graphql").read_text(encoding="utf-8"))
    document = parse(EXAMPLES[name])

    assert validate(contract, document) == []
    # An unnamed operation makes a tab called "<untitled>".
    assert all(node.name for node in document.definitions if isinstance(node, OperationDefinitionNode))
