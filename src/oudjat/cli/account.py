"""``oudjat account``: the people of a house, for who runs it."""

from __future__ import annotations

from typing import Annotated

from cyclopts import App, Parameter

from oudjat.cli.common import app, words_for

account = App(
    name="account",
    help="The people of your house: list them, help who has lost his password, rename and remove.",
)
app.command(account)

Database = Annotated[
    str | None,
    Parameter(
        help="The house's database, as in oudjat serve; default: OUDJAT_DATABASE, or SQLite in your data folder.",
        show_default=False,
    ),
]
Name = Annotated[str, Parameter(help="Whose account, by name, however it is capitalized.")]


@account.command(name="list")
def list_people(
    *,
    as_json: Annotated[bool, Parameter(name="--json", negative="", help="One JSON object a line.")] = False,
    database: Database = None,
) -> int:
    """List everybody who has an account: since when, seen last, how he signs in, his rated games, his bots.

    Example: oudjat account list --json --database sqlite:////var/lib/oudjat/house.db
    """
    from oudjat.house import tending

    words = words_for(None)
    return 2 if words is None else tending.list_people(database, words, as_json=as_json)


@account.command
def password(name: Name, /, *, database: Database = None) -> int:
    """Give an account a new password, printed once on standard output, and sign it out everywhere.

    Example: oudjat account password "Ada Lovelace"
    """
    from oudjat.house import tending

    words = words_for(None)
    return 2 if words is None else tending.new_password(database, words, name)


@account.command
def rename(
    name: Name,
    new: Annotated[str, Parameter(help="What it is called from now on.")],
    /,
    *,
    database: Database = None,
) -> int:
    """Call an account otherwise, by the rules by which a player renames himself.

    Example: oudjat account rename "Ada Lovelace" Ada
    """
    from oudjat.house import tending

    words = words_for(None)
    return 2 if words is None else tending.rename(database, words, name, new)


@account.command
def remove(
    name: Name,
    /,
    *,
    yes: Annotated[bool, Parameter(negative="", help="Do not ask to type the name again.")] = False,
    database: Database = None,
) -> int:
    """Delete an account, as its owner could: the name goes everywhere, the games stay as those of "someone".

    Exit status: 0 removed; 1 the name was not typed again; 2 there is no such account, or no such database.

    Example: oudjat account remove "Ada Lovelace"
    """
    from oudjat.house import tending

    words = words_for(None)
    return 2 if words is None else tending.remove(database, words, name, sure=yes)
