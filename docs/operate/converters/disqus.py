"""Converts an export of Disqus for `plaudit import`.

    python disqus.py --business article export.xml.gz > disqus.jsonl

Reads the XML of "Export comments" in the Disqus Admin: the namespaces http://disqus.com and
http://disqus.com/disqus-internals, of the schema http://disqus.com/api/schemas/1.0/disqus.xsd. The file may be
compressed with gzip.

- A thread becomes an entity. Its key is the identifier of the thread, or else the path of its page. Forum and category
  are custom data. A closed thread is closed for comments, a deleted one is removed.
- An author with a Disqus account has the external id `disqus:<username>`. A guest has an id made from the e-mail
  address or the name, and no sign-in.
- Spam is imported as rejected. A deleted post is deleted at the time of the conversion: the export has neither its text
  nor its author nor the time of the deletion.
- Not in the export: votes, avatars, edits. Left out: authors of threads, e-mail and network addresses.
"""

import gzip
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element, iterparse

from converting import FORMER, Archive, arguments, handle, line, plain, time

NS = "{http://disqus.com}"
ID = "{http://disqus.com/disqus-internals}id"


def children(path: Path) -> Iterator[Element]:
    """Yields the categories, threads and posts of an export. Frees the memory of each after its use."""
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        parsed = iterparse(file, ["start", "end"])  # noqa: S314 - an export of your own forum
        _, root = next(parsed)
        depth = 1
        for event, element in parsed:
            depth += 1 if event == "start" else -1
            if event == "end" and depth == 1:
                yield element
                root.clear()


def text(element: Element, name: str) -> str:
    return (element.findtext(NS + name) or "").strip()


def is_true(element: Element, name: str) -> bool:
    return text(element, name) == "true"


def reference(element: Element, name: str) -> str | None:
    """Returns the internal id that a child names; None if there is no such child."""
    child = element.find(NS + name)
    return None if child is None else child.get(ID)


class Converter:
    """Converts the parts of an export, which come in the order of categories, threads and posts."""

    def __init__(self, archive: Archive, business: str) -> None:
        self.archive = archive
        self.business = business
        self.categories: dict[str, str] = {}
        self.keys: dict[str, str] = {}
        self.written: set[str] = set()

    def read(self, element: Element) -> None:
        """Converts one part."""
        kind, id_ = element.tag.removeprefix(NS), element.get(ID) or ""
        if kind == "category":
            self.categories[id_] = text(element, "title")
        elif kind == "thread":
            self.thread(element, id_)
        elif kind == "post":
            self.post(element, id_)
        else:
            self.archive.left_out[f"unknown elements {kind}"] += 1

    def thread(self, element: Element, id_: str) -> None:
        page = text(element, "link") or f"thread-{id_}"
        self.keys[id_] = key = self.archive.key(page, text(element, "id"))
        if key in self.written:
            self.archive.left_out["second threads of a page; their comments are kept"] += 1
            return
        self.written.add(key)
        category = self.categories.get(reference(element, "category") or "")
        self.archive.write(
            "entity",
            business=self.business,
            key=key,
            title=line(text(element, "title"), 500),
            url=page if page.startswith("http") else None,
            commentsClosed=is_true(element, "isClosed") or None,
            removed=is_true(element, "isDeleted") or None,
            custom={"forum": text(element, "forum"), "category": category},
        )

    def post(self, element: Element, id_: str) -> None:
        thread = reference(element, "thread") or ""
        if thread not in self.keys:
            self.archive.left_out["posts of threads that are not in the export"] += 1
            return
        message = plain(element.findtext(f"{NS}message"))
        if is_true(element, "isDeleted") or not message:
            self.comment(element, id_, deletedAt=self.archive.now)
            self.archive.left_out["texts and authors of deleted or empty posts"] += 1
        elif is_true(element, "isSpam"):
            self.comment(element, id_, text=message, status="REJECTED", reason="Disqus: spam")
        else:
            self.comment(element, id_, text=message)

    def comment(self, element: Element, id_: str, **content: str) -> None:
        parent = reference(element, "parent")
        self.archive.write(
            "comment",
            id=f"disqus:{id_}",
            author=self.author(element),
            subject={"business": self.business, "key": self.keys[reference(element, "thread") or ""]},
            parent=parent and f"disqus:{parent}",
            createdAt=time(text(element, "createdAt")),
            **content,
        )

    def author(self, post: Element) -> str:
        """Returns the external id of the author of a post."""
        created = time(text(post, "createdAt"))
        who = post.find(f"{NS}author")
        name, username, email = ("" if who is None else text(who, one) for one in ("name", "username", "email"))
        if username:
            shown = line(name, 64)
            return self.archive.user(f"disqus:{username}", created, handle=handle(username), displayName=shown)
        known = email or name or "former"
        return self.archive.user(f"disqus:{known}", created, secret=True, displayName=line(name, 64) or FORMER)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--business", required=True, help="the business of the entities, as in the businesses file")
    parser.add_argument("export", type=Path)
    given = parser.parse_args()
    archive = Archive(given.names)
    converter = Converter(archive, given.business)
    for element in children(given.export):
        converter.read(element)
    archive.finish()


if __name__ == "__main__":
    main()
