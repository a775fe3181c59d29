"""The word list of moderation through the administration API."""

from typing import Any

from tests.support.stored_state import unchanged
from tests.support.stores import standalone
from tests.support.system import Person, System

pytestmark = standalone

LIST = "wordList { text change { revision changedBy reason } } userErrors { code message field }"
IMPORT = f"mutation ($input: ImportWordListInput!) {{ importWordList(input: $input) {{ {LIST} }} }}"
REMOVE = f"mutation ($input: RemoveWordsInput!) {{ removeWords(input: $input) {{ {LIST} }} }}"
READ = "query ($revision: Int) { admin { wordList(revision: $revision) { text change { revision } } } }"
LOG = """query ($first: Int! = 20, $after: String) { admin { wordListChanges(first: $first, after: $after) {
  nodes { revision changedBy reason changedAt } pageInfo { hasNextPage endCursor } } } }"""
PUBLISH = """mutation ($text: String!, $key: String!) { publishPost(input: {text: $text, idempotencyKey: $key}) {
  post { id } userErrors { code } } }"""
WORDS = "# ours\nreject: casino\nreview: lottery\nplain\n"


def ops(system: System) -> Person:
    return system.person("ops", "admin")


async def put(system: System, text: str, reason: str | None = None) -> Any:
    return (await ops(system).ask(IMPORT, input={"text": text, "reason": reason}))["importWordList"]


async def remove(system: System, *words: str) -> Any:
    return (await ops(system).ask(REMOVE, input={"words": words}))["removeWords"]


async def status(system: System, text: str) -> str:
    alice = system.person("alice")
    post = (await alice.ask(PUBLISH, text=text, key=text))["publishPost"]["post"]
    await system.drain()
    found = await alice.ask("query ($id: ID!) { node(id: $id) { ... on Post { auditStatus } } }", id=post["id"])
    return str(found["node"]["auditStatus"])


async def test_an_imported_list_is_in_force_and_words_are_removed_from_it(system: System) -> None:
    imported = await put(system, WORDS, "a bad week")
    assert imported["wordList"] == {
        "text": WORDS,
        "change": {"revision": 1, "changedBy": "ops", "reason": "a bad week"},
    }
    assert await status(system, "a casino") == "REJECTED"

    removed = await remove(system, "CASINO", "plain")

    assert (removed["wordList"]["text"], removed["userErrors"]) == ("# ours\nreview: lottery\n", [])
    assert await status(system, "the casino") != "REJECTED"
    assert (await ops(system).ask(READ))["admin"]["wordList"] == {
        "text": "# ours\nreview: lottery\n",
        "change": {"revision": 2},
    }
    assert (await ops(system).ask(READ, revision=1))["admin"]["wordList"]["text"] == WORDS
    assert (await ops(system).ask(READ, revision=3))["admin"]["wordList"] is None


async def test_before_the_first_change_the_list_is_that_of_the_file(system: System) -> None:
    configured = system.settings.moderation.words_file.read_text()

    assert (await ops(system).ask(READ))["admin"]["wordList"] == {"text": configured, "change": None}


async def test_changes_are_listed_page_by_page(system: System) -> None:
    for number in range(3):
        await put(system, f"word{number}\n", f"reason {number}")

    page = (await ops(system).ask(LOG, first=2))["admin"]["wordListChanges"]
    rest = (await ops(system).ask(LOG, after=page["pageInfo"]["endCursor"]))["admin"]["wordListChanges"]

    assert [one["revision"] for one in page["nodes"] + rest["nodes"]] == [3, 2, 1]
    assert page["pageInfo"]["hasNextPage"]
    assert not rest["pageInfo"]["hasNextPage"]
    assert await ops(system).errors(LOG, first=0) == [("BAD_INPUT", ["admin", "wordListChanges"])]
    assert await ops(system).errors(LOG, after="x") == [("BAD_CURSOR", ["admin", "wordListChanges"])]


async def test_bad_input_changes_nothing(system: System) -> None:
    await put(system, WORDS)
    async with unchanged(system):
        for text, message in (
            ("good\nreject:\n", "text:2: this line has no word"),
            ("label nonsense: word", "text:1: there is no label nonsense"),
            ("a\0b", "The list has a control character."),
            ("a\x1b[31m", "The list has a control character."),
        ):
            (error,) = (await put(system, text))["userErrors"]
            assert (error["code"], error["message"], error["field"]) == ("INVALID", message, ["text"])
        (error,) = (await put(system, "good", "x" * 501))["userErrors"]
        assert (error["code"], error["field"]) == ("TEXT_TOO_LONG", ["reason"])
        for words in (["casino", "unknown"], ["casino", ""]):
            (error,) = (await remove(system, *words))["userErrors"]
            assert (error["code"], error["field"]) == ("TARGET_NOT_FOUND", ["words", "1"])
        for number in 0, 101:
            errors = await ops(system).errors(REMOVE, input={"words": ["casino"] * number})
            assert [code for code, _ in errors] == ["BAD_INPUT"]
        for revision in 0, -1, 2**31 - 1:
            assert await ops(system).errors(READ, revision=revision) == [("BAD_INPUT", ["admin", "wordList"])]
