"""The texts of notifications: every language has all of them, and operators can add languages and replace texts."""

import itertools
import re
from pathlib import Path

import pytest
from fluent.syntax import FluentParser, ast
from fluent.syntax.visitor import Visitor

import domain.messages
from domain.messages import BadMessages, Messages, told
from domain.moderation.appeals import AppealStatus
from models.notifications import OWN_KINDS, NotificationKind
from models.profiles import ProfileField
from projections.entries.reports import MESSAGES
from projections.statements import DELETED

SHIPPED = Messages()
COUNTS = 1, 2, 3, 5, 11, 21, 100, 1234
KINDS = [kind for kind in NotificationKind if kind not in OWN_KINDS]
NAME, THING = "Zoë", "post"
DECISIONS = [
    *(f"Your {thing} was rejected: dull" for thing in ("post", "comment", *(one.label for one in ProfileField))),
    "Your post was rejected: against the rules",
    *(f"Your appeal was {status.name.lower()}: dull" for status in (AppealStatus.GRANTED, AppealStatus.DENIED)),
    "A moderator warned you: dull",
    "A moderator suspended your account: dull",
    "What you wrote is not public until a moderator decides about it: dull",
    *DELETED.values(),
    *(
        f"{begin}dull"
        for begin in ("Your collection was made private: ", "You may make your collection public again: ")
    ),
    "A moderator set the labels of your post to dull: dull",
    "A moderator removed the labels of your comment: dull",
    *(text + "dull" * text.endswith(": ") for text in MESSAGES.values()),
]


class Variables(Visitor):
    """Collects the variables of a message of a file."""

    def __init__(self) -> None:
        self.names = set[str]()

    def visit_VariableReference(self, node: ast.VariableReference) -> None:  # noqa: N802 - named by the library
        self.names.add(node.id.name)


def variables(language: str) -> dict[str, set[str]]:
    """Returns the variables of each message in a file of Plaudit."""
    path = Path(domain.messages.__file__).parent / f"{language}.ftl"
    found: dict[str, set[str]] = {}
    for entry in FluentParser().parse(path.read_text("utf-8")).body:
        assert not isinstance(entry, ast.Junk), entry.content
        if isinstance(entry, ast.Message):
            visitor = Variables()
            visitor.visit(entry)
            found[entry.id.name] = visitor.names
    return found


@pytest.mark.parametrize("language", SHIPPED.languages)
def test_every_language_has_all_texts_with_all_variables(language: str) -> None:
    english, own = variables("en"), variables(language)

    assert english.keys() - own.keys() == set()
    assert {one for one in own.keys() - english.keys() if not one.startswith("thing-")} == set()
    of_things = {one for one in own if one.startswith("thing-")}
    assert {one: own[one] for one in english if one not in of_things} == {
        one: names for one, names in english.items() if one not in of_things
    }
    assert all(own[one] <= {"thing"} for one in of_things)
    assert SHIPPED.incomplete == {}


@pytest.mark.parametrize(("language", "kind", "count"), [*itertools.product(SHIPPED.languages, KINDS, COUNTS)], ids=str)
def test_every_kind_has_a_sentence_in_every_language(language: str, kind: NotificationKind, count: int) -> None:
    sentence = SHIPPED.text(language, told(kind.name, NAME, count - 1, THING))

    assert sentence.startswith(NAME)
    assert sentence.endswith((".", "。"))
    assert not re.search(r"[{}$]|\s\s", sentence)
    assert (f"{count - 1:,}" in sentence) == (count > 1)
    alone = SHIPPED.text(language, told(kind.name, NAME, 0, THING))
    assert (sentence == alone) == (count == 1)
    other = SHIPPED.text("en" if language != "en" else "zh-Hans", told(kind.name, NAME, count - 1, THING))
    assert other != sentence


@pytest.mark.parametrize("stored", DECISIONS)
def test_every_decision_has_a_sentence_in_every_language(stored: str) -> None:
    sentences = {language: SHIPPED.decision(language, stored) for language in SHIPPED.languages}

    assert sentences["en"] == stored
    assert len({*sentences.values()}) == len(sentences)
    assert all("dull" in sentence for sentence in sentences.values()) == ("dull" in stored)
    assert not re.search("[a-z]", sentences["zh-Hans"].replace("dull", ""))


def test_the_sentences_in_both_languages() -> None:
    def both(*args: object) -> tuple[str, str]:
        said = told(*args)  # type: ignore[arg-type]
        return SHIPPED.text("en", said), SHIPPED.text("zh-Hans", said)

    assert both("LIKE", "Ann", 0, "post") == ("Ann liked your post.", "Ann 赞了你的帖子。")
    assert both("LIKE", "Ann", 1, "video") == ("Ann and 1 other liked your video.", "Ann 和其他 1 人赞了你的视频。")
    assert both("LIKE", None, 2, "song", ["like", "😂"]) == (
        "Somebody and 2 others reacted 👍 😂 to your song.",
        "有人 和其他 2 人用 👍 😂 回应了你的内容。",
    )
    assert both("LIKE", "Ann", 0, None, []) == ("Ann reacted to your entry.", "Ann 回应了你的内容。")


@pytest.mark.parametrize(
    ("name", "isolated"),
    [("يوسف", True), ("שרה", True), ("a\u202eb", True), ("Ann", False), ("张伟", False), ("Ann 7!", False)],
)
def test_a_name_that_could_change_the_order_of_words_is_isolated(name: str, isolated: bool) -> None:
    sentence = SHIPPED.text("en", told("FOLLOW", name, 0, None))

    assert sentence == (f"\u2068{name}\u2069 followed you." if isolated else f"{name} followed you.")


def test_operators_add_languages_and_replace_texts(tmp_path: Path) -> None:
    (tmp_path / "en.ftl").write_text("like = { who } loves your { $thing }!\nthing-video = clip\n")
    (tmp_path / "ar.ftl").write_text("follow = { who } يتابعك.\nsomebody = شخص ما\n")
    messages = Messages(tmp_path, "ar-EG")

    assert [*messages.languages] == ["ar", "en", "zh-Hans"]
    assert messages.text("en", told("LIKE", "Ann", 0, "video")) == "Ann loves your clip!"
    assert messages.text("en", told("FOLLOW", "Ann", 0, None)) == "Ann followed you."
    assert messages.text("zh-Hans", told("LIKE", "Ann", 0, "video")) == "Ann 赞了你的视频。"
    assert messages.text("ar", told("FOLLOW", "Ann", 0, None)) == "\u2068Ann\u2069 يتابعك."
    assert messages.text("ar", told("QUOTE", "يوسف", 0, "post")).startswith("يوسف quoted")
    assert messages.language(["fr"]) == "ar"
    assert messages.language(["fr", "zh-TW"]) == "zh-Hans"
    assert "like" in messages.incomplete["ar"]
    assert "follow" not in messages.incomplete["ar"]
    assert messages.incomplete.keys() == {"ar"}


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("zh_TW.ftl", "like = x", "name the file after a language"),
        ("fr.ftl", "like = { $who", "is not Fluent"),
        ("fr.ftl", "liked = x", "there is no message liked"),
        ("fr.ftl", "like = { $person } aime", "the message like has no variable $person"),
        ("fr.ftl", "like = { follow } { $reason }", "the message like has no variable $reason"),
        ("fr.ftl", "who = { like }\nlike = { who }", "refers to itself"),
        ("fr.ftl", b"like = \xff", "cannot be read"),
        ("fr.txt", "like = x", "is not a folder with files such as zh-Hans.ftl"),
    ],
)
def test_files_that_cannot_be_used_are_refused(tmp_path: Path, name: str, text: str | bytes, complaint: str) -> None:
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())

    with pytest.raises(BadMessages, match=re.escape(complaint)):
        Messages(tmp_path)


def test_a_default_language_without_texts_is_refused() -> None:
    with pytest.raises(BadMessages, match="There are no messages in the default language fr"):
        Messages(None, "fr")
