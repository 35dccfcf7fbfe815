"""What the house keeps, as tables of a database: SQLite or PostgreSQL, the same for both.

A change here comes with a migration in ``migrations/versions``; a test compares the two.
"""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()
meta = sa.Table(
    "meta",
    metadata,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
events = sa.Table(
    "events",
    metadata,
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)
tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("opened_at", sa.Float, nullable=False),
    sa.Column("changed_at", sa.Float, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("bot_due", sa.Boolean, nullable=False),
    sa.Column("deadline", sa.Float),
    sa.Column("game", sa.Text, nullable=False, server_default=""),
    sa.Column("public", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("free", sa.Integer, nullable=False, server_default="0"),
    sa.Column("pairing", sa.Text),
    sa.Column("listing", sa.Text, nullable=False, server_default=""),
    sa.Index("tables_by_bot_due", "bot_due", "status"),
    sa.Index("tables_by_deadline", "deadline"),
    sa.Index("tables_by_pairing", "pairing", unique=True),
    sa.Index("tables_in_the_lobby", "public", "status", "changed_at"),
)
"""``deadline`` is the moment of the house's time after which somebody must look at the table, ``free`` how many seats
wait for somebody, ``pairing`` what those who asked for a quick pairing agree on while one is waited for (one table at
a time), ``listing`` what the lobby shows, as JSON."""
seats = sa.Table(
    "seats",
    metadata,
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("holder", sa.Text, nullable=False),
    sa.Index("seats_by_holder", "holder"),
)

accounts = sa.Table(
    "accounts",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("owner", sa.Text),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("key", sa.Text, nullable=False),
    sa.Column("holder", sa.Text, nullable=False),
    sa.Column("made_at", sa.Float, nullable=False),
    sa.Column("signed_out_at", sa.Float, nullable=False),
    sa.Column("shows_memory", sa.Boolean, nullable=False),
    sa.Index("accounts_by_key", "key", unique=True),
    sa.Index("accounts_by_holder", "holder", unique=True),
    sa.Index("accounts_by_owner", "owner"),
    sa.Index("accounts_by_signed_out_at", "signed_out_at"),
)
"""People who signed up, and their bots (``kind`` is ``bot``, ``owner`` the person's id). ``key`` is the name as it is
compared, ``holder`` what the account's seats are stored under. ``signed_out_at`` is when a session of it last ended."""
passwords = sa.Table(
    "passwords",
    metadata,
    sa.Column("account", sa.Text, primary_key=True),
    sa.Column("hash", sa.Text, nullable=False),
)
passkeys = sa.Table(
    "passkeys",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("account", sa.Text, nullable=False),
    sa.Column("public_key", sa.LargeBinary, nullable=False),
    sa.Column("sign_count", sa.BigInteger, nullable=False),
    sa.Column("label", sa.Text, nullable=False),
    sa.Column("made_at", sa.Float, nullable=False),
    sa.Index("passkeys_by_account", "account"),
)
sessions = sa.Table(
    "sessions",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("account", sa.Text, nullable=False),
    sa.Column("made_at", sa.Float, nullable=False),
    sa.Column("seen_at", sa.Float, nullable=False),
    sa.Column("browser", sa.Text, nullable=False),
    sa.Index("sessions_by_account", "account"),
)
"""Browsers that are signed in; ``id`` is the hash of what the browser keeps."""
tokens = sa.Table(
    "tokens",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("account", sa.Text, nullable=False),
    sa.Column("label", sa.Text, nullable=False),
    sa.Column("made_at", sa.Float, nullable=False),
    sa.Column("used_on", sa.Text, nullable=False),
    sa.Index("tokens_by_account", "account"),
)
"""Tokens of bots; ``id`` is the hash of what the program keeps, ``used_on`` a day, or empty."""
spent = sa.Table(
    "spent",
    metadata,
    sa.Column("challenge", sa.Text, primary_key=True),
    sa.Column("until", sa.Float, nullable=False),
)
"""Challenges to passkeys that were answered, kept for as long as they would have been good."""
handovers = sa.Table(
    "handovers",
    metadata,
    sa.Column("holder", sa.Text, primary_key=True),
    sa.Column("heir", sa.Text),
)
"""Seats that are on their way: those of ``holder`` to ``heir``, or to nobody. A row goes when all have arrived; of an
account that is gone a little later, see ``house.handovers``."""
channels = sa.Table(
    "channels",
    metadata,
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
    sa.Index("channels_by_holder", "holder"),
    sa.Index("channels_by_created_at", "created_at"),
)
"""Where players are told what they wait for, see ``house.channels``."""
notices = sa.Table(
    "notices",
    metadata,
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
    sa.Index("notices_by_due_at", "due_at"),
    sa.Index("notices_by_channel", "channel", "table_id"),
)
"""What is to be told and has not been yet, see ``house.outbox``."""
presence = sa.Table(
    "presence",
    metadata,
    sa.Column("holder", sa.Text, primary_key=True),
    sa.Column("seen_at", sa.Float, nullable=False),
)
"""When players who are told something were here last."""
ratings = sa.Table(
    "ratings",
    metadata,
    sa.Column("player", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("variant", sa.Text, primary_key=True),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
    sa.Column("shown", sa.Integer, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
    sa.Index("ratings_by_shown", "game", "variant", "shown"),
)
"""How strong a player is: an account's id, or ``level:NAME`` for the bots of a level. ``shown`` is what people see."""
rating_changes = sa.Table(
    "rating_changes",
    metadata,
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
    sa.Index("rating_changes_by_player", "player", "at"),
)
"""What a rated table did to a seat's player (empty when his account is gone): his place, his rating as shown before and
after, his first turn, and what his placements count (see :mod:`oudjat.study.recall`)."""
rated_tables = sa.Table(
    "rated_tables",
    metadata,
    sa.Column("table_id", sa.Text, primary_key=True),
)
"""Tables that have been rated, or that there was nothing to rate of: never again."""

watching = sa.Table(
    "watching",
    metadata,
    sa.Column("process", sa.Text, primary_key=True),
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("watchers", sa.Integer, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Index("watching_by_time", "at"),
)
"""How many watch a table with each process, where several keep the house; rows that are not renewed count no more."""
