"""Creates all tables. Migrations before 0045 were never released, and are part of this one."""

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0045"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:  # noqa: PLR0915 - one statement per table and index
    op.create_table(
        "appeals",
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("author_id", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("content_version", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("moderator_id", sa.BigInteger(), nullable=True),
        sa.Column("status", sa.SmallInteger(), nullable=False),
        sa.PrimaryKeyConstraint("business_id", "entity_id", name="appeals_pkey"),
    )
    op.create_index("appeals_author_idx", "appeals", ["author_id"])
    op.create_index("appeals_open_idx", "appeals", ["business_id", "entity_id"], postgresql_where=sa.text("status = 0"))
    op.create_table(
        "blocked_by",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("blocker_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("stands", sa.Boolean(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "blocker_id", name="blocked_by_pkey"),
    )
    op.create_table(
        "blocks",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("blocked_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("stands", sa.Boolean(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "blocked_id", name="blocks_pkey"),
    )
    op.create_table(
        "cases",
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("about", sa.SmallInteger(), nullable=False),
        sa.Column("author_id", sa.BigInteger(), nullable=True),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.Column("sources", sa.SmallInteger(), nullable=False),
        sa.Column("reports", sa.Integer(), nullable=False),
        sa.Column("weight", sa.BigInteger(), nullable=False),
        sa.Column("assignee_id", sa.BigInteger(), nullable=True),
        sa.Column("assigned_until_ms", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("business_id", "entity_id", name="cases_pkey"),
    )
    op.create_index("cases_queue_idx", "cases", ["moment", "entity_id"], postgresql_where=sa.text("sources <> 0"))
    op.create_index("cases_resolved_idx", "cases", ["moment", "entity_id"], postgresql_where=sa.text("sources = 0"))
    op.create_index(
        "cases_weight_idx",
        "cases",
        [sa.literal_column("weight DESC"), sa.literal_column("entity_id DESC")],
        postgresql_where=sa.text("sources <> 0"),
    )
    op.create_table(
        "claims",
        sa.Column("author_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("key", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("entity_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("author_id", "business_id", "key", name="claims_pkey"),
    )
    op.create_table(
        "collections",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("collection_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("is_public", sa.Boolean(), nullable=False),
        sa.Column("deleted", sa.Boolean(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("emptied", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "collection_id", name="collections_pkey"),
    )
    op.create_index(
        "collections_leaving_idx",
        "collections",
        ["user_id", "collection_id"],
        postgresql_where=sa.text("deleted AND NOT emptied"),
    )
    op.create_table(
        "comment_contents",
        sa.Column("comment_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("subject_business", sa.SmallInteger(), nullable=False),
        sa.Column("subject_id", sa.BigInteger(), nullable=False),
        sa.Column("subject_owner", sa.BigInteger(), nullable=True),
        sa.Column("root_id", sa.BigInteger(), nullable=True),
        sa.Column("parent_id", sa.BigInteger(), nullable=True),
        sa.Column("replied_to", sa.BigInteger(), nullable=True),
        sa.Column("author_id", sa.BigInteger(), nullable=False),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("images", postgresql.JSONB(), server_default=sa.text("'[]'"), nullable=False),
        sa.Column("status", sa.SmallInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("deleted", sa.Boolean(), nullable=False),
        sa.Column("edited_ms", sa.BigInteger(), nullable=True),
        sa.Column("floor", sa.Integer(), nullable=True),
        sa.Column("answered", sa.Boolean(), nullable=False),
        sa.Column("content_version", sa.BigInteger(), nullable=False),
        sa.Column("audit_version", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("deleted_by", sa.BigInteger(), nullable=True),
        sa.Column("deleted_as", sa.Text(), nullable=True),
        sa.Column("custom", sa.Text(), nullable=True),
        sa.Column("ip", postgresql.INET(), nullable=True),
        sa.Column("device", sa.Text(), nullable=True),
        sa.Column("client", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("comment_id", name="comment_contents_pkey"),
    )
    op.create_index(
        "comment_contents_waiting_idx",
        "comment_contents",
        ["moment", "comment_id"],
        postgresql_where=sa.text("status = 0 AND NOT deleted"),
    )
    op.create_table(
        "comment_settings",
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("key", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("policy", sa.SmallInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("policy_version", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("pinned_id", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("pin_version", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("business_id", "key", name="comment_settings_pkey"),
    )
    op.create_table(
        "comment_subjects",
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("floors", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("business_id", "entity_id", name="comment_subjects_pkey"),
    )
    op.create_table(
        "comments",
        sa.Column("subject_business", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("subject_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("comment_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("root_id", sa.BigInteger(), nullable=False),
        sa.Column("author_id", sa.BigInteger(), nullable=False),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.SmallInteger(), nullable=False),
        sa.Column("score", sa.BigInteger(), nullable=False),
        sa.Column("score_version", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("subject_business", "subject_id", "comment_id", name="comments_pkey"),
    )
    op.create_index(
        "comments_hidden_idx",
        "comments",
        ["author_id", sa.literal_column("moment DESC"), sa.literal_column("comment_id DESC")],
        postgresql_where=sa.text("state = 0"),
    )
    op.create_index(
        "comments_hot_idx",
        "comments",
        ["subject_business", "subject_id", sa.literal_column("score DESC"), sa.literal_column("comment_id DESC")],
        postgresql_where=sa.text("state = 1 AND root_id = 0"),
    )
    op.create_index(
        "comments_recent_idx",
        "comments",
        [
            "subject_business",
            "subject_id",
            "root_id",
            sa.literal_column("moment DESC"),
            sa.literal_column("comment_id DESC"),
        ],
        postgresql_where=sa.text("state = 1"),
    )
    op.create_table(
        "counters",
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("included", postgresql.JSONB(), server_default=sa.text("'{}'"), nullable=False),
        sa.Column(
            "magnitude",
            sa.SmallInteger(),
            sa.Computed(
                "floor(ln(greatest(value * 2, 1::bigint)::double precision) / ln(2::double precision))::smallint",
                persisted=True,
            ),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("business_id", "entity_id", "kind", name="counters_pkey"),
        postgresql_with={"fillfactor": 85},
    )
    op.create_index(
        "counters_liked_idx",
        "counters",
        ["business_id", sa.literal_column("magnitude DESC")],
        postgresql_where=sa.text("kind = 1 AND magnitude > 0"),
    )
    op.create_table(
        "daily_likes",
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.Column(
            "magnitude",
            sa.SmallInteger(),
            sa.Computed(
                "floor(ln(greatest(value * 2, 1::bigint)::double precision) / ln(2::double precision))::smallint",
                persisted=True,
            ),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("business_id", "day", "entity_id", name="daily_likes_pkey"),
        postgresql_with={"fillfactor": 85},
    )
    op.create_index(
        "daily_likes_leaders_idx",
        "daily_likes",
        ["business_id", "day", sa.literal_column("magnitude DESC")],
        postgresql_where=sa.text("magnitude > 0"),
    )
    op.create_table(
        "dead_letters",
        sa.Column("p", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("version", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("entry", postgresql.BYTEA(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("refused_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("p", "version", name="dead_letters_pkey"),
    )
    op.create_table(
        "entities",
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("owner_id", sa.BigInteger(), nullable=True),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("comments_closed", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("version", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("removed", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("custom", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("business_id", "entity_id", name="entities_pkey"),
    )
    op.create_table(
        "entity_keys",
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("key", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("business_id", "key", name="entity_keys_pkey"),
    )
    op.create_table(
        "event_cursors",
        sa.Column("p", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("lost_after", sa.BigInteger(), nullable=True),
        sa.Column("lost_through", sa.BigInteger(), nullable=True),
        sa.Column("replayed_through", sa.BigInteger(), nullable=True),
        sa.Column("failing_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failure", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("p", "name", name="event_cursors_pkey"),
    )
    op.create_table(
        "event_destinations",
        sa.Column("name", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("kinds", postgresql.ARRAY(sa.SmallInteger()), nullable=False),
        sa.Column("businesses", postgresql.ARRAY(sa.SmallInteger()), nullable=False),
        sa.Column("secrets", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("state", sa.SmallInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("failing_since", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("name", name="event_destinations_pkey"),
    )
    op.create_table(
        "fanouts",
        sa.Column("author_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("post_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("partition", sa.SmallInteger(), nullable=False),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.Column("reached", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("since_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("author_id", "post_id", name="fanouts_pkey"),
    )
    op.create_index("fanouts_due_idx", "fanouts", ["partition", "since_ms"])
    op.create_table(
        "follow_log",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("version", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("business_id", sa.SmallInteger(), nullable=False),
        sa.Column("followee_id", sa.BigInteger(), nullable=False),
        sa.Column("follows", sa.Boolean(), nullable=False),
        sa.Column("ip", postgresql.INET(), nullable=True),
        sa.Column("device", sa.Text(), nullable=True),
        sa.Column("client", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("user_id", "version", name="follow_log_pkey"),
        postgresql_partition_by="RANGE (version)",
    )
    op.create_index("follow_log_version_idx", "follow_log", ["version"])
    _partition("follow_log")
    op.create_table(
        "follow_requests",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("follower_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "follower_id", name="follow_requests_pkey"),
    )
    op.create_index(
        "follow_requests_recent_idx",
        "follow_requests",
        ["user_id", sa.literal_column("moment DESC"), sa.literal_column("follower_id DESC")],
    )
    op.create_table(
        "followers",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("follower_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "follower_id", name="followers_pkey"),
    )
    op.create_index(
        "followers_recent_idx",
        "followers",
        ["user_id", sa.literal_column("moment DESC"), sa.literal_column("follower_id DESC")],
    )
    op.create_table(
        "following",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("followee_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.Column("friends_moment", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("user_id", "followee_id", name="following_pkey"),
    )
    op.create_index(
        "following_friends_idx",
        "following",
        ["user_id", sa.literal_column("friends_moment DESC"), sa.literal_column("followee_id DESC")],
        postgresql_where=sa.text("friends_moment IS NOT NULL"),
    )
    op.create_index(
        "following_recent_idx",
        "following",
        ["user_id", sa.literal_column("moment DESC"), sa.literal_column("followee_id DESC")],
    )
    op.create_table(
        "follows",
        sa.Column("lo", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("hi", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("lo_follows", sa.Boolean(), nullable=False),
        sa.Column("hi_follows", sa.Boolean(), nullable=False),
        sa.Column("lo_version", sa.BigInteger(), nullable=False),
        sa.Column("hi_version", sa.BigInteger(), nullable=False),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.Column("lo_requests", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("hi_requests", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("lo_followed", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("hi_followed", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("lo_requested", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("hi_requested", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("lo_had_followed", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("hi_had_followed", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.CheckConstraint("lo < hi", name="follows_ordered"),
        sa.PrimaryKeyConstraint("lo", "hi", name="follows_pkey"),
    )
    op.create_table(
        "handles",
        sa.Column("handle", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("freed_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("handle", name="handles_pkey"),
    )
    op.create_index(
        "handles_freed_idx", "handles", ["user_id", "freed_at"], postgresql_where=sa.text("freed_at IS NOT NULL")
    )
    op.create_table(
        "identities",
        sa.Column("issuer", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("subject", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("issuer", "subject", name="identities_pkey"),
    )
    op.create_table(
        "like_log",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("version", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("business_id", sa.SmallInteger(), nullable=False),
        sa.Column("entity_id", sa.BigInteger(), nullable=False),
        sa.Column("owner_id", sa.BigInteger(), nullable=True),
        sa.Column("verb", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=True),
        sa.Column("ip", postgresql.INET(), nullable=True),
        sa.Column("device", sa.Text(), nullable=True),
        sa.Column("client", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("user_id", "version", name="like_log_pkey"),
        postgresql_partition_by="RANGE (version)",
    )
    op.create_index("like_log_version_idx", "like_log", ["version"])
    _partition("like_log")
    op.create_table(
        "moderation_log",
        sa.Column("log_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.Column("action", sa.SmallInteger(), nullable=False),
        sa.Column("role", sa.SmallInteger(), nullable=False),
        sa.Column("actor_id", sa.BigInteger(), nullable=True),
        sa.Column("business_id", sa.SmallInteger(), nullable=False),
        sa.Column("entity_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("before", sa.Text(), nullable=True),
        sa.Column("after", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("log_id", name="moderation_log_pkey"),
    )
    op.create_index(
        "moderation_log_actor_idx",
        "moderation_log",
        ["actor_id", sa.literal_column("moment DESC"), sa.literal_column("log_id DESC")],
    )
    op.create_index(
        "moderation_log_newest_idx",
        "moderation_log",
        [sa.literal_column("moment DESC"), sa.literal_column("log_id DESC")],
    )
    op.create_index(
        "moderation_log_target_idx",
        "moderation_log",
        ["business_id", "entity_id", sa.literal_column("moment DESC"), sa.literal_column("log_id DESC")],
    )
    op.create_index(
        "moderation_log_user_idx",
        "moderation_log",
        ["user_id", sa.literal_column("moment DESC"), sa.literal_column("log_id DESC")],
    )
    op.create_table(
        "modes",
        sa.Column("id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("direct", sa.Boolean(), nullable=False),
        sa.Column("generation", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("servers", sa.ARRAY(sa.Text()), server_default=sa.text("'{}'"), nullable=False),
        sa.PrimaryKeyConstraint("id", name="modes_pkey"),
    )
    op.create_table(
        "mutes",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("muted_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("until_ms", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "muted_id", name="mutes_pkey"),
    )
    op.create_table(
        "nodes",
        sa.Column("node", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("settle_ms", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("node", name="nodes_pkey"),
    )
    op.create_table(
        "notification_actors",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("notification_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("actor_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "notification_id", "actor_id", name="notification_actors_pkey"),
    )
    op.create_table(
        "notification_heads",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.Column("prev_moment", sa.BigInteger(), nullable=False),
        sa.Column("read_moment", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="notification_heads_pkey"),
        postgresql_with={"fillfactor": 85},
    )
    op.create_table(
        "notification_preferences",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("unwanted", postgresql.ARRAY(sa.SmallInteger()), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="notification_preferences_pkey"),
    )
    op.create_table(
        "notifications",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("notification_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.SmallInteger(), nullable=False),
        sa.Column("business_id", sa.SmallInteger(), nullable=False),
        sa.Column("entity_id", sa.BigInteger(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("updated_ms", sa.BigInteger(), nullable=False),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.Column("actors", postgresql.ARRAY(sa.BigInteger()), nullable=False),
        sa.Column("actor_count", sa.BigInteger(), nullable=False),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("comments", postgresql.ARRAY(sa.BigInteger()), nullable=True),
        sa.PrimaryKeyConstraint("user_id", "notification_id", name="notifications_pkey"),
    )
    op.create_index("notifications_recent_idx", "notifications", ["user_id", sa.literal_column("moment DESC")])
    op.create_table(
        "operations",
        sa.Column("actor_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("record", sa.Text(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("business_id", sa.SmallInteger(), nullable=True),
        sa.Column("entity_id", sa.BigInteger(), nullable=True),
        sa.Column("verb", sa.Text(), nullable=True),
        sa.Column("adopted", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("actor_id", "name", name="operations_pkey"),
    )
    op.create_index("operations_left_idx", "operations", ["actor_id", "name"], postgresql_where=sa.text("NOT adopted"))
    op.create_table(
        "outboxes",
        sa.Column("author_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("post_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.SmallInteger(), nullable=False),
        sa.Column("pushed", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("author_id", "post_id", name="outboxes_pkey"),
    )
    op.create_index(
        "outboxes_pulled_idx", "outboxes", ["author_id", "moment"], postgresql_where=sa.text("state = 1 AND NOT pushed")
    )
    op.create_index(
        "outboxes_recent_idx",
        "outboxes",
        ["author_id", sa.literal_column("moment DESC"), sa.literal_column("post_id DESC")],
        postgresql_include=["state"],
    )
    op.create_table(
        "outgoing_events",
        sa.Column("p", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("position", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.SmallInteger(), nullable=False),
        sa.Column("business_id", sa.SmallInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("object", sa.Text(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("bytes_through", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("p", "position", name="outgoing_events_pkey"),
    )
    op.create_table(
        "outgoing_heads",
        sa.Column("p", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("added", sa.BigInteger(), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("p", name="outgoing_heads_pkey"),
    )
    op.create_table(
        "partitions",
        sa.Column("p", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("owner", sa.Text(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), server_default=sa.text("'-infinity'"), nullable=False),
        sa.Column("epoch", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("head", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("direct", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("drained", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("reconciled_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("drift", postgresql.JSONB(), server_default=sa.text("'{}'"), nullable=False),
        sa.PrimaryKeyConstraint("p", name="partitions_pkey"),
    )
    op.create_table(
        "persisted_operations",
        sa.Column("id", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("imported_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name="persisted_operations_pkey"),
    )
    op.create_table(
        "persisted_usage",
        sa.Column("operation_id", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("client", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("version", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("requests", sa.BigInteger(), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("operation_id", "client", "version", name="persisted_usage_pkey"),
    )
    op.create_table(
        "persisted_version_operations",
        sa.Column("client", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("version", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("operation_id", sa.Text(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("client", "version", "operation_id", name="persisted_version_operations_pkey"),
    )
    op.create_index(
        op.f("persisted_version_operations_operation_id_idx"), "persisted_version_operations", ["operation_id"]
    )
    op.create_table(
        "persisted_versions",
        sa.Column("client", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("version", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("imported_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("withdrawn", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("client", "version", name="persisted_versions_pkey"),
    )
    op.create_table(
        "persisted_withdrawals",
        sa.Column("operation_id", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("withdrawn_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("operation_id", name="persisted_withdrawals_pkey"),
    )
    op.create_table(
        "pinned_posts",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("post_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("pinned", sa.Boolean(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "post_id", name="pinned_posts_pkey"),
    )
    op.create_table(
        "posts",
        sa.Column("post_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("author_id", sa.BigInteger(), nullable=False),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("images", postgresql.JSONB(), nullable=False),
        sa.Column("topics", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("status", sa.SmallInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("deleted", sa.Boolean(), nullable=False),
        sa.Column("edited_ms", sa.BigInteger(), nullable=True),
        sa.Column("content_version", sa.BigInteger(), nullable=False),
        sa.Column("audit_version", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("custom", sa.Text(), nullable=True),
        sa.Column("ip", postgresql.INET(), nullable=True),
        sa.Column("device", sa.Text(), nullable=True),
        sa.Column("client", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("post_id", name="posts_pkey"),
    )
    op.create_index(
        "posts_recent_idx",
        "posts",
        [sa.literal_column("moment DESC"), sa.literal_column("post_id DESC")],
        postgresql_where=sa.text("status = 1 AND NOT deleted"),
    )
    op.create_index(
        "posts_waiting_idx", "posts", ["moment", "post_id"], postgresql_where=sa.text("status = 0 AND NOT deleted")
    )
    op.create_table(
        "profile_reviews",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("field", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("partition", sa.SmallInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "field", name="profile_reviews_pkey"),
    )
    op.create_index("profile_reviews_due_idx", "profile_reviews", ["partition", "version"])
    op.create_table(
        "reactions",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("owner_id", sa.BigInteger(), nullable=True),
        sa.Column("state", sa.SmallInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("prev_state", sa.SmallInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("prev_owner_id", sa.BigInteger(), nullable=True),
        sa.Column("had_liked", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column(
            "moment",
            sa.BigInteger(),
            sa.Computed("((version >> 20) << 10) | least(version & 1048575, 1023)", persisted=True),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("user_id", "business_id", "entity_id", name="reactions_pkey"),
    )
    op.create_index(
        "reactions_dislikers_idx", "reactions", ["business_id", "entity_id"], postgresql_where=sa.text("state = 2")
    )
    op.create_index(
        "reactions_likers_idx",
        "reactions",
        ["business_id", "entity_id", sa.literal_column("moment DESC"), sa.literal_column("user_id DESC")],
        postgresql_where=sa.text("state = 1"),
    )
    op.create_index("reactions_received_idx", "reactions", ["owner_id"], postgresql_where=sa.text("state = 1"))
    op.create_index(
        "reactions_recent_idx",
        "reactions",
        ["user_id", "business_id", sa.literal_column("moment DESC"), sa.literal_column("entity_id DESC")],
        postgresql_where=sa.text("state <> 0"),
    )
    op.create_table(
        "records",
        sa.Column("actor_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("bucket", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("actor_id", "business_id", "entity_id", "kind", "bucket", name="records_pkey"),
    )
    op.create_index("records_counted_idx", "records", ["business_id", "kind", "entity_id"])
    op.create_index("records_version_idx", "records", ["version"])
    op.create_table(
        "reports",
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("reporter_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("author_id", sa.BigInteger(), nullable=True),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.SmallInteger(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("weight", sa.SmallInteger(), nullable=False),
        sa.Column("network", sa.Text(), nullable=True),
        sa.Column("status", sa.SmallInteger(), nullable=False),
        sa.PrimaryKeyConstraint("business_id", "entity_id", "reporter_id", name="reports_pkey"),
    )
    op.create_index("reports_made_idx", "reports", ["reporter_id", "status"])
    op.create_index(
        "reports_network_idx",
        "reports",
        ["business_id", "entity_id", "network"],
        postgresql_where=sa.text("status = 0"),
    )
    op.create_index(
        "reports_newest_idx", "reports", ["business_id", "entity_id", "status", sa.literal_column("version DESC")]
    )
    op.create_index("reports_received_idx", "reports", ["author_id", "status"])
    op.create_table(
        "requested_follows",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("followee_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "followee_id", name="requested_follows_pkey"),
    )
    op.create_table(
        "reviews",
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("partition", sa.SmallInteger(), nullable=False),
        sa.Column("content_version", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("business_id", "entity_id", name="reviews_pkey"),
    )
    op.create_index("reviews_due_idx", "reviews", ["partition", "content_version"])
    op.create_table(
        "saves",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("collection_id", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("prev_collection_id", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column(
            "moment",
            sa.BigInteger(),
            sa.Computed("((version >> 20) << 10) | least(version & 1048575, 1023)", persisted=True),
            nullable=False,
        ),
        sa.Column(
            "kind",
            sa.SmallInteger(),
            sa.Computed("CASE business_id WHEN 2 THEN 1 WHEN 4 THEN 2 ELSE 3 END", persisted=True),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("user_id", "business_id", "entity_id", name="saves_pkey"),
    )
    op.create_index(
        "saves_collection_idx",
        "saves",
        [
            "user_id",
            "collection_id",
            "kind",
            sa.literal_column("moment DESC"),
            sa.literal_column("business_id DESC"),
            sa.literal_column("entity_id DESC"),
        ],
        postgresql_where=sa.text("collection_id > 1"),
    )
    op.create_index(
        "saves_recent_idx",
        "saves",
        [
            "user_id",
            "kind",
            sa.literal_column("moment DESC"),
            sa.literal_column("business_id DESC"),
            sa.literal_column("entity_id DESC"),
        ],
        postgresql_where=sa.text("collection_id <> 0"),
    )
    op.create_index(
        "saves_savers_idx", "saves", ["business_id", "entity_id"], postgresql_where=sa.text("collection_id <> 0")
    )
    op.create_table(
        "swept_records",
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("business_id", "kind", "entity_id", name="swept_records_pkey"),
    )
    op.create_table(
        "thread_mutes",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("stands", sa.Boolean(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "business_id", "entity_id", name="thread_mutes_pkey"),
    )
    op.create_table(
        "topic_posts",
        sa.Column("topic_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("post_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("moment", sa.BigInteger(), nullable=False),
        sa.Column("score", sa.BigInteger(), nullable=False),
        sa.Column("score_version", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("counted", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.PrimaryKeyConstraint("topic_id", "post_id", name="topic_posts_pkey"),
        postgresql_with={"autovacuum_vacuum_scale_factor": 0.01, "autovacuum_vacuum_insert_scale_factor": 0.01},
    )
    op.create_index(
        "topic_posts_hot_idx",
        "topic_posts",
        ["topic_id", sa.literal_column("score DESC"), sa.literal_column("post_id DESC")],
    )
    op.create_index(
        "topic_posts_latest_idx",
        "topic_posts",
        ["topic_id", sa.literal_column("moment DESC"), sa.literal_column("post_id DESC")],
        postgresql_where=sa.text("topic_id <> 0"),
    )
    op.create_table(
        "topic_recounts",
        sa.Column("author_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("reached", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("author_id", name="topic_recounts_pkey"),
    )
    op.create_table(
        "topics",
        sa.Column("topic_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("topic_id", name="topics_pkey"),
    )
    op.create_table(
        "traces",
        sa.Column("author_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("content", sa.BigInteger(), nullable=True),
        sa.Column("links", postgresql.ARRAY(sa.BigInteger()), nullable=False),
        sa.Column("network", sa.Text(), nullable=True),
        sa.Column("device", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("author_id", "business_id", "entity_id", name="traces_pkey"),
    )
    op.create_index("traces_device_idx", "traces", ["device", "at_ms"], postgresql_where=sa.text("device IS NOT NULL"))
    op.create_index(
        "traces_network_idx", "traces", ["network", "at_ms"], postgresql_where=sa.text("network IS NOT NULL")
    )
    op.create_index(
        "traces_old_idx", "traces", ["at_ms"], postgresql_where=sa.text("network IS NOT NULL OR device IS NOT NULL")
    )
    op.create_index("traces_recent_idx", "traces", ["author_id", sa.literal_column("at_ms DESC")])
    op.create_table(
        "untold",
        sa.Column("p", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("untold_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("notices", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("p", "untold_id", name="untold_pkey"),
    )
    # Rows live for seconds. Compressing them costs more than it saves.
    op.execute("ALTER TABLE untold ALTER notices SET STORAGE EXTERNAL")
    op.create_table(
        "users",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("handle", sa.Text(), nullable=False),
        sa.Column("display_name", sa.Text(), nullable=False),
        sa.Column("avatar_url", sa.Text(), nullable=True),
        sa.Column("bio", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("version", sa.BigInteger(), server_default=sa.text("1"), nullable=False),
        sa.Column("is_private", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("suspended", sa.SmallInteger(), nullable=True),
        sa.Column("suspended_until_ms", sa.BigInteger(), nullable=True),
        sa.Column("suspension_reason", sa.Text(), nullable=True),
        sa.Column("suspension_version", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("custom", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("user_id", name="users_pkey"),
    )
    op.create_index(
        "users_suspension_end_idx",
        "users",
        ["suspended_until_ms"],
        postgresql_where=sa.text("suspended_until_ms IS NOT NULL"),
    )
    op.create_table(
        "word_lists",
        sa.Column("revision", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("changed_by", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("revision", name="word_lists_pkey"),
    )
    op.create_table(
        "workers",
        sa.Column("worker", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("seen_until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("redis_seen", sa.DateTime(timezone=True), server_default=sa.text("'-infinity'"), nullable=False),
        sa.Column("settle_ms", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("worker", name="workers_pkey"),
    )


def downgrade() -> None:
    raise NotImplementedError("There is no older revision.")


def _partition(log: str) -> None:
    """Creates the first partitions of a log: one until a Monday in five to six weeks, and one for rows that belong to
    no other. Workers create a partition for each later week.
    """
    in_five_weeks = datetime.now(UTC).date() + timedelta(weeks=5)
    monday = in_five_weeks + timedelta(days=7 - in_five_weeks.weekday())
    bound = int(datetime(monday.year, monday.month, monday.day, tzinfo=UTC).timestamp() * 1000) << 20
    op.execute(f"CREATE TABLE {log}_first PARTITION OF {log} FOR VALUES FROM (MINVALUE) TO ({bound})")
    op.execute(f"CREATE TABLE {log}_default PARTITION OF {log} DEFAULT")
