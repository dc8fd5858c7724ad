"""The documents: links lead somewhere, printed commands exist, and the whole stays short."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

from web.__main__ import tablescore

ROOT = Path(__file__).parent.parent
DOCS = sorted((ROOT / "docs").rglob("*.md"))
PAGES = [*sorted(ROOT.glob("*.md")), *DOCS]
FIGURES = re.compile(r"(benchmark-.*|budget|scale|screenshots)\.md")  # measured, not written
APPLIANCE = ("update", "uninstall")  # of install.sh
MOST_PAGES, MOST_WORDS = 70, 40_000


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    bare = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.replace(" ", "-") for heading in bare}


def dead_links(page: Path) -> Iterator[str]:
    """The links of a page to a file or a heading that is not there."""
    for target in re.findall(r"\]\((?!https?:)([^)\s]+)\)", page.read_text(encoding="utf-8")):
        name, _, anchor = target.partition("#")
        linked = (page.parent / name).resolve() if name else page
        if not linked.exists() or (anchor and anchor not in anchors(linked)):
            yield target


def printed_calls(page: Path) -> Iterator[list[str]]:
    """The calls of `tablescore` in code on a page, as words."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"^ *```\w*\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL)
    lines = [line.split(" # ")[0] for block in blocks for line in block.splitlines()]
    spans = re.findall(r"`([^`\n]+)`", text)
    for line in (*lines, *spans):
        found = re.search(r"(?:^ *|\$ |/bin/|sudo |table )tablescore ([a-z][^|;>&]*)", line)
        if found is not None and found[1].split()[0] not in APPLIANCE:
            yield found[1].split()


def unknown(words: list[str]) -> str | None:
    """What of a call no command has: its name or an option."""
    command: click.Command = tablescore
    for word in words:
        context = click.Context(command)
        found = command.get_command(context, word) if isinstance(command, click.Group) else None
        if found is None:
            break
        command = found
    if command is tablescore:
        return words[0]
    options = {name for each in command.params for name in (*each.opts, *each.secondary_opts)}
    options |= {"--help"} | {name for each in tablescore.params for name in each.opts}
    used = [re.sub(r"[^\w-].*", "", word) for word in words if word.startswith("--")]
    return next((option for option in used if option not in options), None)


def test_every_link_leads_somewhere() -> None:
    """To a file of the repository, and to a heading in it where one is named."""
    dead = {str(page.relative_to(ROOT)): list(dead_links(page)) for page in PAGES}
    assert {page: links for page, links in dead.items() if links} == {}


def test_every_printed_call_is_understood() -> None:
    """Its command exists and takes the options that the page gives it."""
    calls = [(page.name, call) for page in PAGES for call in printed_calls(page)]
    assert len(calls) > MOST_PAGES
    assert [(page, call) for page, call in calls if unknown(call)] == []


def test_the_documents_stay_short() -> None:
    """Whoever adds to them shortens elsewhere."""
    written = [page for page in DOCS if not FIGURES.fullmatch(page.name)]
    assert len(written) <= MOST_PAGES
    assert sum(len(page.read_text(encoding="utf-8").split()) for page in written) <= MOST_WORDS
