"""The converters of docs/operate/converters read real formats, and write archives that are imported as they are."""

import gzip
import json
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from tests.archive.archives import Record, load, shown
from tests.support.reconciliation import drift
from tests.support.system import System

ROOT = Path(__file__).parents[2]
EXPORTS = Path(__file__).parent / "exports"
MASTODON = EXPORTS / "mastodon"
CORAL = EXPORTS / "coral"
LOAF = "Entity:article:loaf"
PROFILE = """query ($h: String!) { user(handle: $h) { id handle displayName bio createdAt following { nodes { handle } }
  posts { nodes { id text createdAt editedAt topics { name } images { url alt } } } } }"""
ENTITY = """query ($key: String!) { entity(business: "article", key: $key) {
  id title url commentsClosed custom commentCount } }"""
ISSO = """
    CREATE TABLE preferences (key VARCHAR PRIMARY KEY, value VARCHAR);
    CREATE TABLE threads (id INTEGER PRIMARY KEY, uri VARCHAR(256) UNIQUE, title VARCHAR(256));
    CREATE TABLE comments (tid REFERENCES threads(id), id INTEGER PRIMARY KEY, parent INTEGER, created FLOAT NOT NULL,
      modified FLOAT, mode INTEGER, remote_addr VARCHAR, text VARCHAR, author VARCHAR, email VARCHAR, website VARCHAR,
      likes INTEGER DEFAULT 0, dislikes INTEGER DEFAULT 0, voters BLOB NOT NULL,
      notification INTEGER NOT NULL DEFAULT 0);
    INSERT INTO threads VALUES (1, '/2019/loaf/', 'My first loaf'), (2, '/2019-loaf', NULL);
    INSERT INTO comments VALUES
      (1, 1, NULL, 1551510528.5, 1551510600.0, 1, '192.0.2.0', 'It looks *great*.', 'Ann', 'ann@example.com',
       'https://ann.example.com', 2, 1, x'00', 0),
      (1, 2, 1, 1551513600.0, NULL, 1, '192.0.2.0', 'Thank you!', 'Bob', 'bob@example.com', NULL, 0, 0, x'00', 0),
      (1, 3, NULL, 1551600000.0, NULL, 4, '192.0.2.0', '', NULL, 'eve@example.com', NULL, 0, 0, x'00', 0),
      (1, 4, 3, 1551600100.0, NULL, 1, '192.0.2.0', 'I disagree.', 'Ann', 'ANN@example.com', NULL, 0, 0, x'00', 0),
      (1, 5, NULL, 1551600200.0, NULL, 2, '192.0.2.0', 'Wait for me', NULL, NULL, NULL, 0, 0, x'00', 0),
      (2, 6, NULL, 1551600300.0, NULL, 1, '192.0.2.0', 'Another page', NULL, NULL, NULL, 0, 0, x'00', 0);
"""


def converted(name: str, *words: object) -> tuple[list[Record], list[str]]:
    """Runs a converter. Returns its records, which are valid by their schemas, and what it left out."""
    program = ROOT / "docs" / "operate" / "converters" / f"{name}.py"
    done = subprocess.run([sys.executable, program, *map(str, words)], capture_output=True, text=True, check=True)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    for record in records:
        schema = ROOT / "docs" / "schemas" / f"{record['kind']}.v1.json"
        Draft202012Validator(json.loads(schema.read_text())).validate(record)
    return records, [line.removeprefix("left out: ") for line in done.stderr.splitlines()]


async def imported(system: System, folder: Path, records: list[Record]) -> None:
    """Imports an archive. Neither the check nor the import may find anything wrong."""
    assert (await load(system, folder, *records, check=True)).rejects == []
    assert (await load(system, folder, *records)).rejects == []
    assert await drift(system) == {}


async def threads(system: System, subject: str) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Returns the comments on a subject, oldest first, each with text, time and replies. A deleted one has no text."""
    reader = system.person("reader")

    async def lines(of: str, sort: str | None) -> list[Any]:
        return [(one, one["text"] or "", one["createdAt"]) for one in await shown(reader, of, sort)]

    roots = await lines(subject, "OLDEST")
    return [(text, at, [(t, a) for _, t, a in await lines(one["id"], None)]) for one, text, at in roots]


async def profile(system: System, handle: str) -> Any:
    return (await system.person("reader").ask(PROFILE, h=handle))["user"]


async def entity(system: System, key: str) -> Any:
    return (await system.person("reader").ask(ENTITY, key=key))["entity"]


async def test_an_export_of_disqus_is_imported(system: System, tmp_path: Path) -> None:
    names = tmp_path / "names.csv"
    names.write_text("disqus:annmartin,auth0|65f1\nhttps://blog.example.com/2019/rye/,rye-1\n")
    records, left_out = converted("disqus", "--business", "article", "--names", names, EXPORTS / "disqus.xml")

    await imported(system, tmp_path, records)

    assert left_out == ["2 texts and authors of deleted or empty posts"]
    flour = "It looks great.\n\nWhich flour?\nSee https://example.com/flour/type-550"
    assert await threads(system, LOAF) == [
        (flour, "2019-03-02T07:08:48.000Z", [("Type 550!", "2019-03-02T08:00:00.000Z")]),
        ("", "2019-03-03T09:00:00.000Z", [("I disagree.", "2019-03-03T09:30:00.000Z")]),
    ]
    loaf, rye = [await entity(system, key) for key in ("loaf", "rye-1")]
    assert (loaf["title"], loaf["url"]) == ("My first loaf & more", "https://blog.example.com/2019/loaf/")
    assert loaf["custom"] == {"forum": "bakery", "category": "Bread"}
    assert (rye["commentsClosed"], rye["commentCount"]) == (True, 0)
    assert [user["createdAt"] for user in [await profile(system, name) for name in ("annmartin", "bob.baker")]] == [
        "2019-03-02T07:08:48.000Z",
        "2019-03-02T08:00:00.000Z",
    ]
    ann = await profile(system, "annmartin")
    assert await system.person("auth0|65f1").id() == ann["id"]


async def test_a_post_that_disqus_deletes_later_is_deleted_by_a_later_import(system: System, tmp_path: Path) -> None:
    first = (EXPORTS / "disqus.xml").read_text()
    ours = first.index('<post dsq:id="5492538735">')
    later = tmp_path / "later.xml.gz"
    later.write_bytes(gzip.compress((first[:ours] + first[ours:].replace(">false<", ">true<", 1)).encode()))

    for export in (EXPORTS / "disqus.xml", later):
        await imported(system, tmp_path, converted("disqus", "--business", "article", export)[0])

    assert [len(replies) for _, _, replies in await threads(system, LOAF)] == [0, 1]


async def test_a_database_of_isso_is_imported(system: System, tmp_path: Path) -> None:
    file = tmp_path / "comments.db"
    with closing(sqlite3.connect(file)) as database:
        database.executescript(ISSO)
    records, left_out = converted("isso", "--business", "article", "--site", "https://blog.example.com/", file)

    await imported(system, tmp_path, records)

    assert left_out == ["3 votes", "1 websites of authors"]
    assert await threads(system, "Entity:article:2019-loaf") == [
        ("It looks *great*.", "2019-03-02T07:08:48.500Z", [("Thank you!", "2019-03-02T08:00:00.000Z")]),
        ("", "2019-03-03T08:00:00.000Z", [("I disagree.", "2019-03-03T08:01:40.000Z")]),
    ]
    assert (await entity(system, "2019-loaf"))["url"] == "https://blog.example.com/2019/loaf/"
    (other,) = [one["key"] for one in records if one["kind"] == "entity" and one["key"] != "2019-loaf"]
    assert [text for text, _, _ in await threads(system, f"Entity:article:{other}")] == ["Another page"]
    assert len([one for one in records if one["kind"] == "user"]) == 4, "Ann has one account"
    assert not any("@" in json.dumps(one) for one in records)
    waiting = "{ moderationQueue(first: 9) { nodes { ... on Comment { text } } } }"
    queue = (await system.person("mia", "moderate").ask(waiting))["moderationQueue"]["nodes"]
    assert queue == [{"text": "Wait for me"}]


async def test_an_export_of_coral_is_imported(system: System, tmp_path: Path) -> None:
    records, left_out = converted("coral", "--business", "article", CORAL)

    await imported(system, tmp_path, records)

    assert left_out == [
        "1 actions DONT_AGREE",
        "2 actions FLAG",
        "1 avatars",
        "1 comments on stories that are not in the export",
        "1 deleted users",
        "1 reactions by unknown users or to unknown comments",
        "1 tags of comments",
        "1 texts of deleted or empty comments",
    ]
    subject, flour = "Entity:article:bakery-loaf", "See https://example.com/flour/type-550"
    gif = "https://media.giphy.com/media/abc/giphy.gif"
    assert await threads(system, subject) == [
        (
            f"It looks great.\n\nWhich flour?\n{flour}",
            "2019-03-02T07:08:48.500Z",
            [("Type 550!", "2019-03-02T08:00:00.000Z")],
        ),
        ("", "2019-03-03T08:00:00.000Z", [(f"I disagree.\n\n{gif}", "2019-03-03T09:30:00.000Z")]),
    ]
    great = (await shown(system.person("reader"), subject, "OLDEST"))[0]
    assert (great["likeCount"], great["editedAt"]) == (2, "2019-03-02T07:10:00.000Z")
    loaf, rye = [await entity(system, key) for key in ("bakery-loaf", "2019-rye")]
    assert (loaf["title"], loaf["custom"]) == ("My first loaf & more", {"section": "Bread"})
    assert (loaf["commentsClosed"], rye["commentsClosed"]) == (False, True)
    ann, bob = [await profile(system, name) for name in ("annmartin", "bob.baker")]
    assert (ann["bio"], ann["createdAt"]) == ("Bread & trains", "2018-11-05T06:07:08.901Z")
    assert await system.person("65f1c0ffee").id() == bob["id"], "the id of single sign-on is kept"
    assert await system.rows("SELECT handle, suspended, suspension_reason FROM users WHERE suspended > 0") == [
        ("eve", 1, "Spam")
    ]
    assert len(await system.rows("SELECT 1 FROM mutes")) == 1
    statuses = await system.rows("SELECT text, status FROM comment_contents WHERE status <> 1 ORDER BY text")
    assert [text for text, _ in statuses] == ["Cheap watches", "Wait for me"]
    assert not any("@example.com" in json.dumps(one) for one in records)


def test_coral_exports_in_the_canonical_format_and_archived_collections_give_the_same_records(tmp_path: Path) -> None:
    dates = re.compile(r'"\$date":"([^"]+)"')

    def canonical(found: re.Match[str]) -> str:
        return f'"$date":{{"$numberLong":"{round(datetime.fromisoformat(found[1]).timestamp() * 1000)}"}}'

    for file in CORAL.iterdir():
        (tmp_path / file.name).write_text(dates.sub(canonical, file.read_text()))
    lines = (tmp_path / "comments.json").read_text().splitlines(keepends=True)
    (tmp_path / "comments.json").write_text("".join(lines[:3]))
    (tmp_path / "archivedComments.json").write_text("".join(lines[3:]))

    assert converted("coral", "--business", "article", tmp_path) == converted("coral", "--business", "article", CORAL)


async def test_archives_of_mastodon_are_imported(system: System, tmp_path: Path) -> None:
    images = ["--images", "https://images.example.com/"]
    records, left_out = converted("mastodon", *images, MASTODON / "ann", MASTODON / "bob")

    await imported(system, tmp_path, records)

    assert left_out == [
        "1 avatars",
        "1 boosts",
        "1 follows of accounts that are in no archive",
        "1 likes",
        "2 posts for followers and direct messages",
        "1 replies to posts that are in no archive",
    ]
    ann, bob = [await profile(system, name) for name in ("ann", "bob")]
    assert (ann["displayName"], ann["bio"], ann["createdAt"]) == (
        "Ann Martin",
        "Bread & trains",
        "2019-05-02T00:00:00.000Z",
    )
    assert [one["following"]["nodes"] for one in (ann, bob)] == [[{"handle": "bob"}], [{"handle": "ann"}]]
    poll, loaf = ann["posts"]["nodes"]
    assert poll["text"] == "a poll\n\nWhich one?\n\n- rye\n- wheat"
    assert loaf["text"] == "My first loaf! #Bread\n\nhttps://example.com/a-long-address"
    assert (loaf["createdAt"], loaf["editedAt"]) == ("2021-06-01T10:00:00.000Z", "2021-06-01T10:01:00.000Z")
    assert [topic["name"] for topic in loaf["topics"]] == ["bread"]
    assert [image["alt"] for image in loaf["images"]] == ["A loaf"]
    assert "/media_attachments/files/109/loaf.png" in loaf["images"][0]["url"]
    replies = [("@bob Thank you!", "2021-06-01T10:10:00.000Z")]
    assert await threads(system, loaf["id"]) == [("It looks great.", "2021-06-01T10:05:00.000Z", replies)]


def test_follows_of_accounts_that_get_a_new_id_are_kept(tmp_path: Path) -> None:
    names = tmp_path / "names.csv"
    names.write_text("mastodon:eve@other.example,eve\nmastodon:ann@example.social,auth0|65f1\n")

    records, left_out = converted("mastodon", "--names", names, MASTODON / "ann")

    assert [(one["follower"], one["followee"]) for one in records if one["kind"] == "follow"] == [("auth0|65f1", "eve")]
    assert "1 follows of accounts that are in no archive" in left_out, "Bob's archive is missing"
