"""Completes events of the kind `notification.created` when they are sent: removes what has become hidden from the
recipient, and adds the names of the actors, the text that caused the notification, and the number of unread
notifications.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from domain.messages import told
from models.comments import CommentRow
from models.counters import EntityRef
from models.likes import NO_KINDS, Reaction
from models.notifications import MOST_UNREAD, NotificationKind, texts_of
from models.outgoing import StoredEvent
from models.posts import PostRow
from models.users import UserRow
from state import State
from store.notifications import notifications, preferences, recipients
from store.notifications.muted_threads import Notice
from store.notifications.recipients import Contents
from store.outgoing.event_kinds import Data
from store.outgoing.events.notifications import NOTIFICATION_CREATED
from store.people import users
from workers.outgoing import unwanted_texts
from workers.outgoing.unwanted_texts import Text

Parsed = tuple[StoredEvent, Data]


async def completed(state: State, events: Sequence[Parsed]) -> list[Parsed]:
    """Returns the events, with completed notifications. Other events stay as they are.

    Leaves out a notification that is hidden from the recipient now. From other notifications, removes actors that are
    hidden from the recipient, and those of whose comments the recipient wants to see none; a notification that loses
    all its actors is left out. Texts that labels hide from the recipient are left out, too.

    Adds nine fields to each notification: `profiles` (the profiles of the actors, by id), `text` (the newest post or
    comment that caused the notification), `labels` (the names of the labels of this text and of what it is on),
    `unread` and `unseen` (how many notifications the recipient has not read, and has not seen), `kinds` (the names of
    the kinds of reactions), `sentence` (what the notification says), `language` (the language of the sentence) and
    `quiet_until` (when the recipient's quiet hours end, if it is in them now).
    """
    recipient_ids = sorted({_user_id(event) for event, _ in events if _is_about_notification(event)})
    if not recipient_ids:
        return [*events]
    unread = await notifications.unread(state.postgres, recipient_ids, MOST_UNREAD)
    told = {place: _notices(event, data) for place, (event, data) in enumerate(events) if _is_about_notification(event)}
    texts = {place: _texts(*events[place]) for place in told}
    of_unread = [notices for _, notices in unread]
    asked = {one for notices in (*of_unread, *told.values(), *texts.values()) for one in notices}
    shown, contents = await recipients.still_shown(state.postgres, list(asked))
    found = set(shown)
    asked_texts = {_text(one) for notices in texts.values() for one in notices}
    unwanted = await unwanted_texts.unwanted(state, asked_texts, contents)
    counts = Counter(notices[0][1] for notices in of_unread if found.intersection(notices))
    badges = Counter(notices[0][1] for unseen, notices in unread if unseen and found.intersection(notices))
    actors = {
        place: _without([one[4] for one in notices if one in found], texts[place], contents, unwanted)
        for place, notices in told.items()
    }
    quiet, now_ms = await preferences.quiet_hours(state.postgres, recipient_ids), state.now_ms()
    people = {*recipient_ids, *(one for some in actors.values() for one in some if one)}
    profiles = await users.by_id(state.postgres, sorted(people))
    unwanted |= await unwanted_texts.labeled(state, asked_texts, contents, profiles)
    return [
        (event, data)
        if place not in told
        else (
            event,
            {
                **_among(data, actors[place]),
                "profiles": profiles,
                **_said(
                    state,
                    [one for one in texts[place] if one in found and _text(one) not in unwanted],
                    contents,
                    actors[place],
                ),
                "unread": counts[_user_id(event)],
                "unseen": badges[_user_id(event)],
                "kinds": _kinds(state, event, data),
                "quiet_until": hours.until(now_ms) if (hours := quiet.get(_user_id(event))) else None,
                **_sentence(state, event, _among(data, actors[place]), profiles, contents),
            },
        )
        for place, (event, data) in enumerate(events)
        if place not in told or actors[place]
    ]


def _kinds(state: State, event: StoredEvent, data: Data) -> list[str]:
    if data["notification"] != NotificationKind.LIKE:
        return []
    known = state.reactions.get(event.business_id, NO_KINDS)
    return known.named(data.get("reactions") or Reaction.LIKE)


def _sentence(
    state: State, event: StoredEvent, data: Data, profiles: Mapping[int, UserRow], contents: Contents
) -> Data:
    recipient = profiles.get(_user_id(event))
    language = state.messages.language([recipient.language] if recipient and recipient.language else ())
    if data["message"] is not None:
        return {"language": language, "sentence": state.messages.decision(language, data["message"])}
    kind, (business_id, entity_id) = NotificationKind(data["notification"]), data["about"]
    post = contents.posts.get(entity_id) if kind is NotificationKind.NEW_POST else None
    business = state.businesses_by_id.get(post.announced.business_id if post and post.announced else business_id)
    newest = profiles.get(next(iter(data["actors"]), 0))
    name, thing = newest.display_name if newest else None, business.name if business else None
    names = _kinds(state, event, data) if data.get("reactions") else None
    sentence = state.messages.text(language, told(kind.name, name, data["actor_count"] - 1, thing, names))
    return {"language": language, "sentence": sentence}


def _is_about_notification(event: StoredEvent) -> bool:
    return event.kind == NOTIFICATION_CREATED.number


def _user_id(event: StoredEvent) -> int:
    return int(event.object.split(".")[0])


def _notices(event: StoredEvent, data: Data) -> list[Notice]:
    business_id, entity_id = data["about"]
    return recipients.of_notification(data["notification"], _user_id(event), business_id, entity_id, data["actors"])


def _texts(event: StoredEvent, data: Data) -> list[Notice]:
    """Returns, for each text that caused the notification, a notice without an actor. It serves to ask whether the
    recipient may see the text.
    """
    refs = texts_of(data["notification"], EntityRef(*data["about"]), data.get("comments") or ())
    mention, user_id = NotificationKind.MENTION, _user_id(event)
    return [notice for ref in refs for notice in recipients.of_notification(mention, user_id, *ref, ())]


def _text(notice: Notice) -> Text:
    return notice[1], EntityRef(notice[2], notice[3])


def _without(
    actors: Sequence[int], texts: Sequence[Notice], contents: Contents, unwanted: Collection[Text]
) -> list[int]:
    """Returns the actors of a notification without those of whose posts and comments in it the recipient wants to see
    none.
    """
    authors = [(row.author_id, _text(one) in unwanted) for one in texts if (row := contents.row(one))]
    wanted = {author for author, is_unwanted in authors if not is_unwanted}
    gone = {author for author, is_unwanted in authors if is_unwanted} - wanted
    return [actor for actor in actors if actor not in gone]


def _said(state: State, texts: Sequence[Notice], contents: Contents, actors: Collection[int]) -> Data:
    """Returns the text that caused a notification, and the names of its labels."""
    text = _newest(texts, contents, actors)
    bits = unwanted_texts.labels_of(contents, text.ref) if text else 0
    return {"text": text, "labels": [label.name for label in state.labels.in_bits(bits)]}


def _newest(texts: Sequence[Notice], contents: Contents, actors: Collection[int]) -> PostRow | CommentRow | None:
    """Returns the first of these posts and comments that one of the actors wrote; None if there is none. `texts` are
    newest first.
    """
    return next((row for text in texts if (row := contents.row(text)) and row.author_id in actors), None)


def _among(data: Data, actors: Sequence[int]) -> Data:
    """Returns the data of a notification with only those of its actors that are in `actors`. A notification without
    actors stays as it is.
    """
    named = data["actors"]
    return {**data, "actors": actors, "actor_count": data["actor_count"] - len(named) + len(actors)} if named else data
