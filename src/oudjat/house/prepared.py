"""Statements for many rows whose SQL is made once. What SQLAlchemy does anew at every execution costs more than the
database does; the connection, its transactions and its errors stay SQLAlchemy's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa


class Prepared:
    """An insert, update or delete in a dialect's own SQL.

    >>> from oudjat.house.schema import seats
    >>> str(Prepared(sa.insert(seats), sa.create_engine("sqlite://").dialect))
    'INSERT INTO seats (table_id, seat, holder) VALUES (?, ?, ?)'
    """

    def __init__(self, statement: sa.Insert | sa.Update | sa.Delete, dialect: sa.Dialect) -> None:
        compiled = statement.compile(dialect=dialect)
        self._sql = str(compiled)
        self._order = compiled.positiontup

    def __str__(self) -> str:
        return self._sql

    def run(self, connection: sa.Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Execute it for every row; nothing is done for none."""
        if not rows:
            return
        parameters: Any = rows
        if self._order is not None:
            order = self._order
            parameters = [tuple([row[name] for name in order]) for row in rows]
        connection.exec_driver_sql(self._sql, parameters)
