"""Every Redis key there is. Only this module makes them.

State (never evicted, appended to disk). The tag `{p}` is the actor's partition, so one script can touch them all:

| key                     | type   | holds                                         | life           | cap        | written by            | read by          |
|-------------------------|--------|-----------------------------------------------|----------------|------------|-----------------------|------------------|
| {p}:journal             | stream | changes acknowledged, oldest first            | until swept    | a setting  | actor scripts         | workers          |
| {p}:react:<actor>:<biz> | zset   | entity → 2*moment + (1 if dislike); '0' floor | 30 d idle      | 1000 + 10% | react, install        | likes            |
| {p}:follow:<actor>      | zset   | followee → moment; '0' once complete          | 7 d idle       | a setting  | follow, install       | follows          |
| {p}:pending:<actor>     | hash   | field → owner, base, (journal id = state)…    | until swept    | 64 a field | actor scripts, sweep  | pending, scripts |
| {p}:patches:<actor>     | hash   | biz:id:journal id → what the actor changed of a post or comment | until swept | 64 | write, sweep     | patches          |
| {p}:seen:<actor>        | hash   | moment:journal id → how far they have read    | until swept    | 64         | write, sweep          | notifications    |
| {p}:idem:<actor>:<hash> | string | fingerprint and outcome of one operation      | 24 h, or 60 s  |            | actor scripts         | actor scripts    |
| {p}:viewed:<actor>:<h>  | set    | business:entity viewed in hour h              | 2 h            | 10 000     | record                | record           |

Cache (may be evicted; missing means cold, never zero). The tag is the value's own name, so its lease sits beside it:

| key                     | type   | holds                                         | life           | cap        | written by            | read by          |
|-------------------------|--------|-----------------------------------------------|----------------|------------|-----------------------|------------------|
| {counts:<biz>:<id>}     | string | version, JSON of every kind's counter         | 7 d, renewed   |            | publish, fill         | counts           |
| {entity:<biz>:<key>}    | string | version, JSON of the entity (null: none)      | 1 d            |            | fill                  | entities         |
| {entity#:<biz>:<id>}    | string | the same, by internal id                      | 1 d            |            | fill                  | entities         |
| {user:<id>}             | string | version, JSON of the profile                  | 1 d            |            | fill                  | users            |
| {post:<id>}             | string | version, JSON of the post (null: none)        | 1 d            |            | publish, fill         | posts            |
| {comment:<id>}          | string | version, JSON of the comment (null: none)     | 1 d            |            | publish, fill         | comments         |
| {comments:<biz>:<id>}   | zset   | root comment → moment, as likers              | 1 d            | a setting  | *_list                | comments         |
| {oldest:<biz>:<id>}     | zset   | the same, mirrored moments: the oldest        | 1 d            | a setting  | *_list                | comments         |
| {replies:<comment>}     | zset   | reply → mirrored moment: the oldest           | 1 d            | a setting  | *_list                | comments         |
| {hot_comments:<biz>:<id>} | zset | root comment → how hot (ranking.py); '0' floor | 10 min        | a setting  | publish_scores, fill_list, extend_list | comments |
| {hidden:<author>}       | string | version 0, JSON of where their newest comments are that nobody else sees | 1 d | 64 | fill; voided by workers | comments |
| {snapshot:<token>}      | string | ids of a subject's hottest comments, 8 bytes each, as when page two was first read; the token is a digest of its cursor | 20 min, renewed | a setting + 164 | SET NX | comments |
| {snapshots:<reader>}    | list   | tokens of what they have pinned, the newest first; reader 0 is everybody unknown | 20 min | 16; 10,000 of reader 0 | LPUSH | comments |
| {topic:<name>}          | string | version, whether there is such a topic        | 1 d            |            | publish, fill         | topics           |
| {outbox:<author>}       | zset   | post → moment, as likers; what all may see    | 1 d            | a setting  | *_list                | timelines        |
| {own:<author>}          | zset   | post → moment, as likers; all that they keep  | 1 d            | a setting  | *_list                | timelines        |
| {inbox:<user>}          | zset   | post → moment, as likers: of whom they follow | 7 d after they were there | 800 + 10% | push, merge, *_list | home |
| {pulled}                | zset   | author → moment of their newest post that is not pushed | 1 d  | 10 000     | *_list                | home             |
| {square}                | zset   | post → moment, as likers                      | 1 d            | a setting  | *_list                | timelines        |
| {under:<topic>}         | zset   | post → moment, as likers                      | 1 d            | a setting  | *_list                | timelines        |
| {hot:<topic>}           | zset   | post → how hot (ranking.py); '0' floor; topic 0 is the square | 10 min | a setting | publish_scores, fill_list, extend_list | hot |
| {board:<biz>:<day>}     | zset   | entity → its likes of the day and a tie-break; '0' floor | 10 min | 500 + 10% | publish_scores, fill_list | leaderboards |
| {board:<biz>:week}, …:all | zset | the same of seven days, and of all time       | 30 s           | 500        | fill_list             | leaderboards     |
| {recommended:<user>}    | list   | JSON of what was recommended when it began to be read, and why | 10 min | 4, of 200 posts | LPUSH | recommended |
| {notifications:<user>}  | string | version, JSON of the newest 50, and how many are unread | 1 d  |            | publish, fill         | notifications    |
| {handle:<handle>}       | string | version, user id                              | 1 d            |            | fill                  | users            |
| {identity:<hash>}       | string | version, user id of a token's subject         | 7 d            |            | fill                  | users            |
| {likers:<biz>:<id>}     | zset   | user → moment, negative when gone; '0' floor  | 1 d            | 200 + 10%  | publish_list, fill_list | likers         |
| {followers:<id>}        | zset   | follower → moment, as likers                  | 1 d            | a setting  | *_list                | follows          |
| {friends:<id>}          | zset   | friend → moment, as likers                    | 1 d            | a setting  | *_list                | follows          |
| {followed_by:<id>}      | zset   | those asked about → moment since they follow <id>, negative: they do not | 1 d | 5000 | *_marks  | follows          |
| {budget:<name>:<whose>} | string | points left, and the ms when so many were left | till full |         | spend                 | budgets          |
| {apq:<slot>}            | string | text of the query registered last whose hash has the slot | 7 d idle, a setting | a setting | SET | persisted |
| <any of these>:lease    | string | token of the reader that may fill it          | 10 s           |            | SET NX, fence         | fill, publish    |

Channels, of which Redis keeps nothing; sharded on a cluster:

| channel                 | says                                                   | published by          | heard by         |
|-------------------------|--------------------------------------------------------|-----------------------|------------------|
| {counts:<biz>:<id>}:changed | nothing but that the counters have changed; of a user, that their notifications have | workers, after publish | events |
| {inbox:<user>}, {own:<user>}, {pulled}, and other lists of posts | nothing but that the list of this key has changed | publish_list | events |
"""  # noqa: E501 - a table is read by its columns

import hashlib
import zlib
from dataclasses import dataclass

from models.counters import EntityRef


@dataclass(frozen=True, slots=True)
class Keys:
    """State keys of a deployment with `partitions` journals."""

    partitions: int

    def partition_of(self, actor_id: int) -> int:
        """The journal an actor's changes go through. Fixed for ever: order per actor rests on it."""
        return zlib.crc32(b"%d" % actor_id) % self.partitions

    def journal(self, partition: int) -> str:
        return f"{{{partition}}}:journal"

    def reactions(self, actor_id: int, business_id: int) -> str:
        return f"{{{self.partition_of(actor_id)}}}:react:{actor_id}:{business_id}"

    def follows(self, actor_id: int) -> str:
        return f"{{{self.partition_of(actor_id)}}}:follow:{actor_id}"

    def pending(self, actor_id: int) -> str:
        return f"{{{self.partition_of(actor_id)}}}:pending:{actor_id}"

    def patches(self, actor_id: int) -> str:
        return f"{{{self.partition_of(actor_id)}}}:patches:{actor_id}"

    def seen(self, actor_id: int) -> str:
        return f"{{{self.partition_of(actor_id)}}}:seen:{actor_id}"

    def operation(self, actor_id: int, mutation: str, idempotency_key: str) -> str:
        name = digest(mutation, idempotency_key)
        return f"{{{self.partition_of(actor_id)}}}:idem:{actor_id}:{name}"

    def viewed(self, actor_id: int, hour: int) -> str:
        return f"{{{self.partition_of(actor_id)}}}:viewed:{actor_id}:{hour}"


def counts(ref: EntityRef) -> str:
    return f"{{counts:{ref.business_id}:{ref.entity_id}}}"


def changes(ref: EntityRef) -> str:
    return f"{counts(ref)}:changed"


def entity(business_id: int, key: str) -> str:
    return f"{{entity:{business_id}:{key}}}"


def entity_by_id(ref: EntityRef) -> str:
    return f"{{entity#:{ref.business_id}:{ref.entity_id}}}"


def user(user_id: int) -> str:
    return f"{{user:{user_id}}}"


def post(post_id: int) -> str:
    return f"{{post:{post_id}}}"


def comment(comment_id: int) -> str:
    return f"{{comment:{comment_id}}}"


def comments(subject: EntityRef) -> str:
    return f"{{comments:{subject.business_id}:{subject.entity_id}}}"


def oldest_comments(subject: EntityRef) -> str:
    return f"{{oldest:{subject.business_id}:{subject.entity_id}}}"


def hot_comments(subject: EntityRef) -> str:
    return f"{{hot_comments:{subject.business_id}:{subject.entity_id}}}"


def replies(root_id: int) -> str:
    return f"{{replies:{root_id}}}"


def hidden_comments(author_id: int) -> str:
    return f"{{hidden:{author_id}}}"


def comment_snapshot(token: int) -> str:
    return f"{{snapshot:{token}}}"


def comment_snapshots(reader: int) -> str:
    return f"{{snapshots:{reader}}}"


def topic(name: str) -> str:
    return f"{{topic:{name}}}"


def outbox(author_id: int) -> str:
    return f"{{outbox:{author_id}}}"


def own(author_id: int) -> str:
    return f"{{own:{author_id}}}"


def inbox(user_id: int) -> str:
    return f"{{inbox:{user_id}}}"


def pulled() -> str:
    return "{pulled}"


def square() -> str:
    return "{square}"


def under(topic_id: int) -> str:
    return f"{{under:{topic_id}}}"


def hot(topic_id: int) -> str:
    return f"{{hot:{topic_id}}}"


def recommended(user_id: int) -> str:
    return f"{{recommended:{user_id}}}"


def board(business_id: int, window: str) -> str:
    return f"{{board:{business_id}:{window}}}"


def notifications(user_id: int) -> str:
    return f"{{notifications:{user_id}}}"


def handle(handle: str) -> str:
    return f"{{handle:{handle}}}"


def identity(issuer: str, subject: str) -> str:
    return f"{{identity:{digest(issuer, subject)}}}"


def likers(ref: EntityRef) -> str:
    return f"{{likers:{ref.business_id}:{ref.entity_id}}}"


def followers(user_id: int) -> str:
    return f"{{followers:{user_id}}}"


def friends(user_id: int) -> str:
    return f"{{friends:{user_id}}}"


def followed_by(user_id: int) -> str:
    return f"{{followed_by:{user_id}}}"


def budget(name: str, whose: str) -> str:
    return f"{{budget:{name}:{whose}}}"


def automatic_query(slot: int) -> str:
    return f"{{apq:{slot}}}"


def lease(key: str) -> str:
    return f"{key}:lease"


def digest(*parts: str) -> str:
    """A short name for text of any length: 128 bits, and no part can run into the next."""
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()
