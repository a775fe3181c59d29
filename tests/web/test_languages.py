"""The messages of the demo app and the moderation console: complete in all languages, and all in use."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from fluent.syntax import FluentParser, ast
from fluent.syntax.visitor import Visitor
from graphql import GraphQLEnumType, build_schema

from tests.support.deployment import ROOT

APP = ROOT / "web" / "app"
SOURCES = APP / "src"
FILES = ("app", "moderation", "shared")
LANGUAGES = sorted(path.name for path in (APP / "languages").iterdir())
SCHEMA = build_schema((ROOT / "schema.graphql").read_text(encoding="utf-8"))

FAMILIES = {
    "moderation": {
        "action-": "ModerationAction",
        "assignment-": "CaseAssignment",
        "kind-": "CaseKind",
        "mode-": "SuspensionMode",
        "report-": "ReportReason",
        "restriction-": "Restriction",
        "role-": "ModerationRole",
        "sort-": "CaseOrder",
        "source-": "ModerationSource",
        "state-": "AuditStatus",
        "status-": "CaseStatus",
        "unit-": "TransparencyUnit",
    },
    "app": {
        "appeal-": "AppealStatus",
        "delete-": "DeletionMode",
        "deleted-": "DeletionMode",
        "found-by-": "FoundBy",
        "notify-": "NotificationKind",
        "quote-": "QuoteMissing",
        "quotes-": "QuotePolicy",
        "restriction-": "Restriction",
        "visibility-": "LabelVisibility",
    },
}
"""The prefixes of messages for the values of an enum of the schema. Each value has a message."""
COUNTS = ROOT / "store" / "moderation" / "transparency_counts.py"


class _Variables(Visitor):
    """Collects the names of the variables of a message."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_VariableReference(self, node: ast.VariableReference) -> None:  # noqa: N802 - named by the library
        self.names.add(node.id.name)


def messages(language: str, file: str) -> Mapping[str, set[str]]:
    """Returns the messages of a file with the variables of each. Fails if the file has an error or a message twice."""
    resource = FluentParser().parse((APP / "languages" / language / f"{file}.ftl").read_text(encoding="utf-8"))
    found: dict[str, set[str]] = {}
    for entry in resource.body:
        assert not isinstance(entry, ast.Junk), entry.content
        if isinstance(entry, ast.Message):
            assert entry.id.name not in found, f"{entry.id.name} is there twice"
            visitor = _Variables()
            visitor.visit(entry)
            found[entry.id.name] = visitor.names
    return found


def values(enum: str) -> Iterable[str]:
    """Returns the values of an enum of the schema."""
    found = SCHEMA.type_map[enum]
    assert isinstance(found, GraphQLEnumType)
    return list(found.values)


def counted() -> set[str]:
    """Returns the names of the parts and indicators of the transparency report, as its source has them."""
    source = COUNTS.read_text(encoding="utf-8")
    parts = re.findall(r'(?:part = |, period\), |\bCount\()"([a-z ]+)"', source)
    return {*parts, *re.findall(r'\bCount\((?:part|"[a-z ]+"), "([a-z ]+)"', source)}


def sources(file: str) -> str:
    """Returns the source that may use the messages of a file. Both pages use those of `shared`."""
    of_app, of_console = [SOURCES, SOURCES / "screens"], [SOURCES / "moderation"]
    folders = {"app": of_app, "moderation": of_console, "shared": of_app + of_console}[file]
    paths = [path for folder in folders for path in folder.glob("*.ts*")]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def shared_sources() -> str:
    """Returns the source of the modules that the console takes from the demo app."""
    names = set(re.findall(r'from "\.\./([\w-]+\.tsx?)"', sources("moderation")))
    assert {"ui.tsx", "outcome.ts", "language.tsx"} <= names
    return "\n".join((SOURCES / name).read_text(encoding="utf-8") for name in names)


def said(source: str) -> set[str]:
    """Returns the ids that a source names where it says a message, as far as they are literals."""
    arguments = re.findall(r"\bsay\(([^(){}[`]*?)[,)]", source) + re.findall(r'<Say id=("[^"]*")', source)
    chosen = [re.sub(r'[!=]== "[^"]*"', "", one) for one in arguments]
    return {name for one in chosen for name in re.findall(r'"([^"]+)"', one)}


@pytest.mark.parametrize("file", FILES)
def test_all_languages_have_the_same_messages_with_the_same_variables(file: str) -> None:
    english = messages("en", file)

    assert len(LANGUAGES) > 1
    assert {language: messages(language, file) for language in LANGUAGES} == dict.fromkeys(LANGUAGES, english)


@pytest.mark.parametrize("file", ["app", "moderation"])
def test_the_source_says_no_message_that_does_not_exist(file: str) -> None:
    found = said(sources(file))

    assert len(found) > 100
    assert found - messages("en", file).keys() - messages("en", "shared").keys() == set()


def test_the_modules_of_both_pages_say_shared_messages_only() -> None:
    found = said(shared_sources())

    assert len(found) > 10
    assert found - messages("en", "shared").keys() == set()


@pytest.mark.parametrize("file", ["app", "moderation"])
def test_no_page_has_a_message_under_two_files(file: str) -> None:
    assert messages("en", file).keys() & messages("en", "shared").keys() == set()


@pytest.mark.parametrize("file", FILES)
def test_no_message_is_unused(file: str) -> None:
    source = sources(file)
    literals = set(re.findall(r'"([\w-]+)"', source)) | set(re.findall(r"\b(\w+): \w+Found", source))
    prefixes = set(re.findall(r"`([a-z-]+-)\$\{", source)) | {"filter-", *FAMILIES.get(file, {})}
    enums = {name for enum in FAMILIES.get(file, {}).values() for name in values(enum)}
    things = {"Post", "Comment", "User", "Entity", "Collection", "Topic"} | {
        name.replace(" ", "-") for name in counted()
    }

    def is_used(message: str) -> bool:
        known = literals | enums | things
        return message in literals or any(message.removeprefix(one) in known for one in prefixes if one in message)

    assert [message for message in messages("en", file) if not is_used(message)] == []


@pytest.mark.parametrize(("file", "families"), FAMILIES.items())
def test_every_value_of_an_enum_has_a_message(file: str, families: Mapping[str, str]) -> None:
    wanted = {prefix + value for prefix, enum in families.items() for value in values(enum)}

    assert wanted - messages("en", file).keys() == set()


def test_every_name_in_the_transparency_report_has_a_message_and_is_said_as_in_the_csv() -> None:
    text = (APP / "languages" / "en" / "moderation.ftl").read_text(encoding="utf-8")
    names = counted()

    assert len(names) > 20
    assert dict(re.findall(r"^counted-(\S+) = (.*)$", text, re.MULTILINE)) == {
        name.replace(" ", "-"): name for name in names
    }


def test_the_source_has_no_texts_of_its_own() -> None:
    attribute = r' (?:label|title|placeholder|aria-label|empty|alt)="(?!on-|in-|https:)[^"]*[A-Za-z]{2}[^"]*"'
    names = {"Plaudit", "GraphQL", "account.jsonl", "moderate", "plaudit transparency"}
    source = sources("shared")
    texts = {text.strip() for text in re.findall(r">([^<>{}=();]*[A-Za-z]{2}[^<>{}=();]*)</", source)}

    assert re.findall(attribute, source) == []
    assert texts - names == set()


def test_each_language_is_a_file_of_its_own() -> None:
    for folder in (APP / "dist" / "app", APP / "dist" / "moderation" / "assets"):
        found = {language: [path.name for path in Path(folder).glob(f"{language}-*.js")] for language in LANGUAGES}
        assert all(len(names) == 1 for names in found.values()), found
