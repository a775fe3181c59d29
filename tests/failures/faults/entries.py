"""The values that mutations of the schema change, one entry for each: how to request a change, how the API shows the
value, and which row has it. `DRIVEN` says of each mutation of the schema where the users of the fault tests send it.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from domain import muted_words
from domain.labels import LabelVisibility
from domain.moderation.appeals import AppealStatus
from models import saved_queues
from models.hidden_posts import HIDDEN, LESS
from models.quotes import QuotePolicy
from settings import POSTS, TOPICS, USERS

Value = Any
"""A value of an entry. It is hashable."""


class Request(NamedTuple):
    """A mutation, its arguments and, if it is not the owner of the entry, who sends it."""

    mutation: str
    arguments: Mapping[str, Any]
    sender: str = ""


def _same(value: Value) -> Any:
    return value


def _leaf(node: Any, _: str) -> Any:
    """Returns the only leaf of a selection with one field on each level; None if something above it is null."""
    while isinstance(node, dict):
        (node,) = node.values()
    return node


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A value for each of some places, which are ids of objects, or names. The functions below get a place."""

    mutations: tuple[str, ...]
    request: Callable[[str, Value, str], Request]
    """Returns the request that asks for a value. The last parameter is the name of the request."""
    place: str = ""
    """Which objects are the places (`Objects` in changing.py); empty for one value of the owner alone."""
    owner: str = "user"
    """Who sends the requests, and reads the value."""
    values: Sequence[Value] = (None,)
    """The values that can be asked for. The first one is the value at the beginning."""
    asks: Callable[[Value], Sequence[Value]] | None = None
    """Returns what can be asked for after a value, if that is not every one of `values`."""
    after: Callable[[Value, Value], Value] = lambda _, asked: asked
    """Returns the value after a value and what was asked for."""
    reads: str = ""
    """The selection of the API that shows the value. `$id` is the place."""
    shown: Callable[[Any, str], Any] = _leaf
    """Returns what this selection shows of the value."""
    visible: Callable[[Value], Any] = _same
    """Returns what the API shows for a value."""
    row: str = ""
    """The SQL whose first column is the stored value, and whose second column, if there is one, is its version.
    Parameters: the number of the owner (`user`), the place, and the number in the place (`number`).
    """
    stored: Callable[[Any, str], Value] = lambda found, _: found
    """Returns the value of the first column."""
    once: str = ""
    """The SQL that returns those of the names of requests (`names`) that are stored, each as often as it is stored."""
    refusals: tuple[str, ...] = ()
    """The codes of refusals that may come when the change before is not stored yet."""
    is_own: bool = True
    """Whether the owner is shown a change at once. Other users are shown it when a worker has stored it."""
    in_journal: bool = True
    """Whether a failover of Postgres to a standby without the last commits loses no change."""


def _input(mutation: str, sender: str = "", **fields: Any) -> Request:
    return Request(mutation, {"input": fields}, sender)


def _switched(field: str, on: str, off: str) -> Callable[[str, Value, str], Request]:
    """Returns a function that requests one of two mutations, with the place in a field of the input."""
    return lambda place, value, _: _input(on if value else off, **{field: place})


def _until(marks: Sequence[tuple[bool, bool]], asked: tuple[str, int]) -> tuple[tuple[bool, bool], ...]:
    """Returns the marks of notifications, newest first, after one request: of each, whether it is read, and seen."""
    verb, place = asked
    touched = range(place, place + 1) if verb == "markNotificationRead" else range(place, len(marks))
    reads = verb != "markNotificationsSeen"
    return tuple((read or reads, True) if at in touched else (read, seen) for at, (read, seen) in enumerate(marks))


def _mark(place: str, asked: tuple[str, int], _: str) -> Request:
    verb, at = asked
    id_, cursor = place.split()[at].split("|")
    given = {"notificationId": id_} if verb == "markNotificationRead" else {"upTo": cursor}
    return Request(verb, {"input": given})


def _judge(place: str, asked: str, _: str) -> Request:
    if asked == "OPEN":
        return _input("appeal", targetId=place, text="please look again")
    return _input("decideAppeal", "judge", statementId=place, decision=asked, reason="looked again")


def _entity(place: str, asked: str, _: str) -> Request:
    if asked in ("removed", "erased"):
        return Request("removeEntities" if asked == "removed" else "eraseEntities", {"ids": [place]})
    _, business, key = place.split(":")
    return Request("registerEntities", {"entities": [{"business": business, "key": key, "title": f"{asked} {key}"}]})


def _among(found: Iterable[Mapping[str, Any]], of: Callable[[Any], bool]) -> Any:
    return next(filter(of, found), None)


MARKS = ("markNotificationsRead", "markNotificationsSeen", "markNotificationRead")
NOTIFICATIONS = 3
_STANDS = "SELECT stands, version FROM"
_MUTE = f"{_STANDS} thread_mutes WHERE user_id = :user AND entity_id = :number AND business_id ="
_TIME = "lpad((quiet_{0} / 60)::text, 2, '0') || ':' || lpad((quiet_{0} % 60)::text, 2, '0')"
_KINDS = {"LIKE": 1, "FOLLOW": 2}
_LABEL, _FIRST_OF_LABEL = "spoiler", 1003
"""A label of tests/support/labels.py, and the number of the preference that stands for the first choice about it."""
_LOGGED = "SELECT reason FROM moderation_log WHERE reason = ANY(:names)"
ENTRIES = [
    Entry(
        mutations=("setPostNotifications",),
        place="person",
        values=(False, True),
        request=lambda place, value, _: _input("setPostNotifications", userId=place, enabled=value),
        reads="node(id: $id) { ... on User { viewerGetsPostNotifications } }",
        row=f"{_STANDS} bells WHERE user_id = :user AND author_id = :number",
    ),
    Entry(
        mutations=("muteReposts", "unmuteReposts"),
        place="person",
        values=(False, True),
        request=_switched("userId", "muteReposts", "unmuteReposts"),
        reads="node(id: $id) { ... on User { viewerMutesReposts } }",
        row=f"{_MUTE} {USERS}",
    ),
    Entry(
        mutations=("muteThread", "unmuteThread"),
        place="post",
        values=(False, True),
        request=_switched("targetId", "muteThread", "unmuteThread"),
        reads="node(id: $id) { ... on Post { viewerMutesThread } }",
        row=f"{_MUTE} {POSTS}",
    ),
    Entry(
        mutations=("followTopic", "unfollowTopic"),
        place="topic",
        values=(False, True),
        request=_switched("topicId", "followTopic", "unfollowTopic"),
        reads="node(id: $id) { ... on Topic { viewerFollows followerCount } }",
        shown=lambda node, _: node and (node["viewerFollows"], node["followerCount"]),
        visible=lambda value: (value, int(value)),
        row=f"{_STANDS} content_follows WHERE user_id = :user AND business_id = {TOPICS} AND 'Topic:' || name = :place",
    ),
    Entry(
        mutations=("setTopicsInHome",),
        values=(False, True),
        request=lambda _, value, __: _input("setTopicsInHome", enabled=value),
        reads="viewer { topicsInHome }",
        row=f"{_STANDS} preferences WHERE user_id = :user AND preference = 1",
    ),
    Entry(
        mutations=("setDiscoverable",),
        values=(True, False),
        request=lambda _, value, __: _input("setDiscoverable", discoverable=value),
        reads="viewer { isDiscoverable }",
        row="SELECT NOT stands, version FROM preferences WHERE user_id = :user AND preference = 2",
    ),
    Entry(
        mutations=("hidePost", "showLess", "unhidePost"),
        place="post",
        values=(0, HIDDEN, LESS),
        request=lambda place, value, _: _input(
            {0: "unhidePost", HIDDEN: "hidePost"}.get(value, "showLess"), postId=place
        ),
        after=lambda now, asked: now if (now, asked) == (LESS, HIDDEN) else asked,
        reads="node(id: $id) { ... on Post { viewerHasHidden } }",
        visible=bool,
        row="SELECT state, version FROM hidden_posts WHERE user_id = :user AND post_id = :number",
    ),
    Entry(
        mutations=("muteWords", "unmuteWords"),
        place="word",
        values=(False, True),
        request=lambda place, value, _: (
            _input("muteWords", words=[{"text": place}]) if value else _input("unmuteWords", texts=[place])
        ),
        reads="viewer { mutedWords { text } }",
        shown=lambda node, place: {"text": place} in node["mutedWords"],
        row="SELECT words, version FROM muted_words WHERE user_id = :user",
        stored=lambda found, place: place in {word.text for word in muted_words.loads(found)},
    ),
    Entry(
        mutations=("setLabelPreferences",),
        values=(None, *(one.name for one in LabelVisibility)),
        request=lambda _, value, __: _input(
            "setLabelPreferences", preferences=[{"label": _LABEL, "visibility": value}]
        ),
        reads="viewer { labelPreferences { label { name } visibility } }",
        shown=lambda node, _: _among(node["labelPreferences"], lambda one: one["label"]["name"] == _LABEL)[
            "visibility"
        ],
        visible=lambda value: value or "WARN",
        row=f"""SELECT max(preference) FILTER (WHERE stands), max(version) FROM preferences
                WHERE user_id = :user AND preference BETWEEN {_FIRST_OF_LABEL} AND {_FIRST_OF_LABEL + 2}""",  # noqa: S608 - constants
        stored=lambda found, _: found and LabelVisibility(found - _FIRST_OF_LABEL).name,
    ),
    Entry(
        mutations=("setQuotePolicy",),
        values=tuple(one.name for one in QuotePolicy),
        request=lambda _, value, __: _input("setQuotePolicy", policy=value),
        reads="viewer { user { quotePolicy } }",
        row=f"""SELECT policy, version FROM comment_settings
                WHERE business_id = {USERS} AND key = CAST(CAST(:user AS bigint) AS text)""",  # noqa: S608 - constants
        stored=lambda found, _: QuotePolicy(found).name,
    ),
    Entry(
        mutations=MARKS,
        place="notifications",
        values=(((False, False),) * NOTIFICATIONS,),
        request=_mark,
        asks=lambda _: [(verb, at) for verb in MARKS for at in range(NOTIFICATIONS)],
        after=_until,
        reads="viewer { notifications { nodes { read isSeen } } }",
        shown=lambda node, _: tuple((one["read"], one["isSeen"]) for one in node["notifications"]["nodes"]),
        row="""SELECT array_agg(ARRAY[n.moment <= greatest(h.read_moment, n.read_moment),
                                      n.moment <= greatest(h.read_moment, h.seen_moment, n.read_moment)]
                                ORDER BY n.moment DESC)
               FROM notifications n JOIN notification_heads h USING (user_id) WHERE user_id = :user""",
        stored=lambda found, _: tuple(map(tuple, found)),
    ),
    Entry(
        mutations=("setLanguage",),
        values=(None, "de", "zh-Hans"),
        request=lambda _, value, __: _input("setLanguage", language=value),
        reads="viewer { language }",
        row="SELECT language FROM users WHERE user_id = :user",
        in_journal=False,
    ),
    Entry(
        mutations=("setNotificationPreferences",),
        place="kind",
        values=((True, False), (False, False), (True, True)),
        request=lambda place, value, _: _input(
            "setNotificationPreferences",
            preferences=[{"kind": place, "enabled": value[0], "onlyFollowed": value[1]}],
        ),
        reads="viewer { notificationPreferences { kind enabled onlyFollowed } }",
        shown=lambda node, place: tuple(
            _among(node["notificationPreferences"], lambda one: one["kind"] == place)[name]
            for name in ("enabled", "onlyFollowed")
        ),
        row="SELECT ARRAY[unwanted::text, only_followed::text] FROM notification_preferences WHERE user_id = :user",
        stored=lambda found, place: (f"{_KINDS[place]}" not in found[0], f"{_KINDS[place]}" in found[1]),
        in_journal=False,
    ),
    Entry(
        mutations=("setQuietHours",),
        values=(None, ("22:00", "07:00", "Asia/Shanghai"), ("00:30", "05:59", "Europe/Berlin")),
        request=lambda _, value, __: _input(
            "setQuietHours", quietHours=value and dict(zip(("from", "to", "timeZone"), value, strict=True))
        ),
        reads="viewer { quietHours { from to timeZone } }",
        shown=lambda node, _: node["quietHours"] and tuple(node["quietHours"].values()),
        row=f"""SELECT ARRAY[{_TIME.format("begin")}, {_TIME.format("end")}, quiet_zone] FROM notification_preferences
                WHERE user_id = :user AND quiet_zone IS NOT NULL""",  # noqa: S608 - constants
        stored=lambda found, _: tuple(found),
        in_journal=False,
    ),
    Entry(
        mutations=("updateProfile",),
        values=("", "I write", "I read"),
        request=lambda _, value, __: _input("updateProfile", bio=value),
        reads="viewer { user { bio } }",
        row="SELECT bio FROM users WHERE user_id = :user",
        in_journal=False,
    ),
    Entry(
        mutations=("exportUser",),
        values=(False, True),
        asks=lambda _: [True],
        request=lambda _, __, ___: _input("exportUser"),
        reads="viewer { export { requestedAt } }",
        shown=lambda node, _: node["export"] is not None,
        row="SELECT true FROM exports WHERE user_id = :user",
        in_journal=False,
    ),
    Entry(
        mutations=("publishPost",),
        place="post",
        request=lambda place, _, name: _input("publishPost", text=name, quoteOf=place),
        once="SELECT text FROM posts WHERE text = ANY(:names) AND quote_of IS NOT NULL",
    ),
    Entry(
        mutations=("notice",),
        place="judged",
        request=lambda place, _, name: _input(
            "notice", targetId=place, explanation=name, law="a law", unnamed=True, goodFaith=True
        ),
        once="SELECT explanation FROM notices WHERE explanation = ANY(:names)",
    ),
    Entry(
        mutations=("detachQuote",),
        owner="person",
        place="quote",
        values=(False, True),
        asks=lambda _: [True],
        request=lambda place, _, __: _input("detachQuote", postId=place),
        reads="node(id: $id) { ... on Post { quote { missing } } }",
        visible=lambda value: "REMOVED_BY_AUTHOR" if value else None,
        row="SELECT detached FROM posts WHERE post_id = :number",
    ),
    Entry(
        mutations=("appeal", "decideAppeal"),
        owner="person",
        place="statement",
        asks=lambda now: {None: ["OPEN"], "OPEN": ["GRANT", "DENY"]}.get(now, []),
        after=lambda _, asked: {"GRANT": "GRANTED", "DENY": "DENIED"}.get(asked, asked),
        request=_judge,
        reads="viewer { statements(first: 50) { nodes { id appeal { status } } } }",
        shown=lambda node, place: _leaf(
            (_among(node["statements"]["nodes"], lambda one: one["id"] == place) or {}).get("appeal"), place
        ),
        row="SELECT appeal_status FROM statements WHERE user_id = :user AND statement_id = :number",
        stored=lambda found, _: found if found is None else AppealStatus(found).name,
        is_own=False,
        refusals=("NOT_ALLOWED", "ALREADY_APPEALED", "TARGET_NOT_FOUND"),
    ),
    Entry(
        mutations=("setLabels",),
        owner="moderator",
        place="judged",
        values=((), ("spoiler",), ("disputed", "spoiler")),
        request=lambda place, value, name: _input("setLabels", targetId=place, labels=value, reason=name),
        reads="node(id: $id) { ... on Post { labels { name } } }",
        shown=lambda node, _: node and tuple(sorted(one["name"] for one in node["labels"])),
        row="SELECT moderator_labels, labels_version FROM posts WHERE post_id = :number",
        stored=lambda found, _: tuple(name for bit, name in ((4, "disputed"), (2, "spoiler")) if found & bit),
        once=_LOGGED,
        is_own=False,
    ),
    Entry(
        mutations=("saveQueue", "deleteSavedQueue"),
        owner="moderator",
        values=((), ("POST",), ("COMMENT",)),
        request=lambda _, value, __: (
            _input("saveQueue", name="queue", kind=value[0]) if value else _input("deleteSavedQueue", name="queue")
        ),
        reads="viewer { savedQueues { kind } }",
        shown=lambda node, _: tuple(one["kind"] for one in node["savedQueues"]),
        row="SELECT queues FROM saved_queues WHERE user_id = :user",
        stored=lambda found, _: tuple(one.kind for one in saved_queues.loads(found or "[]")),
        in_journal=False,
    ),
    Entry(
        mutations=("warnUser",),
        owner="moderator",
        place="person",
        request=lambda place, _, name: _input("warnUser", userId=place, reason=name),
        once=_LOGGED,
    ),
    Entry(
        mutations=("assign", "release"),
        owner="judge",
        place="judged",
        values=(False, True),
        request=_switched("targetId", "assign", "release"),
        row=f"SELECT assignee_id = :user FROM cases WHERE business_id = {POSTS} AND entity_id = :number",  # noqa: S608 - constants
        stored=lambda found, _: bool(found),
        refusals=("CASE_NOT_FOUND",),
        in_journal=False,
    ),
    Entry(
        mutations=("upsertUsers",),
        owner="service",
        place="handle",
        values=(None, "Anna", "Berta"),
        asks=lambda _: ["Anna", "Berta"],
        request=lambda place, value, _: Request(
            "upsertUsers", {"users": [{"externalId": place, "displayName": value}]}
        ),
        reads="user(handle: $id) { displayName }",
        shown=lambda node, place: None if _leaf(node, "") == place else _leaf(node, ""),
        row="SELECT display_name FROM users WHERE handle = :place",
        stored=lambda found, place: None if found == place else found,
        in_journal=False,
    ),
    Entry(
        mutations=("registerUsers",),
        owner="service",
        request=lambda _, __, name: Request("registerUsers", {"users": [{"externalId": name}]}),
        once="SELECT subject FROM identities WHERE subject = ANY(:names)",
        in_journal=False,
    ),
    Entry(
        mutations=("registerEntities", "removeEntities", "eraseEntities"),
        owner="service",
        place="entity",
        values=("first", "second", "removed", "erased"),
        asks=lambda now: (
            [] if now == "erased" else random.choices(("first", "second", "removed", "erased"), (5, 5, 4, 1))
        ),
        request=_entity,
        reads="node(id: $id) { ... on Entity { title } }",
        shown=lambda node, _: node and node["title"].split()[0],
        visible=lambda value: None if value in ("removed", "erased") else value,
        row="""SELECT CASE WHEN erased THEN 'erased' WHEN removed THEN 'removed' ELSE split_part(title, ' ', 1) END
               FROM entities WHERE 'Entity:video:' || key = :place""",
        in_journal=False,
    ),
    Entry(
        mutations=("importOperations",),
        owner="operator",
        request=lambda _, __, name: _input(
            "importOperations", operations=[{"id": name, "text": "query Imported { __typename }"}]
        ),
        once="SELECT id FROM persisted_operations WHERE id = ANY(:names)",
        in_journal=False,
    ),
    Entry(
        mutations=("importWordList",),
        owner="operator",
        values=("", "qqfirstqq", "qqsecondqq"),
        request=lambda _, value, __: _input("importWordList", text=value),
        reads="admin { wordList { text } }",
        shown=lambda node, _: node["wordList"]["text"] if node["wordList"]["text"].startswith("qq") else "",
        row="SELECT coalesce((SELECT words FROM word_lists ORDER BY revision DESC LIMIT 1), '')",
        in_journal=False,
    ),
]
"""The entries. Nobody else changes their values during the tests."""
_WHERE: Mapping[str, str] = {
    "like unlike dislike undislike": "load.py",
    "publishPost editPost deletePost addComment editComment deleteComment follow unfollow": "authors.py",
    "recordViews recordShares recordActions": "authors.py",
    "block unblock mute unmute removeFollower dismissSuggestion suspendUser reinstateUser": "pairs.py",
    "acceptFollow rejectFollow": "follow_requests.py",
    "report resolveReports moderate setTopicState": "moderating.py",
    "save unsave createCollection updateCollection deleteCollection followEntity unfollowEntity": "saving.py",
    "repost unrepost": "reposting.py",
    "react unreact": "reacting.py",
    "setCommentPolicy pinPost unpinPost pinComment unpinComment": "restricting.py",
    "deleteUser cancelDeletion": "deleting.py",
}
DRIVEN: Mapping[str, str] = {
    **{mutation: "entries.py" for entry in ENTRIES for mutation in entry.mutations},
    **{mutation: module for mutations, module in _WHERE.items() for mutation in mutations.split()},
}
"""The modules whose users send each mutation."""
NOT_DRIVEN: Mapping[str, str] = {
    **dict.fromkeys(
        ("withdrawOperations", "restoreOperations", "withdrawClientVersions", "restoreClientVersions"),
        "As importOperations, it writes to Postgres alone, in one transaction.",
    ),
    **dict.fromkeys(
        ("createWebhook", "deleteWebhook", "rotateWebhookSecret", "retryWebhook"),
        "As importOperations. A webhook that nobody listens to would disturb the checks of outgoing events.",
    ),
    "removeWords": "As importWordList: both add a revision, in one transaction.",
    "createUpload": "It stores nothing in Postgres or Redis: it signs a URL of a store of files, which no fault stops.",
}
"""The mutations that no user of the fault tests sends, and the reasons."""
