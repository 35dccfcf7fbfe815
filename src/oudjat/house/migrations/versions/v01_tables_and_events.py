"""The first schema: tables, their events, who sits where."""

import sqlalchemy as sa
from alembic import op

revision = "v01"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    meta = op.create_table(
        "meta",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.bulk_insert(meta, [{"key": "schema", "value": "1"}])
    op.create_table(
        "events",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("opened_at", sa.Float, nullable=False),
        sa.Column("changed_at", sa.Float, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("bot_due", sa.Boolean, nullable=False),
    )
    op.create_index("tables_by_bot_due", "tables", ["bot_due", "status"])
    op.create_table(
        "seats",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("holder", sa.Text, nullable=False),
    )
    op.create_index("seats_by_holder", "seats", ["holder"])
