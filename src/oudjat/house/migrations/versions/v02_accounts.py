"""Accounts: who signed up, how they prove it, and seats on their way to them."""

import sqlalchemy as sa
from alembic import op

revision = "v02"
down_revision = "v01"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "accounts",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("owner", sa.Text),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("holder", sa.Text, nullable=False),
        sa.Column("made_at", sa.Float, nullable=False),
        sa.Column("signed_out_at", sa.Float, nullable=False),
        sa.Column("shows_memory", sa.Boolean, nullable=False),
    )
    op.create_index("accounts_by_key", "accounts", ["key"], unique=True)
    op.create_index("accounts_by_holder", "accounts", ["holder"], unique=True)
    op.create_index("accounts_by_owner", "accounts", ["owner"])
    op.create_index("accounts_by_signed_out_at", "accounts", ["signed_out_at"])
    op.create_table(
        "passwords",
        sa.Column("account", sa.Text, primary_key=True),
        sa.Column("hash", sa.Text, nullable=False),
    )
    op.create_table(
        "passkeys",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("made_at", sa.Float, nullable=False),
    )
    op.create_index("passkeys_by_account", "passkeys", ["account"])
    op.create_table(
        "sessions",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("made_at", sa.Float, nullable=False),
        sa.Column("seen_at", sa.Float, nullable=False),
        sa.Column("browser", sa.Text, nullable=False),
    )
    op.create_index("sessions_by_account", "sessions", ["account"])
    op.create_table(
        "tokens",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("made_at", sa.Float, nullable=False),
        sa.Column("used_on", sa.Text, nullable=False),
    )
    op.create_index("tokens_by_account", "tokens", ["account"])
    op.create_table(
        "spent",
        sa.Column("challenge", sa.Text, primary_key=True),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.create_table(
        "handovers",
        sa.Column("holder", sa.Text, primary_key=True),
        sa.Column("heir", sa.Text),
    )
