"""The texts of notifications in several languages: one Fluent file (https://projectfluent.org) for each language.

Operators can add languages, and replace single messages, with files of a folder of their own. A message that a language
lacks is taken from English.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from fluent.syntax import FluentParser, ast
from fluent.syntax.visitor import Visitor

from domain import languages

if TYPE_CHECKING:
    from fluent.runtime import FluentBundle

_SHIPPED = Path(__file__).parent
_NO_LETTERS = re.compile(r"[^a-z0-9]+")
_FSI, _PDI = "\u2068", "\u2069"
_THUMB = "\N{THUMBS UP SIGN}"
_EXPLICIT = {"LRE", "LRO", "RLE", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
_OF_OTHER_DIRECTION = {False: _EXPLICIT | {"R", "AL", "AN"}, True: _EXPLICIT | {"L", "EN"}}
"""The bidirectional classes of the characters that a text may not have if it stands in a sentence without isolation:
for sentences from left to right, and from right to left.
"""
_DECISIONS = {
    "rejected": re.compile(r"Your (?P<thing>[a-z0-9_ ]+) was rejected: (?P<reason>.*)", re.DOTALL),
    "appeal-granted": re.compile(r"Your appeal was granted: (?P<reason>.*)", re.DOTALL),
    "appeal-denied": re.compile(r"Your appeal was denied: (?P<reason>.*)", re.DOTALL),
    "suspended": re.compile(r"A moderator suspended your account: (?P<reason>.*)", re.DOTALL),
    "held": re.compile(r"What you wrote is not public until a moderator decides about it: (?P<reason>.*)", re.DOTALL),
    "comment-deleted": re.compile(r"A moderator deleted your comment\."),
    "comment-deleted-by-owner": re.compile(
        r"The owner of the post or object that you commented on deleted your comment\."
    ),
    "collection-private": re.compile(r"Your collection was made private: (?P<reason>.*)", re.DOTALL),
    "collection-free": re.compile(r"You may make your collection public again: (?P<reason>.*)", re.DOTALL),
    "labeled": re.compile(r"The automated moderation set a label on what you wrote: (?P<reason>.*)", re.DOTALL),
    "labels-set": re.compile(
        r"A moderator set the labels of your (?P<thing>[a-z0-9_ ]+) to (?P<labels>.+?): (?P<reason>.*)", re.DOTALL
    ),
    "labels-removed": re.compile(
        r"A moderator removed the labels of your (?P<thing>[a-z0-9_ ]+): (?P<reason>.*)", re.DOTALL
    ),
    "warned": re.compile(r"A moderator warned you: (?P<reason>.*)", re.DOTALL),
    "report-accepted": re.compile(r"Your report was accepted: (?P<reason>.*)", re.DOTALL),
    "report-dismissed": re.compile(r"Your report was dismissed: (?P<reason>.*)", re.DOTALL),
    "report-moot": re.compile(r"What you reported was deleted\."),
}
"""The stored form of the text of each decision, by the message that says it. Notifications store these English texts,
with the moderator's reason.
"""
_AGAINST_RULES = "against the rules"
"""The stored reason of a rejection without a reason."""


class Told(NamedTuple):
    """What a notification says: its message (such as `follow-request`), the display name of the newest user (None if
    the user is unknown), how many further users acted, the kind of content (None if it is unknown), and the reactions.
    """

    message: str
    name: str | None = None
    others: int = 0
    thing: str | None = None
    reactions: Sequence[str] = ()


def told(kind: str, name: str | None, others: int, thing: str | None, reactions: Sequence[str] | None = None) -> Told:
    """Returns what a notification of a kind says, such as `FOLLOW_REQUEST`. `reactions` are the names of the kinds of
    reactions; None if the notification reports likes only, or no reactions. See `Told` for the other arguments.
    """
    if reactions is None:
        return Told(kind.lower().replace("_", "-"), name, others, thing)
    shown = [_THUMB if one == "like" else one for one in reactions]
    return Told("react" if shown else "react-unnamed", name, others, thing, shown)


class BadMessages(Exception):
    """Raised for a folder of messages that cannot be used. The text of the exception says why."""


class Messages:
    """The texts of all languages."""

    def __init__(self, folder: Path | None = None, default: str = languages.DEFAULT) -> None:
        """Reads the files of this package and those of the operator's `folder`. `default` is the language for readers
        who want none that exists. Raises BadMessages for files that cannot be used.
        """
        self._resources = {path.stem: [_read(path)] for path in sorted(_SHIPPED.glob("*.ftl"))}
        english = _variables(self._resources[languages.DEFAULT])
        for path in _own_files(folder) if folder else ():
            if languages.canonical(path.stem) != path.stem:
                raise BadMessages(f"{path}: name the file after a language, such as zh-Hans.ftl or pt-BR.ftl.")
            self._resources.setdefault(path.stem, []).append(_checked(path, _read(path), english))
        self.languages: Sequence[str] = sorted(self._resources)
        """The tags of the languages."""
        self.incomplete = {
            language: missing
            for language, resources in self._resources.items()
            if (missing := sorted(message for message in english if message not in _variables(resources)))
        }
        """The messages that each language lacks, so that they are in English. Complete languages are left out."""
        tag = languages.canonical(default)
        found = tag and languages.best([tag], self.languages)
        if not found:
            raise BadMessages(f"There are no messages in the default language {default}.")
        self.default = found
        """The language of readers who want none that exists."""
        self._bundles: dict[str, FluentBundle] = {}

    def language(self, wanted: Iterable[str]) -> str:
        """Returns the language of the texts for a reader who wants these languages, the most wanted first."""
        return languages.best(wanted, self.languages) or self.default

    def text(self, language: str, told: Told) -> str:
        """Returns a notification as a sentence in `language`, which is one of `languages`."""
        values: dict[str, str | int] = {
            "name": self._format(language, "somebody") if told.name is None else told.name,
            "others": told.others,
            "thing": self._thing(language, told.thing),
            "reactions": " ".join(told.reactions),
        }
        return self._format(language, told.message, values)

    def decision(self, language: str, stored: str) -> str:
        """Returns the text of a decision in `language`, which is one of `languages`. `stored` is the stored English
        text. Returns `stored` itself if no form of `_DECISIONS` matches.
        """
        for message, form in _DECISIONS.items():
            if match := form.fullmatch(stored):
                values = match.groupdict()
                if values.get("reason") == _AGAINST_RULES:
                    values["reason"] = self._format(language, "against-rules")
                if "thing" in values:
                    values["thing"] = self._thing(language, values["thing"])
                return self._format(language, message, values)
        return stored

    def _thing(self, language: str, name: str | None) -> str:
        if name is None:
            return self._format(language, "thing-unknown")
        message = f"thing-{_NO_LETTERS.sub('-', name)}"
        known = self._bundle(language).has_message(message)
        return self._format(language, message if known else "thing-other", {"thing": name})

    def _format(self, language: str, message: str, values: Mapping[str, str | int] = MappingProxyType({})) -> str:
        bundle, other = self._bundle(language), _OF_OTHER_DIRECTION[languages.is_right_to_left(language)]
        isolated = {
            name: _isolated(value, other) if isinstance(value, str) else value for name, value in values.items()
        }
        pattern = bundle.get_message(message).value
        assert pattern  # `_variables` leaves out messages without a value
        return str(bundle.format_pattern(pattern, isolated)[0])

    def _bundle(self, language: str) -> "FluentBundle":
        from fluent.runtime import FluentBundle

        if language not in self._bundles:
            bundle = FluentBundle([language, languages.DEFAULT], use_isolating=False)
            for one in dict.fromkeys((languages.DEFAULT, language)):
                for resource in self._resources[one]:
                    bundle.add_resource(resource, allow_overrides=True)
            self._bundles[language] = bundle
        return self._bundles[language]


def read(folder: Path | None, default: str) -> Messages:
    """Returns the texts of all languages. See `Messages`. Raises BadMessages for files that cannot be used."""
    return _shipped(default) if folder is None else Messages(folder, default)


@lru_cache(maxsize=4)
def _shipped(default: str) -> Messages:
    """Returns the texts of Plaudit alone. Reading them takes 30 ms of CPU time."""
    return Messages(None, default)


def _isolated(text: str, other: Collection[str]) -> str:
    """Returns a text that may stand in a sentence: isolated if it has characters of one of the bidirectional classes
    `other`, which could change the order of the words around it.
    """
    return f"{_FSI}{text}{_PDI}" if any(unicodedata.bidirectional(one) in other for one in text) else text


def _own_files(folder: Path) -> Sequence[Path]:
    found = sorted(folder.glob("*.ftl")) if folder.is_dir() else []
    if not found:
        raise BadMessages(f"{folder} is not a folder with files such as zh-Hans.ftl.")
    return found


def _read(path: Path) -> ast.Resource:
    try:
        resource = FluentParser().parse(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadMessages(f"{path} cannot be read: {error}") from error
    for entry in resource.body:
        if isinstance(entry, ast.Junk):
            start = (entry.content or "").strip().partition("\n")[0]
            raise BadMessages(f"{path} is not Fluent at: {start}")
    return resource


def _checked(path: Path, resource: ast.Resource, english: Mapping[str, Collection[str]]) -> ast.Resource:
    """Returns the resource. Raises BadMessages if it has a message that does not exist in English, or one with a
    variable that the message does not have in English.
    """
    for message, variables in _variables([resource], english).items():
        if message not in english and not message.startswith("thing-"):
            raise BadMessages(f"{path}: there is no message {message}.")
        if unknown := sorted(variables - {*english.get(message, {"thing"})}):
            raise BadMessages(f"{path}: the message {message} has no variable ${unknown[0]}.")
    return resource


class _Found(Visitor):
    """Collects the variables and the messages that a message refers to."""

    def __init__(self) -> None:
        self.variables = set[str]()
        self.messages = set[str]()

    def visit_VariableReference(self, node: ast.VariableReference) -> None:  # noqa: N802 - named by the library
        self.variables.add(node.id.name)

    def visit_MessageReference(self, node: ast.MessageReference) -> None:  # noqa: N802 - named by the library
        self.messages.add(node.id.name)


def _variables(
    resources: Iterable[ast.Resource], others: Mapping[str, Collection[str]] = MappingProxyType({})
) -> dict[str, set[str]]:
    """Returns the variables of each message of these resources, also those of the messages to which it refers.
    `others` has the variables of messages that may be in other resources.
    """
    found: dict[str, _Found] = {}
    for resource in resources:
        for entry in resource.body:
            if isinstance(entry, ast.Message) and entry.value:
                found[entry.id.name] = one = _Found()
                one.visit(entry.value)

    def all_of(message: str, above: frozenset[str] = frozenset()) -> set[str]:
        if message in above:
            raise BadMessages(f"The message {message} refers to itself.")
        if message not in found:
            return {*others.get(message, ())}
        one = found[message]
        return one.variables.union(*(all_of(other, above | {message}) for other in one.messages))

    return {message: all_of(message) for message in found}
