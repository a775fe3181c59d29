"""Outgoing events, which tell webhooks and Redis streams about changes, of users and entities. Requests and workers
change users and entities without journal entries, so no projection adds these events (docs/build/events.md).
"""

from domain.labels import Labels
from models.entities import EntityRow
from models.users import UserRow
from settings import USERS
from store.outgoing.events.entities import ENTITY_REMOVED, ENTITY_UPDATED
from store.outgoing.events.users import USER_CREATED, USER_UPDATED
from store.outgoing.new_events import OutgoingEvents


def entity(outgoing: OutgoingEvents, row: EntityRow, labels: Labels) -> None:
    """Adds the outgoing event of an entity that was registered, changed, labeled, restored or removed to `outgoing`.
    `labels` are the configured labels.
    """
    kind = ENTITY_REMOVED if row.removed else ENTITY_UPDATED
    outgoing.add(
        *(kind, row.entity_id, row.business_id, 0, row.ref),
        id=row.global_id,
        owner=row.owner_id,
        title=row.title,
        url=row.url,
        comments_closed=row.comments_closed,
        topics=row.topic_names,
        custom=row.custom,
        labels=[label.name for label in labels.in_bits(row.all_labels)],
    )


def profile(outgoing: OutgoingEvents, user: UserRow, *, is_new: bool = False) -> None:
    """Adds the outgoing event of a new or changed profile to `outgoing`."""
    kind = USER_CREATED if is_new else USER_UPDATED
    outgoing.add(
        *(kind, user.user_id, USERS, 0, (user.user_id,)),
        handle=user.handle,
        display_name=user.display_name,
        avatar_url=user.avatar_url,
        bio=user.bio,
        is_private=user.is_private,
        custom=user.custom,
    )
