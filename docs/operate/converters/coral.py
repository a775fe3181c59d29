"""Converts an export of Coral (also called Talk) for `plaudit import`.

    for name in stories users comments commentActions; do
        mongoexport --uri "$MONGODB_URI" --collection $name --out export/$name.json
    done
    python coral.py --business article export > coral.jsonl

Reads a folder with the files `stories.json`, `users.json`, `comments.json` and `commentActions.json`, as mongoexport
writes them from the MongoDB of Coral 5 to 9: one document per line, in the relaxed or canonical format. If your Coral
archives stories, export the collections `archivedComments` and `archivedCommentActions` into the folder, too.

- A story becomes an entity. Its key is the id of the story, if your site gave Coral this id. If Coral made the id (a
  UUID), the key is the path of the story's URL. A story whose `closedAt` has passed is closed for comments; stories
  that the setting "close comments after" closes are not, because their documents do not say so.
- A user who signs in with single sign-on or OpenID Connect has the id that your identity provider gave. Any other user
  has the external id `coral:<id>`. A banned or suspended user gets a suspension in the mode READ_ONLY. An ignored user
  becomes a mute. Deleted users are left out.
- The last revision of a comment is its text. Comments with the status PREMOD or SYSTEM_WITHHELD wait for a moderator,
  REJECTED is rejected, NONE and APPROVED are public. The comments of a deleted user are deleted.
- A reaction becomes a like.
- Left out: flags and reports, "don't agree", ratings, tags such as Featured, bans on single sites, roles, notes of
  moderators, former usernames, avatars, e-mail addresses.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from converting import FORMER, Archive, arguments, handle, line, plain, time

Json = dict[str, Any]
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_OWN_IDS = "sso", "oidc"
_STATUS = {"NONE": None, "APPROVED": None, "PREMOD": "PENDING", "SYSTEM_WITHHELD": "PENDING", "REJECTED": "REJECTED"}
"""The status of a comment in an archive, by that in Coral; None is public. Any other status becomes PENDING."""


def documents(folder: Path, *names: str) -> Iterator[Json]:
    """Yields the documents of collections. Collections after the first one may be missing."""
    for name in names:
        file = folder / f"{name}.json"
        if file.exists() or name == names[0]:
            with file.open(encoding="utf-8") as lines:
                yield from (json.loads(one) for one in lines if one.strip())


def when(value: Any) -> str | None:
    """Returns a date of MongoDB as the time of a record. None for null, false, or a field that is missing."""
    if not isinstance(value, dict):
        return None
    date = value["$date"]
    return time(int(date["$numberLong"]) / 1000 if isinstance(date, dict) else date)


def text_of(revision: Json) -> str:
    """Returns the text of a revision. The URL of a GIF or an image is its last line."""
    media = revision.get("media") or {}
    url = media.get("url") if media.get("type") in ("giphy", "external") else None
    return "\n\n".join(filter(None, [plain(revision.get("body")), url]))


class Converter:
    """Converts the documents of an export: stories and users first, then comments, then reactions."""

    def __init__(self, archive: Archive, business: str) -> None:
        self.archive = archive
        self.business = business
        self.keys: dict[str, str] = {}
        """The keys of the entities, by the ids of the stories."""
        self.users: dict[str, str] = {}
        """The external ids of the users, by their ids in Coral."""
        self.comments: set[str] = set()

    def story(self, story: Json) -> None:
        id_, metadata = story["id"], story.get("metadata") or {}
        names = (id_,) if id_ in self.archive.names or not _UUID.fullmatch(id_) else ()
        self.keys[id_] = key = self.archive.key(story["url"], *names)
        closed = when(story.get("closedAt"))
        self.archive.write(
            "entity",
            business=self.business,
            key=key,
            title=line(metadata.get("title"), 500),
            url=story["url"],
            commentsClosed=bool(closed and closed <= self.archive.now) or None,
            custom={"section": metadata["section"]} if metadata.get("section") else None,
        )

    def user(self, user: Json) -> None:
        if user.get("deletedAt"):
            self.archive.left_out["deleted users"] += 1
            return
        own = [one["id"] for one in user.get("profiles") or [] if one["type"] in _OWN_IDS]
        name = user.get("username")
        self.users[user["id"]] = self.archive.user(
            own[0] if own else f"coral:{user['id']}",
            when(user["createdAt"]),
            handle=handle(name or ""),
            displayName=line(name, 64) or FORMER,
            bio=plain(user.get("bio"))[:500] or None,
            suspension=self.suspension(user.get("status") or {}),
        )
        self.archive.left_out["avatars"] += bool(user.get("avatar"))

    def suspension(self, status: Json) -> Json | None:
        """Returns the ban or suspension that is in force; None if there is none."""
        ban = status.get("ban") or {}
        if ban.get("active"):
            reason = next((one.get("message") for one in reversed(ban.get("history") or []) if one.get("active")), None)
            return {"mode": "READ_ONLY", **({"reason": reason} if reason else {})}
        self.archive.left_out["bans on single sites"] += bool(ban.get("siteIDs"))
        for one in (status.get("suspension") or {}).get("history") or []:
            start, end = when(one["from"]["start"]), when(one["from"]["finish"])
            if start and end and start <= self.archive.now < end:
                return {"mode": "READ_ONLY", "until": end, **({"reason": one["message"]} if one.get("message") else {})}
        return None

    def mutes(self, user: Json) -> None:
        for one in user.get("ignoredUsers") or []:
            if user["id"] in self.users and one["id"] in self.users:
                pair = {"user": self.users[user["id"]], "muted": self.users[one["id"]]}
                self.archive.write("mute", **pair, createdAt=when(one["createdAt"]))

    def comment(self, comment: Json) -> None:
        if comment["storyID"] not in self.keys:
            self.archive.left_out["comments on stories that are not in the export"] += 1
            return
        deleted, revisions = when(comment.get("deletedAt")), comment.get("revisions") or []
        content = text_of(revisions[-1]) if revisions else ""
        if deleted or not content:
            self.archive.left_out["texts of deleted or empty comments"] += 1
            self.write(comment, deletedAt=deleted or self.archive.now)
            return
        edited = when(revisions[-1]["createdAt"]) if len(revisions) > 1 else None
        self.write(comment, text=content, editedAt=edited, status=_STATUS.get(comment["status"], "PENDING"))
        self.archive.left_out["tags of comments"] += len(comment.get("tags") or [])
        self.archive.left_out["ratings"] += comment.get("rating") is not None

    def write(self, comment: Json, **content: str | None) -> None:
        self.comments.add(comment["id"])
        parent, created = comment.get("parentID"), when(comment["createdAt"])
        author = self.users.get(comment.get("authorID") or "")
        self.archive.write(
            "comment",
            id=f"coral:{comment['id']}",
            author=author or self.archive.user("coral:former", created, secret=True, displayName=FORMER),
            subject={"business": self.business, "key": self.keys[comment["storyID"]]},
            parent=parent and f"coral:{parent}",
            createdAt=created,
            **content,
        )

    def action(self, action: Json) -> None:
        user = self.users.get(action.get("userID") or "")
        if action["actionType"] != "REACTION":
            self.archive.left_out[f"actions {action['actionType']}"] += 1
        elif user and action["commentID"] in self.comments:
            target = {"comment": f"coral:{action['commentID']}"}
            self.archive.write("reaction", user=user, target=target, createdAt=when(action["createdAt"]))
        else:
            self.archive.left_out["reactions by unknown users or to unknown comments"] += 1


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--business", required=True, help="the business of the entities, as in the businesses file")
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    archive = Archive(given.names)
    converter = Converter(archive, given.business)
    for story in documents(given.folder, "stories"):
        converter.story(story)
    for user in documents(given.folder, "users"):
        converter.user(user)
    for user in documents(given.folder, "users"):
        converter.mutes(user)
    for comment in documents(given.folder, "comments", "archivedComments"):
        converter.comment(comment)
    for action in documents(given.folder, "commentActions", "archivedCommentActions"):
        converter.action(action)
    archive.finish()


if __name__ == "__main__":
    main()
