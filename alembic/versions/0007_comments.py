"""Creates the tables for comments. Claims, reviews and traces now hold both posts and comments."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "comment_subjects",
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("floors", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("business_id", "entity_id", name=op.f("comment_subjects_pkey")),
        info={"shard": "entity_id"},
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
        sa.PrimaryKeyConstraint("subject_business", "subject_id", "comment_id", name=op.f("comments_pkey")),
        info={"shard": "subject_id"},
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
        unique=False,
        postgresql_where=sa.text("state = 1"),
    )
    op.create_index(
        "comments_hot_idx",
        "comments",
        ["subject_business", "subject_id", sa.literal_column("score DESC"), sa.literal_column("comment_id DESC")],
        unique=False,
        postgresql_where=sa.text("state = 1 AND root_id = 0"),
    )
    op.create_index(
        "comments_hidden_idx",
        "comments",
        ["author_id", sa.literal_column("moment DESC"), sa.literal_column("comment_id DESC")],
        unique=False,
        postgresql_where=sa.text("state = 0"),
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
        sa.Column("status", sa.SmallInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("deleted", sa.Boolean(), nullable=False),
        sa.Column("floor", sa.Integer(), nullable=True),
        sa.Column("answered", sa.Boolean(), nullable=False),
        sa.Column("content_version", sa.BigInteger(), nullable=False),
        sa.Column("audit_version", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("ip", postgresql.INET(), nullable=True),
        sa.Column("device", sa.Text(), nullable=True),
        sa.Column("client", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("comment_id", name=op.f("comment_contents_pkey")),
        info={"shard": "comment_id"},
    )
    op.create_index(
        "comment_contents_waiting_idx",
        "comment_contents",
        ["moment", "comment_id"],
        unique=False,
        postgresql_where=sa.text("status = 0 AND NOT deleted"),
    )
    op.create_table(
        "claims",
        sa.Column("author_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("entity_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("author_id", "business_id", "key", name=op.f("claims_pkey")),
        info={"shard": "author_id"},
    )
    op.execute("INSERT INTO claims SELECT author_id, 2, key, fingerprint, post_id FROM post_keys")
    op.drop_table("post_keys")
    op.alter_column("reviews", "post_id", new_column_name="entity_id")
    op.add_column("reviews", sa.Column("business_id", sa.SmallInteger(), server_default="2", nullable=False))
    op.alter_column("reviews", "business_id", server_default=None)
    op.drop_constraint("reviews_pkey", "reviews")
    op.create_primary_key("reviews_pkey", "reviews", ["business_id", "entity_id"])
    op.create_table(
        "traces",
        sa.Column("author_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("business_id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("content", sa.BigInteger(), nullable=True),
        sa.Column("links", postgresql.ARRAY(sa.BigInteger()), nullable=False),
        sa.PrimaryKeyConstraint("author_id", "business_id", "entity_id", name=op.f("traces_pkey")),
        info={"shard": "author_id"},
    )
    op.create_index("traces_recent_idx", "traces", ["author_id", sa.literal_column("at_ms DESC")], unique=False)
    op.execute("INSERT INTO traces SELECT author_id, 2, post_id, changed_ms, content, links FROM outboxes")
    for column in ("content", "links", "changed_ms"):
        op.drop_column("outboxes", column)


def downgrade() -> None:
    op.create_table(
        "post_keys",
        sa.Column("author_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("post_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("author_id", "key", name=op.f("post_keys_pkey")),
        info={"shard": "author_id"},
    )
    op.execute("INSERT INTO post_keys SELECT author_id, key, fingerprint, entity_id FROM claims WHERE business_id = 2")
    op.add_column("outboxes", sa.Column("content", sa.BigInteger(), nullable=True))
    op.add_column(
        "outboxes", sa.Column("links", postgresql.ARRAY(sa.BigInteger()), server_default="{}", nullable=False)
    )
    op.add_column("outboxes", sa.Column("changed_ms", sa.BigInteger(), server_default="0", nullable=False))
    op.execute(
        "UPDATE outboxes o SET content = t.content, links = t.links, changed_ms = t.at_ms FROM traces t "
        "WHERE t.author_id = o.author_id AND t.business_id = 2 AND t.entity_id = o.post_id"
    )
    op.alter_column("outboxes", "links", server_default=None)
    op.alter_column("outboxes", "changed_ms", server_default=None)
    op.drop_table("traces")
    op.execute("DELETE FROM reviews WHERE business_id <> 2")
    op.drop_constraint("reviews_pkey", "reviews")
    op.drop_column("reviews", "business_id")
    op.alter_column("reviews", "entity_id", new_column_name="post_id")
    op.create_primary_key("reviews_pkey", "reviews", ["post_id"])
    op.drop_table("claims")
    op.drop_table("comment_contents")
    op.drop_table("comments")
    op.drop_table("comment_subjects")
