"""Checks that searches find what the rows say that they must find, and nothing else."""

import time
from asyncio import sleep
from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import text

from state import State
from store.content import search as index
from store.people import users
from tests.failures.faults.changing import Changing
from tests.failures.faults.deleting import Deleting
from tests.support.search import COMMENTS, ENTITIES, found
from tests.support.system import Api, Person
from tests.support.user_search import search

_SECONDS = 20
"""Seconds in which workers must index all changes."""
_SUBJECTS = 1
"""The number of posts whose comments are searched."""
_LEAVERS = 6
"""The number of users who may be deleted and are searched."""
_POSTS = text("SELECT text FROM posts WHERE author_id = :author AND status = 1 AND NOT deleted")
_COMMENTS = text("""
    SELECT text, subject_id, author_id FROM comment_contents
    WHERE author_id = ANY(:authors) AND status = 1 AND NOT deleted AND subject_business = 1
""")
_ENTITIES = text("SELECT 'Entity:video:' || key, removed FROM entities WHERE 'Entity:video:' || key = ANY(:ids)")
_HIDDEN = text("SELECT stands FROM preferences WHERE user_id = :user AND preference = 2")


async def search_violations(
    stores: State, api: Api, authors: Mapping[int, str], changing: Sequence[Changing], deleting: Sequence[Deleting]
) -> list[str]:
    """Returns a sentence for each search that finds something wrong. `authors` has the handles of users by number."""
    deadline = time.monotonic() + _SECONDS
    while await index.due(stores.postgres, 1) and time.monotonic() < deadline:
        await sleep(0.1)
    wrong = await _wrong_texts(stores, api.person(None), authors)
    for one in changing:
        wrong += await _wrong_changes(stores, api.person(one.clients["person"].handle), one)
    for group in deleting:
        wrong += await _wrong_leavers(stores, api.person(group.friend.handle), group)
    return wrong


def _compared(what: str, seen: Iterable[str], stored: Iterable[str]) -> list[str]:
    difference = sorted({*seen} ^ {*stored})
    return [f"the search for {what} finds or lacks wrongly: {difference}"] if difference else []


async def _wrong_texts(stores: State, reader: Person, authors: Mapping[int, str]) -> list[str]:
    """Searches for the posts of authors, and for their comments on some posts."""
    wrong, read = list[str](), stores.postgres.read
    comments = await read(_COMMENTS, authors=[*authors])
    subjects = sorted({row.subject_id for row in comments})[:_SUBJECTS]
    for author, handle in authors.items():
        posts = [row.text for row in await read(_POSTS, author=author)]
        wrong += _compared(f"posts from {handle}", await found(reader, f"from:{handle}", first=100), posts)
        for subject in subjects:
            seen = await found(reader, f"from:{handle}", document=COMMENTS, subject=f"Post:{subject}", first=100)
            own = [row.text for row in comments if (row.author_id, row.subject_id) == (author, subject)]
            wrong += _compared(f"comments from {handle}", seen, own)
    return wrong


async def _wrong_leavers(stores: State, reader: Person, group: Deleting) -> list[str]:
    wrong = []
    rows = await users.by_id(stores.postgres, [leaver.user_id for leaver in group.leavers])
    for leaver in group.leavers[:_LEAVERS]:
        handle, row = leaver.client.handle, rows[leaver.user_id]
        expected = [handle] if row.handle == handle and not row.is_hidden(0) else []
        wrong += _compared(f"the user {handle}", await _users(reader, handle), expected)
    return wrong


async def _users(reader: Person, handle: str) -> list[str]:
    return [one for one in await search(reader, handle) if one == handle]


async def _wrong_changes(stores: State, reader: Person, one: Changing) -> list[str]:
    """Compares searches with the rows of a user who may not be found, and of entities that may be removed."""
    wrong, read = list[str](), stores.postgres.read
    handle, user = one.clients["user"].handle, one.numbers["user"]
    rows = await read(_HIDDEN, user=user)
    is_hidden = bool(rows) and rows[0].stands
    if bool(await _users(reader, handle)) is is_hidden or bool(await found(reader, f"from:{handle}")) is is_hidden:
        wrong.append(f"a search finds {handle} or posts: {not is_hidden} is expected")
    for id_, is_removed in await read(_ENTITIES, ids=[place for _, place in one.values]):
        key = id_.rpartition(":")[2]
        seen = await found(reader, f'"{key}"', document=ENTITIES, business="video")
        if bool(seen) is is_removed:
            wrong.append(f"a search for {id_} finds {seen}, and it is removed: {is_removed}")
    return wrong
