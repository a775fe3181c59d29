"""Functions that the converters in this folder share. They write the records that `plaudit import` reads."""

import argparse
import csv
import hashlib
import json
import re
import sys
from collections import Counter
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

FORMER = "Former member"
"""The display name of authors whom an export does not name."""
_KEY = re.compile(r"[A-Za-z0-9._~-]{1,64}")
_HANDLE = re.compile(r"(?=.{2,64}$)[a-z0-9_]+(?:[.-][a-z0-9_]+)*")
_BLOCKS = frozenset(["p", "div", "blockquote", "ul", "ol", "pre", "h1", "h2", "h3", "h4"])
_HIDDEN = frozenset(["script", "style"])
_CUT = ("...", "…")


class Archive:
    """Writes records to standard output, and counts what is left out. `names` is a CSV file without a heading: an old
    id of a user or page, and the new one.
    """

    def __init__(self, names: Path | None) -> None:
        self.now = time(datetime.now(UTC).timestamp())
        """The time of deletions of which the export has no time. It must be newer than an earlier import."""
        self.left_out: Counter[str] = Counter()
        self.names: dict[str, str] = {}
        self._keys: dict[str, str] = {}
        self._users: dict[str, dict[str, Any]] = {}
        if names:
            with names.open(newline="", encoding="utf-8-sig") as lines:
                self.names = {row[0].strip(): row[1].strip() for row in csv.reader(lines) if row}

    def write(self, kind: str, **fields: Any) -> None:
        """Writes a record. Fields that are None are left out."""
        record = {"kind": kind} | {name: value for name, value in fields.items() if value is not None}
        sys.stdout.write(json.dumps(record, ensure_ascii=False) + "\n")

    def user(self, old: str, time: str | None, *, secret: bool = False, **profile: Any) -> str:
        """Returns the external id of a user. The user joins at the earliest `time` of all calls. If `old` is `secret`,
        such as an e-mail address, a digest takes its place.
        """
        system, _, name = old.partition(":")
        unnamed = f"{system}:guest-{digest(name)}" if secret else old
        external_id = self.names.get(old, unnamed)
        record = self._users.setdefault(external_id, {**profile, "createdAt": time})
        record["createdAt"] = min(filter(None, [record["createdAt"], time]), default=None)
        return external_id

    def key(self, page: str, *identifiers: str) -> str:
        """Returns the key of the entity of a page: a new name of the first identifier that has one; the first
        identifier that is a valid key; or the path of the page. Different paths get different keys, except those that
        differ in a / at the end.
        """
        for identifier in (*identifiers, page):
            if identifier in self.names:
                return self.names[identifier]
        valid = next((one for one in identifiers if _KEY.fullmatch(one)), None)
        if valid:
            return valid
        url = urlsplit(page)
        path = url.path.rstrip("/") + (f"?{url.query}" if url.query else "")
        key = re.sub(r"[^A-Za-z0-9._~-]+", "-", path).strip("-")
        if not 0 < len(key) <= 64 or self._keys.setdefault(key, path) != path:
            key = f"{key[:47] or 'page'}-{digest(path)}"
        return key

    def finish(self) -> None:
        """Writes the users. Prints to standard error what was left out, with its count."""
        for external_id, profile in self._users.items():
            self.write("user", externalId=external_id, **profile)
        for what, count in sorted((+self.left_out).items()):
            sys.stderr.write(f"left out: {count} {what}\n")


def arguments(description: str | None) -> argparse.ArgumentParser:
    """Returns a parser of the command line with the option that all converters have."""
    parser = argparse.ArgumentParser(description=(description or "").partition("\n\n")[0])
    parser.add_argument("--names", type=Path, help="a CSV file of old and new ids, of users and of pages")
    return parser


def digest(text: str) -> str:
    """Returns 16 hexadecimal digits that stand for a text."""
    return hashlib.sha256(text.lower().encode()).hexdigest()[:16]


def handle(name: str) -> str | None:
    """Returns a name as a handle; None if it cannot be one. The import then makes a handle from the display name."""
    return name.lower() if _HANDLE.fullmatch(name.lower()) else None


def line(text: str | None, longest: int) -> str | None:
    """Returns a text as one line of at most `longest` characters; None if it is empty."""
    return " ".join((text or "").split())[:longest].strip() or None


def time(value: str | float) -> str:
    """Returns a time in the format of RFC 3339. `value` is a text of ISO 8601, of which those without an offset are in
    UTC, or a number of seconds since the Unix epoch.
    """
    one = datetime.fromisoformat(value) if isinstance(value, str) else datetime.fromtimestamp(value, UTC)
    known = one if one.tzinfo else one.replace(tzinfo=UTC)
    return known.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def plain(html: str | None) -> str:
    """Returns HTML as plain text. Blocks are paragraphs. A link whose text is cut short becomes its URL."""
    parser = _Text()
    parser.feed(html or "")
    parser.close()
    text = re.sub(r"[ \t]*\n[ \t]*", "\n", "".join(parser.parts))
    return re.sub(r"\n{3,}", "\n\n", text).strip()


class _Text(HTMLParser):
    """Collects the text of HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._hidden = 0
        self._link: tuple[str, int] | None = None
        """The URL of the link that is open, and the number of parts before it."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BLOCKS:
            self.parts.append("\n\n")
        elif tag in ("br", "li"):
            self.parts.append("\n- " if tag == "li" else "\n")
        elif tag == "a":
            self._link = dict(attrs).get("href") or "", len(self.parts)
        self._hidden += tag in _HIDDEN

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCKS:
            self.parts.append("\n\n")
        elif tag == "a" and self._link:
            url, start = self._link
            if "".join(self.parts[start:]).rstrip().endswith(_CUT) and url.startswith("http"):
                self.parts[start:] = [url]
            self._link = None
        self._hidden -= tag in _HIDDEN

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.parts.append(data)
