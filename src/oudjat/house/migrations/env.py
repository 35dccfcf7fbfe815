"""How Alembic runs our migrations: on the connection that ``house.database`` hands over, in its transaction."""

from alembic import context

from oudjat.house.schema import metadata

context.configure(
    connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=False
)
context.run_migrations()
