"""The messages of clients/react: complete in all languages, and all in use."""

import re

from fluent.syntax import FluentParser, ast
from graphql import GraphQLEnumType, build_schema

from domain.errors import UserErrorCode
from tests.support.deployment import ROOT

SOURCES = ROOT / "clients" / "react" / "src"
SCHEMA = build_schema((ROOT / "schema.graphql").read_text(encoding="utf-8"))
CODES = {code.value for code in UserErrorCode} | {"NO_CONNECTION", "RATE_LIMITED", "UNAVAILABLE", "INTERNAL"}


def messages(language: str) -> dict[str, set[str]]:
    """Returns the messages of a language with the variables of each. Fails if the text has an error."""
    source = (SOURCES / "languages" / f"{language}.ts").read_text(encoding="utf-8")
    text = source.split("`")[1]
    found: dict[str, set[str]] = {}
    for entry in FluentParser(with_spans=True).parse(text).body:
        assert not isinstance(entry, ast.Junk), entry.content
        if isinstance(entry, ast.Message):
            assert entry.id.name not in found, f"{entry.id.name} is there twice"
            assert entry.span
            found[entry.id.name] = set(re.findall(r"\$(\w+)", text[entry.span.start : entry.span.end]))
    return found


def sources() -> str:
    """Returns the source that says messages."""
    paths = [*SOURCES.glob("components/*.tsx"), SOURCES / "text.ts"]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def values(enum: str) -> set[str]:
    """Returns the values of an enum of the schema."""
    found = SCHEMA.type_map[enum]
    assert isinstance(found, GraphQLEnumType)
    return set(found.values)


def families() -> set[str]:
    """Returns the messages whose names the source puts together."""
    counts = {f"count-{name}" for name in re.findall(r' of="(\w+)"', sources())}
    reasons = {f"report-{reason}" for reason in values("ReportReason")}
    states = {f"own-status-{status}" for status in values("AuditStatus") - {"APPROVED"}}
    return counts | reasons | states | {order.lower() for order in values("CommentSort")}


def said() -> set[str]:
    """Returns the names of messages that the source has as literals."""
    return set(re.findall(r'"([a-z][a-z-]*)"', sources()))


def test_all_languages_have_the_same_messages_with_the_same_variables() -> None:
    found = {path.stem: messages(path.stem) for path in (SOURCES / "languages").iterdir()}

    assert len(found["en"]) > 80
    assert found == dict.fromkeys(("en", "zh-Hans"), found["en"])


def test_every_message_that_is_said_exists() -> None:
    literals = set(re.findall(r'\bsay\("([\w-]+)"', sources()))

    assert len(literals) > 40
    assert (literals | families()) - messages("en").keys() == set()


def test_no_message_is_unused() -> None:
    problems = {f"problem-{code}" for code in CODES}

    assert messages("en").keys() - said() - families() - problems == set()
