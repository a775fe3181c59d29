"""Permissions of tokens: their scopes, and their restriction to businesses by the claim `businesses`
(docs/build/restricted-tokens.md).

Every root field and every private field of the schema has a rule here. Restricted tokens may not use a root field
without a rule. `api/execute.py` checks the rules of an operation before it runs. Commands check the business of each
target, which is not known before. Loaders leave out the user's private data in other businesses.
"""

from collections.abc import Collection, Sequence
from enum import Enum

from domain.errors import Forbidden
from domain.ids import CommentId, PostId


class Rule(Enum):
    """Which tokens may use a field of the schema."""

    ALL = "every token"
    """The field shows only what an anonymous client may read, or the identity of the token's user."""
    TARGET = "tokens for the business of the target"
    """The business is known only when the field runs; commands/targets.py and loaders check it."""
    POST = "tokens for `post`"
    COMMENT = "tokens for `comment`"
    ACCOUNT = "unrestricted tokens"
    """The field belongs to the whole account, or reads or changes data that belongs to no business."""


_BUSINESSES = {Rule.POST: PostId.business, Rule.COMMENT: CommentId.business}
_REACTABLE = "Reactable", "Comment", "Entity", "Post"
_NOTIFICATION = (
    *("kind", "actors", "actorCount", "subject", "comment"),
    *("message", "createdAt", "updatedAt", "read", "collapseKey"),
)

RULES: dict[str, Rule] = {
    "Query.viewer": Rule.ALL,
    "Query.user": Rule.ALL,
    "Query.users": Rule.ACCOUNT,
    "Query.entity": Rule.ALL,
    "Query.entities": Rule.ALL,
    "Query.topic": Rule.ALL,
    "Query.moderationQueue": Rule.TARGET,
    "Query.moderationLog": Rule.ACCOUNT,
    "Query.square": Rule.ALL,
    "Query.leaderboard": Rule.ALL,
    "Query.rateLimit": Rule.ALL,
    "Query.allFollowers": Rule.ACCOUNT,
    "Query.allLikers": Rule.ACCOUNT,
    "Query.node": Rule.ALL,
    "Query.nodes": Rule.ALL,
    "Mutation.like": Rule.TARGET,
    "Mutation.unlike": Rule.TARGET,
    "Mutation.dislike": Rule.TARGET,
    "Mutation.undislike": Rule.TARGET,
    "Mutation.save": Rule.TARGET,
    "Mutation.unsave": Rule.TARGET,
    "Mutation.createCollection": Rule.ACCOUNT,
    "Mutation.updateCollection": Rule.ACCOUNT,
    "Mutation.deleteCollection": Rule.ACCOUNT,
    "Mutation.follow": Rule.ACCOUNT,
    "Mutation.unfollow": Rule.ACCOUNT,
    "Mutation.acceptFollow": Rule.ACCOUNT,
    "Mutation.rejectFollow": Rule.ACCOUNT,
    "Mutation.block": Rule.ACCOUNT,
    "Mutation.unblock": Rule.ACCOUNT,
    "Mutation.mute": Rule.ACCOUNT,
    "Mutation.unmute": Rule.ACCOUNT,
    "Mutation.removeFollower": Rule.ACCOUNT,
    "Mutation.muteThread": Rule.ACCOUNT,
    "Mutation.unmuteThread": Rule.ACCOUNT,
    "Mutation.publishPost": Rule.POST,
    "Mutation.editPost": Rule.POST,
    "Mutation.deletePost": Rule.POST,
    "Mutation.pinPost": Rule.POST,
    "Mutation.unpinPost": Rule.POST,
    "Mutation.moderate": Rule.TARGET,
    "Mutation.resolveReports": Rule.TARGET,
    "Mutation.report": Rule.TARGET,
    "Mutation.appeal": Rule.TARGET,
    "Mutation.assign": Rule.TARGET,
    "Mutation.release": Rule.TARGET,
    "Mutation.warnUser": Rule.ACCOUNT,
    "Mutation.addComment": Rule.COMMENT,
    "Mutation.pinComment": Rule.COMMENT,
    "Mutation.unpinComment": Rule.COMMENT,
    "Mutation.setCommentPolicy": Rule.TARGET,
    "Mutation.editComment": Rule.COMMENT,
    "Mutation.deleteComment": Rule.COMMENT,
    "Mutation.recordViews": Rule.TARGET,
    "Mutation.recordShares": Rule.TARGET,
    "Mutation.recordActions": Rule.TARGET,
    "Mutation.markNotificationsRead": Rule.ACCOUNT,
    "Mutation.setNotificationPreferences": Rule.ACCOUNT,
    "Mutation.updateProfile": Rule.ACCOUNT,
    "Mutation.suspendUser": Rule.ACCOUNT,
    "Mutation.reinstateUser": Rule.ACCOUNT,
    "Mutation.registerUsers": Rule.ACCOUNT,
    "Mutation.upsertUsers": Rule.ACCOUNT,
    "Mutation.registerEntities": Rule.TARGET,
    "Mutation.removeEntities": Rule.TARGET,
    "Subscription.reactableChanged": Rule.ALL,
    "Subscription.homePostAdded": Rule.POST,
    "Subscription.notificationReceived": Rule.ACCOUNT,
    "Subscription.notificationsRead": Rule.ACCOUNT,
    "Viewer.id": Rule.ALL,
    "Viewer.user": Rule.ALL,
    "Viewer.home": Rule.POST,
    "Viewer.recommended": Rule.POST,
    "Viewer.notifications": Rule.ACCOUNT,
    "Viewer.unreadNotificationCount": Rule.ACCOUNT,
    "Viewer.notificationPreferences": Rule.ACCOUNT,
    "Viewer.followRequests": Rule.ACCOUNT,
    "Viewer.blocks": Rule.ACCOUNT,
    "Viewer.mutes": Rule.ACCOUNT,
    "Viewer.saved": Rule.ACCOUNT,
    "Viewer.collections": Rule.ACCOUNT,
    "SavedItem.collection": Rule.ACCOUNT,
    "User.viewerRelation": Rule.ACCOUNT,
    "User.viewerBlocks": Rule.ACCOUNT,
    "User.viewerMutes": Rule.ACCOUNT,
    "User.suspension": Rule.ACCOUNT,
    **{f"{type_}.viewerReaction": Rule.TARGET for type_ in _REACTABLE},
    **{f"{type_}.viewerCanComment": Rule.COMMENT for type_ in ("Commentable", "Entity", "Post")},
    **{f"{type_}.viewerSaved": Rule.TARGET for type_ in _REACTABLE},
    **{f"{type_}.viewerMutesThread": Rule.ACCOUNT for type_ in _REACTABLE},
    **{f"{type_}.likedByFollowed": Rule.ACCOUNT for type_ in _REACTABLE},
    **{f"Notification.{name}": Rule.ACCOUNT for name in _NOTIFICATION},
}
"""The rule of each field, by its schema coordinate: type and field name."""
_ROOTS = frozenset({"Query", "Mutation", "Subscription"})


def is_ruled(type_: str, field: str) -> bool:
    """Returns whether `check_fields` must check a field: the field is in RULES, or it is a root field, which restricted
    tokens may not use without a rule.
    """
    return f"{type_}.{field}" in RULES or (type_ in _ROOTS and not field.startswith("__"))


def check_scopes(granted: Collection[str], accepted: Sequence[str]) -> None:
    """Raises Forbidden if a token with the scopes `granted` has none of the scopes `accepted`."""
    if set(granted).isdisjoint(accepted):
        raise Forbidden(f"This requires a token with the scope {' or '.join(accepted)}.")


def check_fields(fields: Collection[str], businesses: Collection[str]) -> None:
    """Raises Forbidden if a token that is restricted to these businesses may not use one of the fields. Fields are
    schema coordinates.
    """
    for field in sorted(fields):
        rule = RULES.get(field, Rule.ACCOUNT)
        if rule is Rule.ACCOUNT:
            raise Forbidden(f"This token is restricted to some businesses and may not use {field}.")
        if rule in _BUSINESSES and _BUSINESSES[rule] not in businesses:
            needed = _BUSINESSES[rule]
            raise Forbidden(f"This token is restricted to other businesses. {field} needs a token for {needed}.")
