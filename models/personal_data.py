"""The record of processing: which columns and Redis keys have personal data, about whom, why, and for how long.

`cli.personal_data` makes docs/reference/personal-data.md of it. Each column of METADATA and each key of store/keys.py
is in exactly one entry, or among those without personal data. tests/models/test_personal_data.py checks this.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

USERS, _MODERATORS, _OPERATORS = "users", "moderators", "operators"
_ACCOUNT = "account"
_STATES = "account *"
_WORK = "seconds, until the work is done"
_YES = "yes"


class Processing(NamedTuple):
    """Personal data that is stored for one purpose, and for one period.

    `people` says which people the data is about. In `kept`, the name of a setting of retention stands in braces.
    `erased` says whether the data is erased with the account, or why not. `tables` has the columns by table, separated
    by spaces. `keys` has the Redis keys with copies or parts of the data, as store/keys.py lists them.
    """

    data: str
    people: str
    purpose: str
    kept: str
    erased: str
    tables: Mapping[str, str]
    keys: Sequence[str] = ()


PROCESSING: Sequence[Processing] = (
    Processing(
        "profile: handle, display name, avatar URL, bio, custom data, age band, privacy; the last three former handles",
        USERS,
        "to show who writes and acts, and to find users",
        _ACCOUNT,
        "yes; the handle stays reserved for a while, without the user",
        {
            "users": "user_id handle display_name avatar_url bio is_private custom age_band language version",
            "handles": "handle user_id freed_at",
            "user_terms": "user_id term tier",
        },
        ["{user:<id>}", "{handle:<handle>}"],
    ),
    Processing(
        "sign-in: issuer and subject of the identity provider",
        USERS,
        "to recognise a user who signs in",
        _ACCOUNT,
        _YES,
        {"identities": "issuer subject user_id"},
        ["{identity:<hash>}"],
    ),
    Processing(
        "suspension: its reason and end",
        USERS,
        "to enforce the rules of the community",
        "until the suspension ends; the decision stays in the moderation log",
        _YES,
        {"users": "suspended suspended_until_ms suspension_reason suspension_version"},
    ),
    Processing(
        "deletion of the account: times; a digest of issuer and subject",
        USERS,
        "to delete accounts, to prove it, and to keep old tokens from creating them again",
        "forever, by number. The digest: 30 days",
        "no: the number of the user says nothing without the profile",
        {
            "users": "deletion deletion_mode deletion_due_ms deletion_version",
            "deletions": "user_id due_ms started_ms finished_ms removed",
            "deleted_identities": "digest deleted_ms",
        },
    ),
    Processing(
        "legal holds: whose data must be kept, and why",
        USERS,
        "to keep evidence for courts and authorities",
        "until you lift the legal hold",
        "no: a legal hold stops the deletion",
        {"legal_holds": "user_id reason since_ms"},
    ),
    Processing(
        "exports: when a user last requested the data of the account",
        USERS,
        "to limit how often the data is exported",
        _ACCOUNT,
        _YES,
        {"exports": "user_id requested_ms"},
    ),
    Processing(
        "uploads: files that may be unused, and since when",
        USERS,
        "to delete unused files",
        "{unused_upload_days} after the upload or the edit; as long as the file, if it is an avatar",
        _YES,
        {"uploads": "user_id key since_ms"},
    ),
    Processing(
        "imports: ids of imported posts, comments and collections in the archive",
        USERS,
        "to import nothing twice",
        "forever",
        "no: a second import must not bring back what was erased",
        {"imports": "kind external_id entity_id"},
    ),
    Processing(
        "posts: text, content warning, labels, mentioned users, images, topics, custom data, their entity, times, "
        "moderation status and its reason, places in lists, and a number for trends",
        USERS,
        "to show what users publish, and to moderate it",
        "account. Text, images, topics, custom data and entity of deleted and rejected posts: "
        "{removed_text_days} after the last change, and while a case is open",
        "with ERASE; empty rows with ids and times stay",
        {
            "posts": "post_id author_id moment text images topics status reason deleted edited_ms content_version "
            "audit_version version custom mentioned quote_of quote_owner detached about_business about_id announces "
            "content_warning labels moderator_labels labels_version",
            "announcements": "business_id entity_id post_id author_id announced_ms withdrawn wanted shown",
            "outboxes": "author_id post_id moment state pushed",
            "topic_posts": "topic_id post_id moment score score_version counted voice",
        },
        [
            *("{post:<id>}", "{outbox:<author>}", "{own:<author>}", "{inbox:<user>}", "{pulled}", "{square}"),
            "{quotes:<post>}",
            *("{about:<biz>:<id>}", "{under:<topic>}", "{hot:<topic>}", "{recommended:<user>}"),
        ],
    ),
    Processing(
        "search index: words of public posts, comments and titles, with authors or owners, topics and times; "
        "ids that searches have found",
        USERS,
        "to find posts, comments and entities",
        "while the post or comment is public, and the entity is registered",
        "yes, with what was indexed; with ANONYMIZE, what stays is found",
        {
            "search_documents": "business_id entity_id moment terms",
            "search_due": "business_id entity_id version",
        },
        ["{found:<search>:<token>}"],
    ),
    Processing(
        "comments: text, content warning, labels, mentioned and answered users, images, custom data, times, moderation "
        "status and its reason, who deleted them, places in lists",
        USERS,
        "to show what users write, and to moderate it",
        "as posts",
        "with ERASE; empty rows with ids and times stay, for replies",
        {
            "comment_contents": "comment_id subject_business subject_id subject_owner root_id parent_id replied_to "
            "author_id moment text images status reason deleted edited_ms floor answered content_version "
            "audit_version version deleted_by deleted_as custom mentioned content_warning labels moderator_labels "
            "labels_version",
            "comments": "subject_business subject_id comment_id root_id author_id moment state score score_version",
        },
        [
            *("{comment:<id>}", "{comments:<biz>:<id>}", "{oldest:<biz>:<id>}", "{replies:<comment>}"),
            *("{hot_comments:<biz>:<id>}", "{hidden:<author>}", "{snapshot:<token>}:<mark>", "{snapshot:<token>}"),
            "{pinned:<reader>}",
        ],
    ),
    Processing(
        "earlier versions: text, images and times of edited posts and comments",
        USERS,
        "to show moderators, or all readers, what was changed",
        "as long as the current text, at most 50. Versions that moderation had not approved: "
        "{removed_text_days} after the edit, and while a case is open",
        _YES,
        {"edits": "business_id entity_id version author_id replaced text images shown"},
    ),
    Processing(
        "origin of posts and comments: IP address, device id and client name",
        USERS,
        "to find abuse, and to answer authorities",
        "{client_days}",
        _YES,
        {"posts": "ip device client", "comment_contents": "ip device client"},
    ),
    Processing(
        "reactions: likes, dislikes and other kinds, with the owner of the object",
        USERS,
        "to show and count reactions",
        _STATES,
        _YES,
        {
            "reactions": "user_id business_id entity_id owner_id state version prev_state prev_owner_id had_liked "
            "moment kinds prev_kinds"
        },
        [
            "{p}:own:react:<actor>:<biz>",
            "{p}:states:react:<actor>:<biz>",
            "{likers:<biz>:<id>}",
            "{reactors:<biz>:<id>:<kind>}",
        ],
    ),
    Processing(
        "logs of likes and follows: who changed what, and when, with IP address, device id and client name",
        USERS,
        "to find abuse, such as bought likes",
        "{reaction_log_days}, and up to eight days longer",
        _YES,
        {
            "like_log": "user_id version business_id entity_id owner_id verb source ip device client",
            "follow_log": "user_id version business_id followee_id follows ip device client",
        },
    ),
    Processing(
        "follows: also requests to follow",
        USERS,
        "to show followers, and to fill home timelines",
        _STATES,
        _YES,
        {
            "follows": "lo hi lo_follows hi_follows lo_version hi_version moment lo_requests hi_requests lo_followed "
            "hi_followed lo_requested hi_requested lo_had_followed hi_had_followed",
            "following": "user_id followee_id moment friends_moment",
            "followers": "user_id follower_id moment",
            "requested_follows": "user_id followee_id moment",
            "follow_requests": "user_id follower_id moment",
        },
        [
            *("{p}:own:follow:<actor>", "{followers:<id>}", "{friends:<id>}", "{follow_requests:<id>}"),
            "{followed_by:<id>}",
        ],
    ),
    Processing(
        "post notifications: the authors that a user has chosen",
        USERS,
        "to notify users of new posts",
        _STATES,
        _YES,
        {"bells": "user_id author_id stands version", "rings": "author_id post_id version reached"},
        ["{p}:own:bell:<actor>"],
    ),
    Processing(
        "followed topics and entities; whether topics are in home, and whether searches find the user",
        USERS,
        "to show posts, to count followers, and to hide users from searches",
        _STATES,
        _YES,
        {
            "content_follows": "user_id business_id entity_id name stands was version",
            "preferences": "user_id preference stands version",
        },
        ["{p}:own:content_follow:<actor>", "{p}:own:preference:<actor>"],
    ),
    Processing(
        "boundaries: blocked and muted users, muted threads, dismissed suggestions",
        USERS,
        "to hide what a user does not want to see, and to keep others away",
        _STATES,
        _YES,
        {
            "blocks": "user_id blocked_id stands version",
            "blocked_by": "user_id blocker_id stands version",
            "mutes": "user_id muted_id until_ms version",
            "thread_mutes": "user_id business_id entity_id stands version",
        },
        [
            *("{p}:own:block:<actor>", "{p}:own:mute:<actor>", "{p}:own:thread:<actor>", "{p}:own:blocker:<actor>"),
            "{p}:boundaries:<actor>",
        ],
    ),
    Processing(
        "muted words; hidden posts, and posts like which a user wants to see less",
        USERS,
        "to hide what a user does not want to see",
        _STATES + ", without words",
        _YES,
        {"muted_words": "user_id words version", "hidden_posts": "user_id post_id state version"},
        ["{p}:own:hidden_post:<actor>", "{p}:own:muted_words:<actor>"],
    ),
    Processing(
        "suggestions: suggested users, and why",
        USERS,
        "to help users to find others",
        "seven days after the last request",
        "yes; lists of other users have the id until they expire, but no response shows it",
        {},
        ["{suggested:<user>}", "{suggestions_due}"],
    ),
    Processing(
        "reposts: which posts a user reposts, of whom, and since when",
        USERS,
        "to show reposts to followers, and to count them",
        _STATES,
        _YES,
        {"reposts": "user_id post_id owner_id stands was had version pushed moment"},
        ["{p}:own:repost:<actor>", "{reposts:<user>}", "{reposted:<user>}", "{reposters:<post>}"],
    ),
    Processing(
        "saves: saved objects, and the names of collections",
        USERS,
        "to let users find what they saved",
        _STATES + ", without a name",
        _YES,
        {
            "saves": "user_id business_id entity_id collection_id version prev_collection_id moment kind",
            "collections": "user_id collection_id name is_public deleted version emptied held judged",
        },
        ["{p}:own:save:<actor>", "{p}:own:collection:<actor>", "{p}:states:<kind>:<actor>"],
    ),
    Processing(
        "pins: pinned posts and comments, and who may comment or quote",
        USERS,
        "to show profiles and threads as their owners want",
        _STATES,
        _YES,
        {
            "pinned_posts": "user_id post_id pinned version",
            "comment_settings": "business_id key policy policy_version pinned_id pin_version version",
        },
        ["{pinned_posts:<user>}", "{comment_settings:<biz>:<key>}"],
    ),
    Processing(
        "views, shares and other counted actions, by user, or by a keyed digest of device and network",
        "users and anonymous visitors",
        "to count each action once",
        "{view_and_share_days}",
        _YES,
        {"records": "actor_id business_id entity_id kind bucket version"},
        ["{p}:viewed:<actor>:<h>", "{p}:viewed:<actor>:<h>:<kind>", "{p}:added:<network>:<h>"],
    ),
    Processing(
        "counters: numbers about users and their content, such as followers and likes",
        USERS,
        "to show how much an object is liked",
        "as long as the object. Likes by day: 30 days",
        "reactions and follows: yes. Views and shares: no, but without the person",
        {
            "counters": "business_id entity_id kind value version included magnitude",
            "daily_likes": "business_id day entity_id value magnitude",
            "daily_reactions": "business_id day kind entity_id value magnitude",
            "swept_records": "business_id kind entity_id value",
        },
        [
            *("{counts:<biz>:<id>}", "{board:<biz>:<day>}", "{board:<biz>:week}", "{board:<biz>:all}"),
            "{board:<biz>:<window>:<kind>}",
        ],
    ),
    Processing(
        "notifications: who did what to the user, and what is seen and read",
        USERS,
        "to tell users what concerns them",
        "{notification_days} after the last event; about the newest {notifications} of each user",
        "yes, also in the notifications of other users",
        {
            "notifications": "user_id notification_id kind business_id entity_id created_ms updated_ms moment actors "
            "actor_count message comments reactions read_moment",
            "notification_actors": "user_id notification_id actor_id",
            "notification_heads": "user_id moment prev_moment read_moment seen_moment read_alone",
        },
        ["{notified:<user>}", "{p}:seen:<actor>"],
    ),
    Processing(
        "notification preferences: unwanted kinds, and quiet hours",
        USERS,
        "to send only what a user wants",
        _ACCOUNT,
        _YES,
        {"notification_preferences": "user_id unwanted only_followed quiet_begin quiet_end quiet_zone"},
    ),
    Processing(
        "saved queues: saved filters of the moderation queue",
        _MODERATORS,
        "to use them on several machines",
        _ACCOUNT,
        _YES,
        {"saved_queues": "user_id queues"},
    ),
    Processing(
        "objects of your systems: owner, title, URL, topics, custom data",
        USERS,
        "to show an object, and to notify its owner",
        "until you change or erase the object; also after you remove it",
        "the owner is removed; you must change the rest",
        {
            "entities": "business_id entity_id key owner_id title url comments_closed version removed custom topics "
            "labels moderator_labels labels_version erased",
            "entity_keys": "business_id key entity_id",
        },
        ["{entity:<biz>:<key>}", "{entity#:<biz>:<id>}"],
    ),
    Processing(
        "traces of submissions: fingerprints of recent texts and links; network and device id, if rules count them",
        USERS,
        "to recognise spam",
        "`window` in `PLAUDIT_MODERATION` (a day). Rows without network and device: until the author submits again",
        _YES,
        {"traces": "author_id business_id entity_id at_ms content links network device"},
    ),
    Processing(
        "idempotency keys: digests of the key and of the input, with the outcome",
        USERS,
        "to make a repeated request only once",
        "of new posts and comments: {idempotency_days}. Others: a day",
        _YES,
        {"claims": "author_id business_id key fingerprint entity_id"},
        ["{p}:idem:<actor>:<hash>", "{p}:records:<actor>"],
    ),
    Processing(
        "reports: who reported what, the reason, the note and the network",
        USERS,
        "to find and decide breaches of the rules",
        "until decided, then {report_days} after the last decision about the target",
        "yes; open reports stay until decided, without the network",
        {
            "reports": "business_id entity_id reporter_id author_id version reason note weight network status",
        },
    ),
    Processing(
        "notices of illegal content: name, e-mail address, explanation, law, decision",
        "people who send notices, and users",
        "to find and decide illegal content, and to tell the person the decision",
        "name, e-mail address and explanation: {notice_days} after the decision. The rest, which names nobody: forever",
        "explanations of notices about the user; name and e-mail address belong to another person",
        {
            "notices": "business_id entity_id notice_id version law explanation name email trusted status decided "
            "decision"
        },
    ),
    Processing(
        "appeals: their texts",
        USERS,
        "to let authors contest a decision",
        _ACCOUNT + ". Texts of decided appeals: {report_days} after the last decision",
        _YES,
        {"appeals": "business_id entity_id author_id version content_version text moderator_id status"},
    ),
    Processing(
        "cases of the moderation queue: what waits, its author, and the assigned moderator",
        f"{USERS} and {_MODERATORS}",
        "to decide cases in order",
        _ACCOUNT + "; decided cases are kept",
        _YES,
        {
            "cases": "business_id entity_id about author_id moment sources reports weight held_moment assignee_id "
            "assigned_until_ms",
        },
    ),
    Processing(
        "decisions of moderation: moderator, action, target, author, reason",
        f"{USERS} and {_MODERATORS}",
        "to give reasons, to recognise repeated breaches, and to answer authorities",
        "forever",
        "no: decisions must stay accountable. They name the id only",
        {
            "moderation_log": "log_id moment action role actor_id business_id entity_id user_id before after reason "
            "ground",
        },
    ),
    Processing(
        "statements of reasons: person, restriction or decided report, ground, facts, who decided; appeals",
        f"{USERS} and {_MODERATORS}",
        "to tell users why they are restricted, and to let them appeal",
        "forever. Texts of decided appeals: {report_days} after the appeal",
        "texts of appeals: yes. The rest: no, as decisions",
        {
            "statements": "user_id statement_id moment restriction business_id entity_id ground facts found_by "
            "automated actor_id until_ms ended_ms appeal_version appeal_text appeal_status",
        },
    ),
    Processing(
        "word lists: the name of the operator who changed them",
        _OPERATORS,
        "to know who changed the rules",
        "forever",
        "no: operators have no account",
        {"word_lists": "revision words changed_by reason changed_at"},
    ),
    Processing(
        "reviews: texts, avatars and names of collections that wait for the external reviewer",
        USERS,
        "to have texts reviewed",
        "until they are reviewed",
        _YES,
        {
            "reviews": "business_id entity_id partition content_version",
            "profile_reviews": "user_id field partition version",
            "collection_reviews": "user_id collection_id partition version reason match",
        },
    ),
    Processing(
        "dead letters: complete changes that Postgres refused, with IP address and device id",
        USERS,
        "to lose no acknowledged change",
        "until you replay or delete them",
        "no: replay or delete them",
        {"dead_letters": "p version entry error refused_at"},
    ),
    Processing(
        "outgoing events: complete changes, for your systems; of notices also name and e-mail address",
        USERS,
        "to tell your systems what has happened",
        "`keep_seconds` in `PLAUDIT_EVENTS` (three days); only while a destination wants them",
        "no: they expire. Copies at your destinations are yours to erase",
        {"outgoing_events": "p position kind business_id version object data bytes_through"},
    ),
    Processing(
        "work in progress: changes that are not yet stored, with IP address and device id; notifications to deliver; "
        "outcomes of direct writes; changes of cached values for another site",
        USERS,
        "to lose no acknowledged change, and to show users their own",
        _WORK + ". `operations`: until Redis is back",
        _YES,
        {
            "fanouts": "author_id post_id partition moment reached since_ms",
            "topic_recounts": "author_id reached version",
            "untold": "p untold_id notices",
            "operations": "actor_id name record version business_id entity_id verb adopted until",
        },
        [
            *("{p}:journal", "{p}:pending:<actor>", "{p}:pending:<actor>:follows", "{p}:pending:<actor>:boundaries"),
            *("{p}:patches:<actor>", "{cache_log}"),
        ],
    ),
    Processing(
        "rate budgets: user id, network address, or digest of a device",
        "users and anonymous visitors",
        "to protect the system against floods",
        "until they are full again",
        "no: they expire within hours",
        {},
        ["{budget:<name>:<whose>}"],
    ),
)

NOT_PERSONAL: Mapping[str, str] = {
    "comment_subjects": "business_id entity_id floors",
    "erasures": "business_id entity_id since_ms reached removed held finished_ms",
    "event_cursors": "p name position lost_after lost_through replayed_through failing_since failure",
    "event_destinations": "name url kinds businesses secrets state reason failing_since",
    "modes": "id direct generation since servers term highest_term synchronous replicas snapshot promoted_in",
    "nodes": "node owner lease_until settle_ms",
    "outgoing_heads": "p position added bytes",
    "partitions": "p owner lease_until epoch head direct drained reconciled_at drift promoted",
    "persisted_operations": "id name kind document source imported_at",
    "persisted_usage": "operation_id client version requests last_used_at",
    "persisted_version_operations": "client version operation_id",
    "persisted_versions": "client version imported_at withdrawn",
    "persisted_withdrawals": "operation_id message withdrawn_at",
    "removals": "kind removed first_at last_at",
    "topics": "topic_id name held held_version",
    "workers": "worker seen_until redis_seen settle_ms",
}
"""The columns without personal data, by table."""
NOT_PERSONAL_KEYS: Sequence[str] = (
    *("{p}:generation", "{topic:<key>}", "{trends:<window>}", "{typed:<prefix>}"),
    *("{apq:<slot>}", "{relayed}", "{relaying}", "{drained}", "{promoting}"),
)
"""The Redis keys without personal data."""
