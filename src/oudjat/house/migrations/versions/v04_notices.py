"""How players who wait are told: their channels, the notices on their way, and when who was here last."""

import sqlalchemy as sa
from alembic import op

revision = "v04"
down_revision = "v03"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "channels",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("holder", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("p256dh", sa.Text, nullable=False),
        sa.Column("auth", sa.Text, nullable=False),
        sa.Column("away_only", sa.Boolean, nullable=False),
        sa.Column("digest_hour", sa.Integer),
        sa.Column("zone", sa.Text, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("base", sa.Text, nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("stopped", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
    )
    op.create_index("channels_by_holder", "channels", ["holder"])
    op.create_index("channels_by_created_at", "channels", ["created_at"])
    op.create_table(
        "notices",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("channel", sa.Text, nullable=False),
        sa.Column("holder", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("due_at", sa.Float, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("claimed_until", sa.Float, nullable=False),
    )
    op.create_index("notices_by_due_at", "notices", ["due_at"])
    op.create_index("notices_by_channel", "notices", ["channel", "table_id"])
    op.create_table(
        "presence",
        sa.Column("holder", sa.Text, primary_key=True),
        sa.Column("seen_at", sa.Float, nullable=False),
    )
