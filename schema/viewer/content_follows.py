"""The fields of Viewer about followed topics and entities."""

import strawberry

import resolvers.content_follows as resolve
import resolvers.topic_feeds as resolve_feeds
from schema.access import Rule, access
from schema.entities import EntityConnection
from schema.fields import PAGE, listed
from schema.posts import PostConnection
from schema.topics import TopicConnection


@strawberry.type
class Fields:
    followed_topics: TopicConnection | None = listed(
        resolve.topics,
        description="The topics that the viewer (the signed-in user) follows, newest follow first. Null if the value "
        "is temporarily unavailable.",
        metadata=access(Rule.ACCOUNT),
        **PAGE,
    )
    followed_entities: EntityConnection | None = listed(
        resolve.entities,
        description="The entities that the viewer (the signed-in user) follows, newest follow first. Leaves out "
        "removed entities. Null if the value is temporarily unavailable.",
        metadata=access(Rule.ACCOUNT),
        **PAGE,
    )
    followed_topics_feed: PostConnection | None = listed(
        resolve_feeds.feed,
        description="The approved posts with a topic that the viewer (the signed-in user) follows, and those that "
        "refer to an entity that the viewer follows, newest first. `homeReason` names the topic or entity. The list "
        "also has posts that the viewer published in the last few seconds, even if they are not approved yet. Null if "
        "the value is temporarily unavailable.",
        metadata=access(Rule.ACCOUNT),
        **PAGE,
    )
    topics_in_home: bool | None = listed(
        resolve.topics_in_home,
        description="Whether `Viewer.home` shows posts of the topics, and about the entities, that the viewer (the "
        "signed-in user) follows. Change it with `setTopicsInHome`. Null if the value is temporarily unavailable.",
        metadata=access(Rule.ACCOUNT),
    )
