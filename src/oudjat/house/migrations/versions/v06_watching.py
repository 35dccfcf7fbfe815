"""How many watch a table with each process."""

import sqlalchemy as sa
from alembic import op

revision = "v06"
down_revision = "v05"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "watching",
        sa.Column("process", sa.Text, primary_key=True),
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("watchers", sa.Integer, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("watching_by_time", "watching", ["at"])
