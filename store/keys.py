"""The Redis keys. Only this module builds them, except the key of the check `write_refusal` (store/redis/probes.py).

In the tables, `<actor>` is the id of a user or anonymous device, and `<biz>` the number of a business: a line of
content, such as videos. A moment is a time that orders the items of a list. An arrow leads from a member to its score,
or from a field to its value. The score of the member '0' is the floor: the set is complete for all scores above it.

State (never evicted, appended to disk). The hash tag `{p}` is the actor's partition, so one script can use all keys of an actor:

| key                     | type   | holds                                         | life           | cap        | written by            | read by          |
|-------------------------|--------|-----------------------------------------------|----------------|------------|-----------------------|------------------|
| {p}:journal             | stream | changes acknowledged, oldest first            | until swept    | a setting  | actor scripts         | workers          |
| {p}:generation          | string | the generation that the journal is open for   | for ever       |            | open_journals                  | actor scripts, workers |
| {p}:own:react:<actor>:<biz> | zset   | entity → moment, negative: dislike; '0' → floor | 30 d idle    | 1000 + 10% | change_own_set, fill_own_sets | own_sets |
| {p}:own:save:<actor>        | zset   | biz:id of a saved target → moment; '0' → floor | 30 d idle     | 1000 + 10% | change_own_set, fill_own_sets | own_sets |
| {p}:own:repost:<actor>      | zset   | reposted post → moment; '0' → floor           | 30 d idle      | 1000 + 10% | change_own_set, fill_own_sets | own_sets |
| {p}:own:collection:<actor>  | zset   | id → moment; '0' once complete                | 7 d idle       | a setting  | change_own_set, fill_own_sets | own_sets |
| {p}:own:follow:<actor>      | zset   | followee → moment, negative: asked; '0' once complete | 7 d idle       | a setting  | change_own_set, receive, fill_own_sets | own_sets |
| {p}:own:bell:<actor>        | zset   | author → moment; '0' once complete            | 7 d idle       | a setting  | change_own_set, fill_own_sets | own_sets |
| {p}:own:block:<actor>       | zset   | blocked user → moment; '0' once complete      | 7 d idle       | a setting  | change_own_set, fill_own_sets | own_sets, boundaries |
| {p}:own:mute:<actor>        | zset   | muted user → moment; '0' once complete        | 7 d idle       | a setting  | change_own_set, fill_own_sets | own_sets, boundaries |
| {p}:own:thread:<actor>      | zset   | biz:id of a muted post, entity or root comment → moment; '0' once complete | 7 d idle | a setting | change_own_set, fill_own_sets | own_sets, boundaries |
| {p}:own:content_follow:<actor> | zset | biz:id of a followed topic or entity → moment; '0' once complete | 7 d idle | a setting | change_own_set, fill_own_sets | own_sets, boundaries |
| {p}:own:preference:<actor>  | zset   | number of a preference that is on → moment; '0' once complete | 7 d idle | 191 | change_own_set, fill_own_sets | own_sets, boundaries |
| {p}:own:hidden_post:<actor> | zset | hidden post → moment, negative: less like it; '0' once complete | 7 d idle | a setting | change_own_set, fill_own_sets | own_sets, boundaries |
| {p}:own:muted_words:<actor> | zset | 1, if the actor has muted words → moment; '0' once complete | 7 d idle | 1 | change_own_set, fill_own_sets | own_sets, boundaries |
| {p}:states:<kind>:<actor> | hash | member of the actor's own set of this kind → its state, if that is above 2: the collection of a save, the ms at which a mute ends; of a collection '0 name', or '1 name' if others may see it; of a followed topic '# name'; of muted words '# ' and their JSON | as the set | as the set | change_own_set, fill_own_sets | own_sets, boundaries |
| {p}:states:react:<actor>:<biz> | hash | object → its kinds of reactions (models/likes.py), of a business that has kinds | as the set | as the set | change_own_set, fill_own_sets | own_sets |
| {p}:own:blocker:<actor>     | zset   | user who blocks the actor → moment; negative: no longer; '0' if complete | 7 d idle | 2000, and those of the last hour | receive, fill_own_sets | boundaries, own_sets |
| {p}:pending:<actor>     | hash   | field → base, (journal id = state)…           | until swept  | 64 changes a field; a sum: any | actor scripts, sweep | pending, scripts |
| {p}:pending:<actor>:follows | hash | the same for follows                        | until swept    | 64 a field | change_own_set, receive, sweep | pending, scripts |
| {p}:pending:<actor>:boundaries | hash | the same for blocks, mutes, muted threads, preferences, hidden posts and muted words | until swept    | 64 a field | change_own_set, sweep | scripts |
| {p}:boundaries:<actor>  | string | the stamp of the sets that boundaries.lua reads, which changes with each of their changes | 7 d idle | | change_own_set, receive, fill_own_sets | boundaries |
| {p}:patches:<actor>     | hash   | biz:id:journal id → the actor's change of a post or comment | until swept | 64 | write, sweep     | patches          |
| {p}:seen:<actor>        | hash   | begins as Mark.pending → what the user marks  | until swept    | 64         | write, sweep          | notifications    |
| {p}:idem:<actor>:<hash> | string | fingerprint and outcome of one operation      | 24 h, 1 h without a token, or 60 s | 1000 an hour that live longer | actor scripts, conclude | actor scripts    |
| {p}:records:<actor>     | string | how many idempotency records an actor, or the anonymous devices of a network, made in an hour | 1 h | | actor scripts, conclude | actor scripts, conclude |
| {p}:viewed:<actor>:<h>  | set    | business:entity viewed in hour h              | 2 h            | 10 000     | count_actions         | count_actions    |
| {p}:viewed:<actor>:<h>:<kind> | set | business:entity with an action in hour h, of a counter of kind that counts once per hour | 2 h | 10 000 | count_actions | count_actions |
| {p}:added:<network>:<h> | hash   | kind:business:entity, and kind:all → what the anonymous devices of a network have added in hour h | 2 h | a setting | count_actions | count_actions |
| {promoting}             | string | JSON of the promotion of a site that began last: its term before, and what it had (store/promotion.py) | for ever | | SET | promotion |
| {cache_log}             | stream | changes of cached values, which another site repeats (store/cache/log.py) | 15 s | | CacheLog | relays |

Cache (may be evicted; a missing key means not cached, never zero). The hash tag is the value's own name, so its lease is in the
same slot:

| key                     | type   | holds                                         | life           | cap        | written by            | read by          |
|-------------------------|--------|-----------------------------------------------|----------------|------------|-----------------------|------------------|
| {counts:<biz>:<id>}     | string | version, JSON of every kind's counter         | 7 d, renewed   |            | publish, fill         | counts           |
| {entity:<biz>:<key>}    | string | version, JSON of the entity (null: none)      | 1 d            |            | fill                  | entities         |
| {entity#:<biz>:<id>}    | string | version, JSON of the entity, by internal id   | 1 d            |            | fill                  | entities         |
| {user:<id>}             | string | version, JSON of the profile                  | 7 d            |            | fill                  | users            |
| {post:<id>}             | string | version, JSON of the post (null: none)        | 1 d            |            | publish, fill         | posts            |
| {comment:<id>}          | string | version, JSON of the comment (null: none)     | 1 d            |            | publish, fill         | comments         |
| {comment_settings:<biz>:<key>} | string | version, JSON of the settings of comments on a post (its id) or an entity (its key) | 1 d | | publish, fill | comment_settings |
| {pinned_posts:<user>}   | string | version, JSON of the ids of the posts that a user has pinned | 1 d | 3 | publish, fill | pinned_posts |
| {comments:<biz>:<id>}   | zset   | root comment → moment, as likers              | 1 d            | a setting  | *_list                | comments         |
| {oldest:<biz>:<id>}     | zset   | root comment → mirrored moment: the oldest    | 1 d            | a setting  | *_list                | comments         |
| {replies:<comment>}     | zset   | reply → mirrored moment: the oldest           | 1 d            | a setting  | *_list                | comments         |
| {hot_comments:<biz>:<id>} | zset | root comment → how hot (domain/ranking.py); '0' floor | 10 min        | a setting  | publish_scores, fill_list, extend_list | comments |
| {hidden:<author>}       | string | version 0, JSON of the author's newest hidden comments and their lists | 1 d | 64 | fill; voided by workers | comments |
| {snapshot:<token>}:<mark> | string | ids of a subject's hottest comments, 8 bytes each, as they were when page two was first read; the token is a digest of page one, the mark a digest of the ids | 21 min, renewed | a setting + 164 | pin_snapshot | comments |
| {snapshot:<token>}      | zset   | snapshot → ms; readings that began until then use it | 21 min | one for each change of the list in that time | pin_snapshot | comments |
| {pinned:<reader>}       | zset   | snapshots and their indexes → ms at which they were last pinned; reader 0 stands for all anonymous readers | 21 min | 2 · 16; 2 · 10,000 of reader 0 | ZADD | comments |
| {topic:<key>}           | string | version, name of the topic, or null           | 1 d            |            | publish, fill         | topics           |
| {trends:<window>}       | string | version 0, JSON of the topics of a trend: name, authors, score, whether held | 60 s or 5 min | 1000 | fill; dropped by workers | trends |
| {typed:<prefix>}        | string | version 0, JSON of the topics that begin with a text: name, whether held | 60 s | 40 | fill; dropped by workers | topics |
| {outbox:<author>}       | zset   | post → moment, as likers; public posts        | 1 d            | a setting  | *_list                | timelines        |
| {own:<author>}          | zset   | post → moment, as likers; all but deleted ones| 1 d            | a setting  | *_list                | timelines        |
| {inbox:<user>}          | zset   | post → moment, as likers: of followed users; '-1' if they have reposts | 7 d after the last visit | 800 + 10% | push, merge, *_list | home |
| {reposts:<user>}        | zset   | repost by a followed user → moment, as likers | 7 d after the last visit | 400 + 10% | push, merge, *_list | home |
| {reposted:<user>}       | zset   | repost by the user → moment, as likers        | 1 d            | 400 + 10%  | *_list                | home             |
| {reposters:<post>}      | zset   | user → moment, as likers                      | 1 d            | 200 + 10%  | publish_list, fill_list | reposts        |
| {pulled}                | zset   | author → moment of the newest post that is not pushed; minus the user → the same of reposts | 1 d  | 10 000     | *_list                | home             |
| {quotes:<post>}         | zset   | post that quotes the post → moment, as likers | 1 d            | a setting  | *_list                | timelines        |
| {square}                | zset   | post → moment, as likers                      | 1 d            | a setting  | *_list                | timelines        |
| {about:<biz>:<id>}      | zset   | post that refers to the entity → moment, as likers | 1 d       | a setting  | *_list                | timelines        |
| {under:<topic>}         | zset   | post → moment, as likers                      | 1 d            | a setting  | *_list                | timelines        |
| {hot:<topic>}           | zset   | post → how hot (domain/ranking.py); '0' floor; topic 0 is the square | 10 min | a setting | publish_scores, fill_list, extend_list | hot |
| {board:<biz>:<day>}     | zset   | entity → its likes of the day and a tie-break; '0' floor | 10 min | 500 + 10% | publish_scores, fill_list | leaderboards |
| {board:<biz>:week}, …:all | zset | as above, for seven days and for all time     | 30 s           | 500        | fill_list             | leaderboards     |
| {board:<biz>:<window>:<kind>} | zset | as above, for one kind of reaction; window: a day, `week` or `all` | 30 s | 500   | fill_list             | leaderboards     |
| {recommended:<user>}    | list   | JSON of the recommended posts and the reasons, pinned when page one was read | 10 min | 4, of 200 posts | LPUSH | recommended |
| {found:<search>:<token>} | string | ids that a search has found, best first, 8 bytes each, as they were in the second that the token counts; stored if they fill more than one page | 10 min | 1000 | SET NX | search |
| {suggested:<user>}      | string | JSON of the users who are suggested, the reasons and the time; empty: not computed yet | 7 d after the last visit | 60 | GETEX, SET | suggestions |
| {suggestions_due}       | zset   | user whose suggestions must be computed → ms from which on | for ever | 100 000 | ZADD, ZREM | suggestions |
| {notified:<user>}       | string | version, JSON of the newest 50, and how many are unread | 1 d  |            | publish, fill         | notifications    |
| {handle:<handle>}       | string | version, user id                              | 1 d            |            | fill                  | users            |
| {identity:<hash>}       | string | version, user id of a token's subject         | 7 d            |            | fill                  | users            |
| {likers:<biz>:<id>}     | zset   | user → moment, negative when gone; '0' floor  | 1 d            | 200 + 10%  | publish_list, fill_list | likers         |
| {reactors:<biz>:<id>:<kind>} | zset | user → moment, as likers; users who gave a kind of reaction | 1 d | as likers | *_list      | likers           |
| {followers:<id>}        | zset   | follower → moment, as likers                  | 1 d            | a setting  | *_list                | follows          |
| {friends:<id>}          | zset   | friend → moment, as likers                    | 1 d            | a setting  | *_list                | follows          |
| {follow_requests:<id>}  | zset   | requester → moment, as likers                 | 1 d            | a setting  | *_list                | follows          |
| {followed_by:<id>}      | zset   | looked-up user → moment since which they follow <id>; negative: they do not | 1 d | 5000 | *_marks  | follows          |
| {budget:<name>:<whose>} | string | points left, and the ms at which they were counted | till full |         | spend_budget          | budgets          |
| {relayed}               | string | at a reading site: id, position and servers of the entry of {cache_log} that was repeated last | for ever | | relays | relays |
| {relaying}              | string | at a reading site: name of the one relay that works | 3 s after its last step | | relays | relays |
| {drained}               | string | 1 while `plaudit site drain` holds: load balancers send this site no clients | for ever | | SET, DEL | site |
| {apq:<slot>}            | string | text of the last registered query whose hash falls into the slot | 7 d idle, a setting | a setting | SET | persisted |
| <any of these>:lease    | string | token of the process that may fill it         | 10 s           |            | SET NX, fence         | fill, publish    |

From the second generation on, all keys have the prefix `g<generation>`, except journals, their generations, `idem`, `records`, `viewed`, `added`,
`promoting`, `cache_log`, `relayed`, `relaying`, `drained`, `budget` and `apq`. Keys of earlier generations are not used (ADR 23), and are removed.

Channels (Redis stores no messages; they are sharded on a cluster):

| channel                 | meaning of its empty messages                          | published by          | subscribers      |
|-------------------------|--------------------------------------------------------|-----------------------|------------------|
| {counts:<biz>:<id>}:changed | the counters have changed; of a user: the notifications have changed | workers, after publish | events |
| {inbox:<user>}, {own:<user>}, {pulled}, and other lists of posts | the list of this key has changed | publish_list | events |
"""  # noqa: E501 - a table is read by its columns

import re
import zlib
from collections.abc import Callable
from functools import lru_cache

from domain.digests import digest
from models.counters import CounterKind, EntityRef
from models.devices import network_of
from settings import FIRST_REACTION, LAST_REACTION, USERS

_OF_GENERATION = re.compile(
    rb"(?:g(\d+))?\{(?:\d+\}:(?:own|states|pending|patches|seen|boundaries):"
    rb"|(?:about|board|comment|comment_settings|comments|counts|entity#?|follow_requests|followed_by"
    rb"|followers|found|friends|handle|hidden|hot|hot_comments|identity|inbox|likers|notified|oldest"
    rb"|outbox|own|pinned|pinned_posts|post|quotes|reactors|recommended|replies|reposted|reposters"
    rb"|reposts|snapshot|suggested|topic|trends|typed|under|user):"
    rb"|(?:pulled|square|suggestions_due)\})"
)


_PENDING = {"follow": ":follows"} | dict.fromkeys(
    ("block", "mute", "thread", "preference", "hidden_post", "muted_words", "blocker"), ":boundaries"
)
"""By kind of own set (a user's follows, blocks and so on): the ending of the key of its pending changes. The changes of
all other kinds share a key without an ending.
"""
_MOST_KEPT = 10_000
"""The most actors, and the most own sets, whose keys a process keeps in memory."""


class Key(str):
    """A Redis key that is valid in one generation only: the period between two changes of the write mode. The Redis
    client puts the prefix of the current generation before the key.
    """

    __slots__ = ()


class Keys:
    """Builds the keys of the state Redis, which has the journals and the data of each actor. `partitions` is the number
    of journals of the deployment.
    """

    def __init__(self, partitions: int) -> None:
        self.partitions = partitions
        self.partition_of: Callable[[int], int] = lru_cache(_MOST_KEPT)(self._partition_of)
        """Returns the number of the partition, and so of the journal, for an actor's changes. It never changes, so that
        the changes of an actor stay in order.

        Anonymous devices of one network share a journal, so that one script can count what they add together.
        """
        self.of_scripts: Callable[[int], tuple[str, str, str]] = lru_cache(_MOST_KEPT)(self._of_scripts)
        """Returns the three keys that every script that writes for an actor needs: the actor's journal, the count of
        the actor's idempotency records, and the journal's generation.
        """
        self.of_own_set: Callable[[str, int, int | None], tuple[Key, Key, Key]] = lru_cache(_MOST_KEPT)(
            self._of_own_set
        )
        """Returns three keys for one of an actor's own sets: the key of the set (`own_set`), of the states of its
        members (`own_states`), and of the hash that has its pending changes (`pending`).
        """

    def _partition_of(self, actor_id: int) -> int:
        network = network_of(actor_id)
        return zlib.crc32(b"%d" % (actor_id if network is None else ~network)) % self.partitions

    def journal(self, partition: int) -> str:
        return f"{{{partition}}}:journal"

    def generation(self, partition: int) -> str:
        return f"{{{partition}}}:generation"

    def _of_scripts(self, actor_id: int) -> tuple[str, str, str]:
        p = self.partition_of(actor_id)
        return self.journal(p), self.records(actor_id), self.generation(p)

    def _of_own_set(self, kind: str, actor_id: int, business_id: int | None) -> tuple[Key, Key, Key]:
        named = self.own_set(kind, actor_id, business_id), self.own_states(kind, actor_id, business_id)
        return *named, self.pending(actor_id, kind)

    def own_set(self, kind: str, actor_id: int, business_id: int | None = None) -> Key:
        """Returns the key of one of an actor's own sets, such as the actor's follows (`kind`, store/own_sets/kinds/).
        Pass a business if the actor has one set of this kind for each business.
        """
        of = "" if business_id is None else f":{business_id}"
        return Key(f"{{{self.partition_of(actor_id)}}}:own:{kind}:{actor_id}{of}")

    def own_states(self, kind: str, actor_id: int, business_id: int | None = None) -> Key:
        """Returns the key of the hash beside an own set. The hash has the states that do not fit into the set's scores,
        such as the collection of a saved post.
        """
        of = "" if business_id is None else f":{business_id}"
        return Key(f"{{{self.partition_of(actor_id)}}}:states:{kind}:{actor_id}{of}")

    def pending(self, actor_id: int, kind: str = "") -> Key:
        """Returns the key of the hash that has the actor's pending changes of this kind of own set. Without a kind,
        returns the key of the hash that has all pending changes except follows, blocks and mutes.
        """
        return Key(f"{{{self.partition_of(actor_id)}}}:pending:{actor_id}{_PENDING.get(kind, '')}")

    def boundaries(self, actor_id: int) -> Key:
        return Key(f"{{{self.partition_of(actor_id)}}}:boundaries:{actor_id}")

    def patches(self, actor_id: int) -> Key:
        return Key(f"{{{self.partition_of(actor_id)}}}:patches:{actor_id}")

    def seen(self, actor_id: int) -> Key:
        return Key(f"{{{self.partition_of(actor_id)}}}:seen:{actor_id}")

    def operation(self, actor_id: int, name: str) -> str:
        return f"{{{self.partition_of(actor_id)}}}:idem:{actor_id}:{name}"

    def records(self, actor_id: int) -> str:
        """Returns the key of the count of an actor's idempotency records. The anonymous devices of a network share one
        count, because a client can invent devices.
        """
        network = network_of(actor_id)
        return f"{{{self.partition_of(actor_id)}}}:records:{actor_id if network is None else ~network}"

    def viewed(self, actor_id: int, hour: int, counter: int = CounterKind.VIEWS) -> str:
        of = "" if counter == CounterKind.VIEWS else f":{counter}"
        return f"{{{self.partition_of(actor_id)}}}:viewed:{actor_id}:{hour}{of}"

    def added(self, actor_id: int, network: int, hour: int) -> str:
        return f"{{{self.partition_of(actor_id)}}}:added:{network}:{hour}"


def _by_id(kind: str) -> Callable[[int], Key]:
    """Returns a function that makes the Redis key of a value of this kind from an id."""
    return lambda id_: Key(f"{{{kind}:{id_}}}")


def _by_text(kind: str) -> Callable[[str], Key]:
    """Returns a function that makes the Redis key of a value of this kind from a text."""
    return lambda text: Key(f"{{{kind}:{text}}}")


def _by_ref(kind: str) -> Callable[[EntityRef], Key]:
    """Returns a function that makes the Redis key of a value of this kind from the address of an object with counters,
    such as an entity or a post.
    """
    return lambda ref: Key(f"{{{kind}:{ref.business_id}:{ref.entity_id}}}")


counts = _by_ref("counts")
about = _by_ref("about")
entity_by_id = _by_ref("entity#")
likers = _by_ref("likers")


def reactors(ref: EntityRef, kind: int) -> Key:
    """Returns the key of the users who have given an object the kind of reaction with the id `kind`."""
    return Key(f"{{reactors:{ref.business_id}:{ref.entity_id}:{kind}}}")


def all_reactors(ref: EntityRef) -> list[Key]:
    """Returns the keys of the users who have given an object a kind of reaction, for all kinds."""
    return [reactors(ref, kind) for kind in (1, *range(FIRST_REACTION, LAST_REACTION + 1))]


comments = _by_ref("comments")
oldest_comments = _by_ref("oldest")
hot_comments = _by_ref("hot_comments")
replies = _by_id("replies")
hidden_comments = _by_id("hidden")
comment_snapshot_index = _by_id("snapshot")
comment_snapshots = _by_id("pinned")
user = _by_id("user")
handle = _by_text("handle")
post = _by_id("post")
comment = _by_id("comment")
topic = _by_text("topic")
trends = _by_text("trends")
typed = _by_text("typed")
outbox = _by_id("outbox")
own_posts = _by_id("own")
inbox = _by_id("inbox")
reposts = _by_id("reposts")
reposted = _by_id("reposted")
reposters = _by_id("reposters")
quotes = _by_id("quotes")
under = _by_id("under")
hot = _by_id("hot")
recommended = _by_id("recommended")
suggested = _by_id("suggested")
notifications = _by_id("notified")
followers = _by_id("followers")
friends = _by_id("friends")
follow_requests = _by_id("follow_requests")
followed_by = _by_id("followed_by")


def cached_of(user_id: int) -> list[Key]:
    """Returns the cache keys of what a user has: lists of posts, followers and notifications, and counters. The keys of
    the profile, of handles and of identities are not among them.
    """
    of_user = (
        *(outbox, own_posts, inbox, pinned_posts, notifications, followers, friends, follow_requests, followed_by),
        *(recommended, suggested, hidden_comments, reposts, reposted),
    )
    return [*(key(user_id) for key in of_user), counts(EntityRef(USERS, user_id))]


def changes(ref: EntityRef) -> str:
    return f"{counts(ref)}:changed"


def entity(business_id: int, key: str) -> Key:
    return Key(f"{{entity:{business_id}:{key}}}")


def comment_settings(business_id: int, key: str) -> Key:
    return Key(f"{{comment_settings:{business_id}:{key}}}")


def pinned_posts(user_id: int) -> Key:
    return Key(f"{{pinned_posts:{user_id}}}")


def comment_snapshot(token: int, mark: int) -> Key:
    return Key(f"{{snapshot:{token}}}:{mark}")


def found(name: str, token: int) -> Key:
    """Returns the key of what a search has found, best first. `name` is the digest of the search."""
    return Key(f"{{found:{name}:{token}}}")


def pulled() -> Key:
    return Key("{pulled}")


def square() -> Key:
    return Key("{square}")


def suggestions_due() -> Key:
    return Key("{suggestions_due}")


def board(business_id: int, window: str) -> Key:
    return Key(f"{{board:{business_id}:{window}}}")


def identity(issuer: str, subject: str) -> Key:
    return Key(f"{{identity:{digest(issuer, subject)}}}")


def cache_log() -> str:
    return "{cache_log}"


def promoting() -> str:
    return "{promoting}"


def relayed() -> str:
    return "{relayed}"


def relaying() -> str:
    return "{relaying}"


def drained() -> str:
    return "{drained}"


def budget(name: str, whose: str) -> str:
    return f"{{budget:{name}:{whose}}}"


def automatic_query(slot: int) -> str:
    return f"{{apq:{slot}}}"


def generation_of(key: bytes) -> int | None:
    """Returns the number of the generation in which a key is valid, given as it is stored in Redis. Returns None for
    keys that are valid in all generations and for keys that are not Plaudit's.
    """
    match = _OF_GENERATION.match(key)
    return int(match[1] or 0) if match else None


def current_key(key: bytes, generation: int) -> Key | None:
    """Returns a key, as stored in Redis, without the prefix of its generation; None if it is not a key of this
    generation.
    """
    return Key(key[key.index(b"{") :].decode()) if generation_of(key) == generation else None


def lease(key: str) -> Key:
    return Key(f"{key}:lease")
