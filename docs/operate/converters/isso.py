"""Converts the database of Isso for `plaudit import`.

    python isso.py --business article --site https://blog.example.com comments.db > isso.jsonl

Reads the tables `threads` and `comments` of the SQLite file, which have these columns since Isso 0.9 (the newer column
`notification` is not read). Stop Isso, or copy the file first.

- A thread becomes an entity. Its key is the path of its page.
- Isso has no accounts. Comments with the same e-mail address have one author, and so have comments with the same name
  and no address. Anybody can write under any address: give an author a new id with `--names` only if you are sure.
- `mode` 1 is public, 2 waits for a moderator, and 4 is a comment with replies that was deleted: at the time of the
  conversion, because Isso keeps no time.
- Texts are Markdown, and stay as they are.
- Left out: votes, of which Isso has only numbers; websites, e-mail and network addresses.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from converting import FORMER, Archive, arguments, line, time

COMMENTS = """SELECT id, tid, parent, created, modified, mode, text, author, email, website, likes, dislikes
  FROM comments ORDER BY id"""
PUBLIC, PENDING, DELETED = 1, 2, 4


def author(archive: Archive, row: sqlite3.Row) -> str:
    """Returns the external id of the author of a comment."""
    name = line(row["author"], 64)
    if row["mode"] == DELETED:
        known, name = "former", FORMER
    else:
        known = row["email"] or name or "anonymous"
    return archive.user(f"isso:{known}", time(row["created"]), secret=True, displayName=name or "Anonymous")


def comment(archive: Archive, row: sqlite3.Row, subject: dict[str, str]) -> None:
    """Writes a comment, and counts what of it is left out."""
    content = (row["text"] or "").strip()
    if row["mode"] not in (PUBLIC, PENDING, DELETED) or (not content and row["mode"] != DELETED):
        archive.left_out["comments with an unknown mode, or without text"] += 1
        return
    changed = time(row["modified"]) if row["modified"] else None
    is_deleted = row["mode"] == DELETED
    archive.write(
        "comment",
        id=f"isso:{row['id']}",
        author=author(archive, row),
        subject=subject,
        parent=f"isso:{row['parent']}" if row["parent"] else None,
        text=None if is_deleted else content,
        createdAt=time(row["created"]),
        editedAt=None if is_deleted else changed,
        deletedAt=archive.now if is_deleted else None,
        status="PENDING" if row["mode"] == PENDING else None,
    )
    archive.left_out["votes"] += row["likes"] + row["dislikes"]
    archive.left_out["websites of authors"] += bool(row["website"])


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--business", required=True, help="the business of the entities, as in the businesses file")
    parser.add_argument("--site", default="", help="the address of the site, for the URLs of the entities")
    parser.add_argument("database", type=Path)
    given = parser.parse_args()
    archive = Archive(given.names)
    with closing(sqlite3.connect(f"{given.database.resolve().as_uri()}?mode=ro", uri=True)) as database:
        database.row_factory = sqlite3.Row
        subjects = {}
        for row in database.execute("SELECT id, uri, title FROM threads ORDER BY id"):
            subjects[row["id"]] = subject = {"business": given.business, "key": archive.key(row["uri"])}
            url = f"{given.site.rstrip('/')}{row['uri']}" if given.site else None
            archive.write("entity", **subject, title=line(row["title"], 500), url=url)
        for row in database.execute(COMMENTS):
            if row["tid"] in subjects:
                comment(archive, row, subjects[row["tid"]])
            else:
                archive.left_out["comments without a thread"] += 1
    archive.finish()


if __name__ == "__main__":
    main()
