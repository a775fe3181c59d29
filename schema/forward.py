"""References by name to GraphQL types that a module of this package uses and that a later module defines.

GraphQL types refer to each other in circles, but modules must not import each other in circles; import-linter checks
this.
"""

from typing import TYPE_CHECKING, Annotated, Any

from strawberry import lazy

if TYPE_CHECKING:  # The objects of these types are rows of the domain, so the classes tell a type checker nothing.
    Collection = Any
    CollectionConnection = Any
    Comment = Any
    CommentConnection = Any
    NotificationConnection = Any
    NotificationPreference = Any
    QuietHours = Any
    Post = Any
    PostConnection = Any
    SavedQueue = Any
    StatementConnection = Any
    User = Any
    UserConnection = Any
else:
    Collection = Annotated["Collection", lazy("schema.collections")]
    CollectionConnection = Annotated["CollectionConnection", lazy("schema.collections")]
    Comment = Annotated["Comment", lazy("schema.comments")]
    CommentConnection = Annotated["CommentConnection", lazy("schema.comments")]
    NotificationConnection = Annotated["NotificationConnection", lazy("schema.notifications")]
    NotificationPreference = Annotated["NotificationPreference", lazy("schema.notifications")]
    QuietHours = Annotated["QuietHours", lazy("schema.quiet_hours")]
    Post = Annotated["Post", lazy("schema.posts")]
    PostConnection = Annotated["PostConnection", lazy("schema.posts")]
    SavedQueue = Annotated["SavedQueue", lazy("schema.saved_queues")]
    StatementConnection = Annotated["StatementConnection", lazy("schema.statements")]
    User = Annotated["User", lazy("schema.users")]
    UserConnection = Annotated["UserConnection", lazy("schema.users")]
