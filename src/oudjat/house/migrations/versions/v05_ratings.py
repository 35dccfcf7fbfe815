"""Ratings, and what each rated table did to them."""

import sqlalchemy as sa
from alembic import op

revision = "v05"
down_revision = "v04"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "ratings",
        sa.Column("player", sa.Text, primary_key=True),
        sa.Column("game", sa.Text, primary_key=True),
        sa.Column("variant", sa.Text, primary_key=True),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("shown", sa.Integer, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
    )
    op.create_index("ratings_by_shown", "ratings", ["game", "variant", "shown"])
    op.create_table(
        "rating_changes",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("variant", sa.Text, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("before", sa.Integer, nullable=False),
        sa.Column("after", sa.Integer, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("opening", sa.Text, nullable=False),
        sa.Column("recall", sa.Float, nullable=False),
        sa.Column("recalls", sa.Integer, nullable=False),
    )
    op.create_index("rating_changes_by_player", "rating_changes", ["player", "at"])
    op.create_table("rated_tables", sa.Column("table_id", sa.Text, primary_key=True))
