"""The pages about Oudjat say what is there, and what they say holds."""

from __future__ import annotations

import doctest
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from oudjat.cli import app
from oudjat.engine.levels import LEVELS
from oudjat.house import passkeys, requests, sessions
from oudjat.house.events import Event
from oudjat.house.followers import UNNUMBERED
from oudjat.house.openapi import describe
from oudjat.house.paint import TableView
from oudjat.rules.registry import GAMES
from tests.serving import Player, Server
from tests.timing import PATIENCE, wait_until

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
TEXTS = {page: page.read_text("utf-8") for page in PAGES}
EVERYTHING = "\n".join(TEXTS.values())
BOT = ROOT / "docs" / "example_bot.py"
GROUPS = {
    name: [f"{name} {sub}" for sub in app[name] if not sub.startswith("-")]
    for name in ("account", "research")
}
SUBCOMMANDS = [sub for name in app if not name.startswith("-") for sub in GROUPS.get(name, [name])]
MARKDOWN = MarkdownIt("commonmark").enable("table")

pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def tokens(page: Path) -> Iterator[Token]:
    """All of a page's tokens, those inside of others too."""
    for token in MARKDOWN.parse(TEXTS[page]):
        yield token
        yield from token.children or ()


def blocks(page: Path, kind: str) -> Iterator[str]:
    """The code blocks of one kind: ``python``, ``console``, ``sh``."""
    return (token.content for token in tokens(page) if token.type == "fence" and token.info == kind)


def links(page: Path) -> Iterator[str]:
    """Where a page's links lead and its pictures come from."""
    for token in tokens(page):
        if token.type in ("link_open", "image"):
            yield str(token.attrs.get("href") or token.attrs["src"])
        elif token.type in ("html_block", "html_inline"):
            yield from re.findall(r'(?:src|srcset|href)="([^"]+)"', token.content)


def anchors(page: Path) -> set[str]:
    """The places in a page that a link can name: its headings, as code hosts spell them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def named(word: str) -> bool:
    """Whether some page names it, as a whole word."""
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", EVERYTHING) is not None


# --- what there is, is told -----------------------------------------------------------------------------


def options(subcommand: str) -> set[str]:
    """The options of a subcommand as they are written."""
    command = app
    for name in subcommand.split():
        command = command[name]
    arguments = command.assemble_argument_collection()
    return {name for argument in arguments for name in argument.names if name.startswith("--")}


@pytest.mark.parametrize("subcommand", SUBCOMMANDS)
def test_every_subcommand_and_its_options_are_told(subcommand: str) -> None:
    assert named(f"oudjat {subcommand}")
    assert [option for option in sorted(options(subcommand)) if not named(option)] == []


def test_the_tables_of_options_are_whole_and_name_every_game_and_how_many_play() -> None:
    assert rows("players.md", "| option | what it takes |") == options("play")
    assert rows("bots.md", "| option | means |") == options("match")
    text = TEXTS[ROOT / "docs" / "players.md"]
    (games,) = re.findall(r"^\| `--game`.+$", text, re.MULTILINE)
    (seats,) = re.findall(r"^\| `--seats`.+$", text, re.MULTILINE)
    for game in GAMES.values():
        assert f"`{game.id}`" in games
        assert len(game.players) == 1 or f"{game.name} {game.players[0]} to {game.players[-1]}" in seats
    assert {level for level in LEVELS if f"`{level}`" in seats} == set(LEVELS)


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_is_told(level: str) -> None:
    assert f"`{level}`" in TEXTS[ROOT / "docs" / "players.md"]
    assert f"`{level}`" in TEXTS[ROOT / "docs" / "bots.md"]


@pytest.mark.parametrize("game", GAMES)
def test_every_option_of_a_game_with_its_values_and_every_variant_are_told(game: str) -> None:
    assert named(game)
    for option in GAMES[game].options:
        for value in option.values:
            assert f"`{option.key}={value}`" in EVERYTHING
    for variant in GAMES[game].variants:
        assert f"`{variant}`" in EVERYTHING


def test_every_route_of_the_api_is_told_and_no_other() -> None:
    routes = {
        f"{method.upper()} {path}" for path, methods in describe()["paths"].items() for method in methods
    }
    told = set(re.findall(r"^\| `((?:GET|POST|DELETE) /api/[^`]+)` \|", EVERYTHING, re.MULTILINE))
    assert told == routes


def test_every_refusal_of_the_api_is_told() -> None:
    described = {
        status
        for methods in describe()["paths"].values()
        for operation in methods.values()
        for status in operation["responses"]
        if status >= "4"
    }
    told = re.findall(r"^\| (\d{3}) \|", TEXTS[ROOT / "docs" / "bots.md"], re.MULTILINE)
    assert described - set(told) == set()


def rows(page: str, heading: str) -> set[str]:
    """What the first column of a table names, of the one under this heading of a page."""
    text = TEXTS[ROOT / "docs" / page]
    table = text[text.index(heading) :].partition("\n\n")[0]
    return {name for row in table.splitlines()[2:] for name in re.findall(r"`([^`]+)`", row.split("|")[1])}


def test_every_kind_of_event_every_field_of_a_table_and_every_word_of_a_stream_is_told() -> None:
    kinds = {str(event.__struct_config__.tag) for event in get_args(Event)}
    assert rows("bots.md", "| kind | what happened |") == kinds
    assert rows("bots.md", "| field | holds |") == set(TableView.__struct_fields__)
    assert rows("bots.md", "| event | data | says |") == set(UNNUMBERED.values())


def test_the_refusals_that_schemathesis_lets_pass_are_told() -> None:
    settings = tomllib.loads((ROOT / "schemathesis.toml").read_text("utf-8"))
    statuses = settings["checks"]["positive_data_acceptance"]["expected-statuses"]
    text = TEXTS[ROOT / "docs" / "bots.md"]
    told = text[text.index("`schemathesis.toml`") :].partition("\n\n")[0]
    assert set(re.findall(r"\b[45]\d\d\b", told)) == {status for status in statuses if status.isdigit()}


def test_every_variable_of_the_environment_is_told() -> None:
    sources = [*(ROOT / "src").rglob("*.py"), *(ROOT / "script").iterdir(), *(ROOT / "tests").rglob("*.py")]
    used = set(re.findall(r"OUDJAT_[A-Z_]*[A-Z]", "".join(source.read_text("utf-8") for source in sources)))
    assert used
    assert [variable for variable in sorted(used) if not named(variable)] == []


def test_everything_that_a_browser_keeps_is_told_and_nothing_else() -> None:
    modules = (requests, sessions, passkeys)
    cookies = {
        str(value) for module in modules for name, value in vars(module).items() if name.endswith("_COOKIE")
    }
    scripts = "".join(file.read_text("utf-8") for file in (ROOT / "src/oudjat/house/static").glob("*.js"))
    _, _, privacy = TEXTS[ROOT / "docs" / "players.md"].partition("## Privacy")
    assert set(re.findall(r"^\| `(\w+)` \|", privacy, re.MULTILINE)) == cookies
    assert set(re.findall(r"remembers under `(\w+)`", privacy)) == set(
        re.findall(r'(?:local|session)Storage\.setItem\("(\w+)"', scripts)
    )


def test_every_script_is_told() -> None:
    assert [script.name for script in (ROOT / "script").iterdir() if not named(f"script/{script.name}")] == []


def test_every_dependency_is_told() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    names = {re.split(r"[<>=;~! \[]", needed)[0] for needed in project["dependencies"]}
    rows = re.findall(
        r"^\| ([a-z0-9, -]+) \| .+ \| .+ \|$", TEXTS[ROOT / "docs" / "architecture.md"], re.MULTILINE
    )
    assert {name for row in rows for name in row.split(", ")} >= names


def test_the_layers_are_those_that_are_checked() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (layers,) = (contract["layers"] for contract in contracts if contract["type"] == "layers")
    checked = [
        {room.strip().removeprefix("oudjat.") for room in layer.split("|")} for layer in reversed(layers)
    ]
    (line,) = re.findall(r"^`rules` < .+$", TEXTS[ROOT / "docs" / "architecture.md"], re.MULTILINE)
    assert [set(re.findall(r"`(\w+)`", layer)) for layer in line.split("<")] == checked


# --- what is told, is there -----------------------------------------------------------------------------


@pages
def test_every_link_and_picture_leads_somewhere(page: Path) -> None:
    for link in links(page):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, place = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), link
        assert not place or place in anchors(target), link


@pages
def test_every_file_and_test_that_is_named_exists(page: Path) -> None:
    code = [token.content for token in tokens(page) if token.type == "code_inline"]
    for name in code:
        if re.fullmatch(r"(src|tests|script|benchmarks|docs|requirements)/[\w./-]*", name):
            assert (ROOT / name).exists(), name
        elif re.fullmatch(r"(rules|engine|texts|house|terminal|static)/[a-z_./]*", name):
            folder = ROOT / "src" / "oudjat" / ("house" if name.startswith("static/") else "")
            assert (folder / name).exists(), name
    tests = "".join(file.read_text("utf-8") for file in (ROOT / "tests").rglob("test_*.py"))
    for name in code:
        if re.fullmatch(r"test_\w+", name):
            assert f"def {name}(" in tests, name


@pages
def test_every_command_names_what_there_is(page: Path) -> None:
    for block in [*blocks(page, "sh"), *blocks(page, "console")]:
        for subcommand, rest in re.findall(
            r"(?:^|/| )oudjat ((?:account|research) [\w-]+|\w+)(.*)$", block, re.MULTILINE
        ):
            assert subcommand in SUBCOMMANDS
            assert set(re.findall(r"--[\w-]+", rest)) <= options(subcommand), rest


@pages
def test_the_examples_in_python_hold(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    source = "".join(block for block in blocks(page, "python") if ">>>" in block)
    examples = doctest.DocTestParser().get_doctest(source, {}, page.name, str(page), 0)
    said: list[str] = []
    doctest.DocTestRunner().run(examples, out=said.append)
    assert "".join(said) == ""


def transcripts() -> list[tuple[str, str]]:
    """Every command in a ``console`` block and what it prints."""
    sessions = [
        session for page in PAGES for block in blocks(page, "console") for session in block.split("$ ")[1:]
    ]
    return [(command, printed) for command, _, printed in (session.partition("\n") for session in sessions)]


@pytest.mark.parametrize(("command", "printed"), transcripts())
def test_the_examples_at_the_command_line_hold(command: str, printed: str) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        capture_output=True, text=True, timeout=PATIENCE, check=False, cwd=ROOT,
        env=os.environ | {"PATH": path, "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"},
    )  # fmt: skip
    assert done.stdout == printed


def test_the_match_on_the_page_comes_out_as_it_says() -> None:
    text = TEXTS[ROOT / "docs" / "bots.md"]
    command = "oudjat match priest scribe --games 20 --json"
    told = json.loads(text[text.index(f"`{command}`") :].split("```json")[1].partition("```")[0])
    program = Path(sys.executable).with_name("oudjat")
    done = subprocess.run(
        [program, *command.split()[1:]], capture_output=True, timeout=5 * PATIENCE, check=True, cwd=ROOT
    )
    came = json.loads(done.stdout)
    assert {**came, "seconds": told["seconds"]} == told


def start_bot(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "error", str(BOT), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_the_example_bot_is_short_and_plays_a_whole_game(tmp_path: Path) -> None:
    assert len(BOT.read_text("utf-8").splitlines()) < 60
    server = Server(tmp_path / "house.db")
    try:
        bot = start_bot(server.url)
        said, complaints = bot.communicate(timeout=5 * PATIENCE)
    finally:
        assert server.stop() == 0
    assert (bot.returncode, complaints) == (0, "")
    assert re.search(r"^(Example|Scribe)( and Scribe)? (wins|share the win) with ", said)


def test_two_bots_with_tokens_meet_and_play_a_whole_rated_game(tmp_path: Path) -> None:
    server = Server(tmp_path / "house.db")
    try:
        owner = Player(server.url)
        wish = {"name": "Ada", "password": "as long as the river"}
        assert owner.http.post("/api/me/sign-up", json=wish).status_code == 201
        tokens = [
            owner.http.post("/api/me/bots", json={"name": name}).json()["token"] for name in ("Ibis", "Heron")
        ]
        bots = [start_bot(server.url, tokens[0])]
        wait_until(lambda: owner.http.get("/api/tables").json()["open"] != [], "the first does not sit down")
        (waiting,) = owner.http.get("/api/tables").json()["open"]
        front = owner.http.get("/").text
        bots.append(start_bot(server.url, tokens[1]))
        said = [bot.communicate(timeout=5 * PATIENCE) for bot in bots]
        table = owner.http.get(f"/api/tables/{waiting['table']}").json()
    finally:
        assert server.stop() == 0
    assert [bot.returncode for bot in bots] == [0, 0], said
    assert said[0] == said[1] == (f"{table['result']}\n", "")
    assert (table["status"], table["rated"], waiting["rated"]) == ("over", True, True)
    clock = waiting["clock"]
    asked = f"{clock['kind']}:{clock['seconds']}+{clock['increment']}"
    assert f'<option value="{asked}">' in front.partition('name="clock"')[2], (
        "quick pairing offers people the same"
    )
    assert {(seat["name"], seat["bot_of"]) for seat in table["seats"]} == {("Ibis", "Ada"), ("Heron", "Ada")}


def test_the_readme_is_short_and_says_nothing_of_this_machine() -> None:
    assert len(TEXTS[ROOT / "README.md"].splitlines()) < 120
    assert not re.search(r"/home/|/Users/|localhost:|pypi", EVERYTHING, re.IGNORECASE)
    assert str(ROOT) not in EVERYTHING


def test_the_changes_name_this_version() -> None:
    import oudjat

    assert f"## [{oudjat.__version__}]" in TEXTS[ROOT / "CHANGELOG.md"]
