"""What the lobby asks of tables, and when their time is over."""

import sqlalchemy as sa
from alembic import op

revision = "v03"
down_revision = "v02"


def upgrade() -> None:
    """Add the columns; tables from before are private and have no clock."""
    op.add_column("tables", sa.Column("deadline", sa.Float))
    op.add_column("tables", sa.Column("game", sa.Text, nullable=False, server_default=""))
    op.add_column("tables", sa.Column("public", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("tables", sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("tables", sa.Column("free", sa.Integer, nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("pairing", sa.Text))
    op.add_column("tables", sa.Column("listing", sa.Text, nullable=False, server_default=""))
    op.create_index("tables_by_deadline", "tables", ["deadline"])
    op.create_index("tables_by_pairing", "tables", ["pairing"], unique=True)
    op.create_index("tables_in_the_lobby", "tables", ["public", "status", "changed_at"])
