"""Where people meet: tables, seats, events, storage, the web."""
