"""Converts archives of Mastodon accounts for `plaudit import`.

    python mastodon.py ann-archive bob-archive > mastodon.jsonl

Reads folders, one for each account: the unpacked archive that users request under "Import and export" since Mastodon
2.3 (`actor.json` and `outbox.json`, in the format of ActivityPub), and if it is there, `following_accounts.csv`, which
users download from the same page ("Account address,Show boosts,Notify on new posts,Languages"; the heading and all
columns but the first one may be missing). Tested with the format of Mastodon 4.

- An account has the external id `mastodon:<name>@<server>`. `server` is the host of the account's `id`.
- A public or unlisted post becomes a post. A reply becomes a comment if the post above it is in one of the archives.
  Content warnings are the first paragraph, options of polls the last lines.
- Left out: posts for followers, direct messages, boosts, likes, bookmarks, other replies.
- Follows of accounts that are in no archive are left out, except those that `--names` gives a new id. The export has no
  times of follows: they are as old as the account, in their order, so what users do in Plaudit is newer.
- Images need `--images`: the URL under which you serve the folder `media_attachments`.
"""

import csv
import json
import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from converting import Archive, arguments, handle, line, plain, time

PUBLIC = {"https://www.w3.org/ns/activitystreams#Public", "as:Public", "Public"}
_TOPIC = re.compile(r"[\w-]{1,50}")
Json = dict[str, Any]


def read(folder: Path, name: str) -> Json:
    """Returns a file of an archive."""
    found: Json = json.loads((folder / name).read_text(encoding="utf-8"))
    return found


def address(actor: Json) -> str:
    """Returns the address of an account, such as ann@example.social."""
    return f"{actor['preferredUsername']}@{urlsplit(actor['id']).hostname}".lower()


def is_public(note: Json) -> bool:
    """Returns whether everybody may read a post: it is public or unlisted."""
    to, cc = (note.get(field) or [] for field in ("to", "cc"))
    return bool(PUBLIC & {*([to] if isinstance(to, str) else to), *([cc] if isinstance(cc, str) else cc)})


def body(note: Json) -> str:
    """Returns the text of a post."""
    options = "\n".join(f"- {option['name']}" for option in note.get("oneOf") or note.get("anyOf") or [])
    return "\n\n".join(filter(None, [(note.get("summary") or "").strip(), plain(note.get("content")), options]))


def topics(note: Json) -> list[str]:
    """Returns the first ten hashtags of a post."""
    names = [one["name"].lstrip("#") for one in note.get("tag") or [] if one.get("type") == "Hashtag"]
    return [name for name in dict.fromkeys(names) if _TOPIC.fullmatch(name)][:10]


def image(folder: str, attachment: Json) -> Json:
    """Returns an image of a post, whose description may be missing."""
    alt = {"alt": attachment["name"]} if attachment.get("name") else {}
    return {"url": folder + attachment["url"].lstrip("/"), **alt}


class Note(NamedTuple):
    """A post of an archive: its author, the id of the post that it answers, and fields of its record."""

    author: str
    above: str | None
    topics: list[str]
    content: Json


class Converter:
    """Converts archives. Reads all posts first, because a reply may stand before the post above it."""

    def __init__(self, archive: Archive, images: str) -> None:
        self.archive = archive
        self.images = images
        self.users: dict[str, str] = {}
        self.notes: dict[str, Note] = {}

    def account(self, folder: Path) -> None:
        """Reads the account and its posts."""
        actor = read(folder, "actor.json")
        name = address(actor)
        self.users[name] = author = self.archive.user(
            f"mastodon:{name}",
            time(actor["published"]),
            handle=handle(actor["preferredUsername"]),
            displayName=line(actor.get("name"), 64),
            bio=plain(actor.get("summary"))[:500],
            isPrivate=actor.get("manuallyApprovesFollowers") or None,
        )
        self.archive.left_out["avatars"] += bool(actor.get("icon"))
        for other in ("likes.json", "bookmarks.json"):
            if (folder / other).exists():
                self.archive.left_out[other.removesuffix(".json")] += len(read(folder, other)["orderedItems"])
        for item in read(folder, "outbox.json")["orderedItems"]:
            self.activity(author, item)

    def activity(self, author: str, item: Json) -> None:
        """Reads an activity of the outbox."""
        note = item["object"]
        if item["type"] != "Create" or note["type"] not in ("Note", "Question"):
            self.archive.left_out["boosts" if item["type"] == "Announce" else f"activities {item['type']}"] += 1
        elif not is_public(note):
            self.archive.left_out["posts for followers and direct messages"] += 1
        else:
            content = self.content(note)
            if content["text"] or content["images"]:
                self.notes[note["id"]] = Note(author, note.get("inReplyTo"), topics(note), content)
            else:
                self.archive.left_out["posts without text or images"] += 1

    def content(self, note: Json) -> Json:
        """Returns the fields that posts and comments share."""
        media = [one for one in note.get("attachment") or [] if one.get("type") != "Link"]
        images = [one for one in media if self.images and one.get("mediaType", "").startswith("image/")]
        self.archive.left_out["images, videos and sounds"] += len(media) - len(images)
        return {
            "id": note["id"],
            "text": body(note),
            "images": [image(self.images, one) for one in images] or None,
            "createdAt": time(note["published"]),
            "editedAt": time(note["updated"]) if note.get("updated") else None,
        }

    def root(self, id_: str) -> str | None:
        """Returns the id of the post at the top of a thread; None if it is in no archive."""
        seen = {id_}
        while above := self.notes[id_].above:
            if above not in self.notes or above in seen:
                return None
            seen.add(id_ := above)
        return id_

    def posts(self) -> None:
        """Writes all posts and comments."""
        for id_, note in self.notes.items():
            root = self.root(id_)
            if root is None:
                self.archive.left_out["replies to posts that are in no archive"] += 1
            elif root == id_:
                self.archive.write("post", author=note.author, topics=note.topics or None, **note.content)
            else:
                parent = None if note.above == root else note.above
                subject = {"post": root}
                self.archive.write("comment", author=note.author, subject=subject, parent=parent, **note.content)

    def follows(self, folder: Path) -> None:
        """Writes the follows of an account. The file begins with the newest one."""
        file = folder / "following_accounts.csv"
        if not file.exists():
            self.archive.left_out["accounts without following_accounts.csv"] += 1
            return
        actor = read(folder, "actor.json")
        with file.open(newline="", encoding="utf-8-sig") as lines:
            rows = [row[0].strip().lstrip("@").lower() for row in csv.reader(lines) if row]
        follower, joined = self.users[address(actor)], datetime.fromisoformat(time(actor["published"]))
        for number, name in enumerate(reversed([row for row in rows if row != "account address"])):
            followee = self.users.get(name) or self.archive.names.get(f"mastodon:{name}")
            if followee:
                created = time((joined + timedelta(milliseconds=number)).isoformat())
                self.archive.write("follow", follower=follower, followee=followee, createdAt=created)
            else:
                self.archive.left_out["follows of accounts that are in no archive"] += 1


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--images", default="", help="the URL of the folder with media_attachments, up to its /")
    parser.add_argument("folders", type=Path, nargs="+")
    given = parser.parse_args()
    archive = Archive(given.names)
    converter = Converter(archive, given.images)
    for folder in given.folders:
        converter.account(folder)
    converter.posts()
    for folder in given.folders:
        converter.follows(folder)
    archive.finish()


if __name__ == "__main__":
    main()
