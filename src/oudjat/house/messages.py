"""What a notice says, in the reader's language, and how each kind of channel wants it written.

■ Nothing hidden gets in: names, the game, where the table is, whose turn it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from oudjat.house.answers import table_path
from oudjat.house.channels import Channel
from oudjat.house.outbox import News
from oudjat.house.paint import names_at
from oudjat.house.table import Table
from oudjat.rules.game import N_
from oudjat.rules.registry import game_named
from oudjat.texts import speech
from oudjat.texts.catalog import Words

_TITLES = {
    "turn": N_("Your turn"),
    "time": N_("Your time is running out"),
    "began": N_("The game begins"),
    "sat": N_("{name} has sat down"),
    "over": N_("The game is over"),
}
_MOST_LISTED = 8
_MARKUP = re.compile(r"([\\*_~`|>\[\]()#<-])")


@dataclass(frozen=True, slots=True)
class Message:
    """What is said: ``path`` is where it leads to in the house; a newer message of the same ``tag`` takes its
    place. A digest has ``parts``."""

    kind: str
    title: str
    body: str
    path: str
    tag: str
    parts: tuple[Message, ...] = ()


def message_of(news: News, table: Table, words: Words) -> Message:
    """What is said of a table."""
    names = names_at(table, words)
    others = [names[seat.number - 1] for seat in table.seats if seat.holder != news.holder]
    title = words(_TITLES[news.kind], name=names[news.seat - 1])
    game = game_named(table.opened.game).name
    body = words(N_("{game} with {names}"), game=game, names=speech.listed(words, others))
    return Message(news.kind, title, body, table_path(table.id), table.id)


def digest_of(messages: list[Message], words: Words) -> Message:
    """Several messages in one, each a line."""
    lines = [words(N_("{what}: {where}"), what=one.title, where=one.body) for one in messages[:_MOST_LISTED]]
    more = len(messages) - _MOST_LISTED
    if more > 0:
        lines.append(words.count("and {number} more", "and {number} more", more))
    title = words.count("News from {number} table", "News from {number} tables", len(messages))
    path = messages[0].path if len(messages) == 1 else "/"
    return Message("digest", title, "\n".join(lines), path, "digest", tuple(messages))


def trial(words: Words) -> Message:
    """What is said to try a channel."""
    title = words(N_("This is how the house tells you"))
    return Message(
        "test", title, words(N_("It works: you will be told when it is your turn.")), "/notices", "test"
    )


def written(message: Message, channel: Channel) -> bytes:
    """The body of a message as its channel wants it. For a browser it still has to be sealed."""
    match channel.kind:
        case "push":
            return msgspec.json.encode(
                {
                    "title": message.title,
                    "body": message.body,
                    "path": message.path,
                    "tag": message.tag,
                    "lang": channel.language,
                }
            )
        case "discord":
            content = _lines(message, channel.base, bold="**", plain=_plain_for_discord, link="<{}>")
            return msgspec.json.encode({"content": content, "allowed_mentions": {"parse": []}})
        case "slack":
            return msgspec.json.encode(
                {"text": _lines(message, channel.base, bold="*", plain=_plain_for_slack, link="<{}>")}
            )
        case "json":
            return msgspec.json.encode(_for_programs(message, channel))


def _lines(message: Message, base: str, *, bold: str, plain: Any, link: str) -> str:
    parts = message.parts if len(message.parts) > 1 else ()
    if not parts:
        one = message.parts[0] if message.parts else message
        return f"{bold}{plain(one.title)}{bold}\n{plain(one.body)}\n{link.format(base + one.path)}"
    lines = [f"{bold}{plain(message.title)}{bold}"]
    for text, part in zip(message.body.split("\n"), (*parts[:_MOST_LISTED], None), strict=False):
        lines.append(plain(text) + (f" {link.format(base + part.path)}" if part else ""))
    return "\n".join(lines)


def _plain_for_discord(text: str) -> str:
    return _MARKUP.sub(r"\\\1", text)


def _plain_for_slack(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _for_programs(message: Message, channel: Channel) -> dict[str, Any]:
    told: dict[str, Any] = {
        "kind": message.kind,
        "title": message.title,
        "body": message.body,
        "url": channel.base + message.path,
        "lang": channel.language,
    }
    if message.parts:
        told["parts"] = [_for_programs(replace(part, parts=()), channel) for part in message.parts]
    return told
