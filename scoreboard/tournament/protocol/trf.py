r"""The chess federation's report file, TRF16, of an event of duels by the Swiss system.

write_trf(state)                       # for programs that check or pair chess events
entries_of_trf("001    1 ...")         # "name;rating\nBerg, Nora;1800\n", for `read_entries`

Columns are counted in characters. Who begins a match is White; starting ranks are the order in
which the Dutch system ranks players of equal scores, and not the entry numbers.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from scoreboard.tournament.model.round_draw import seeding
from scoreboard.tournament.model.scoring import as_played
from scoreboard.tournament.model.standings import qualifying_results, standings_of
from scoreboard.tournament.model.tournament import Round, Tournament
from scoreboard.tournament.model.tournament_format import TournamentFormat

_PLAYER: Final = re.compile(r"001 [ 0-9]{3}[0-9] .{4} .")
_LONGEST_NAME: Final = 33
_CHESS: Final = {"W": 1, "D": 0.5, "L": 0, "ZPB": 0, "PAB": 1}  # what each result brings in chess
_NO_OPPONENT: Final = "0000 -"


def has_trf(form: TournamentFormat) -> bool:
    """Whether events of this format have such a file: of a match only who won it counts."""
    return form.system == "swiss" and form.reckoning == "wins"


def write_trf(state: Tournament) -> str:
    """The event as TRF16 with its closed rounds before any cut; the format has to have one.

    Points are those of chess where the format's are in the same proportions, and other scales are
    named in the extension XXS. Players who are away are in XXZ.
    """
    form, ranks = state.format, _starting_ranks(state)
    closed = [each for each in state.rounds if each.phase == "closed" and not each.stage]
    then = replace(state, rounds=tuple(closed))
    totals = qualifying_results(then).totals
    places = {row.entrant: row.place for row in standings_of(then).rows}
    of = {each.number: each for each in state.entrants}
    unit = form.win if form.win == 2 * form.draw > 0 == form.loss else 1
    rounds = [_round_results(ranks, each) for each in closed]
    lines = [
        f"012 {state.title}",
        f"062 {len(of)}",
        f"072 {sum(bool(each.rating) for each in of.values())}",
        f"092 Individual: Swiss-System{' (Dutch)' if form.dutch else ''}",
        f"XXR {max(form.rounds * form.meetings, len(closed))}",
        *_scale(form, unit),
    ]
    if away := sorted(ranks[each] for each in state.away if not state.finished):
        lines.append(f"XXZ {' '.join(map(str, away))}")
    for number, rank in ranks.items():
        who = of[number]
        points = f"{float(totals[number]) / unit:.1f}"
        results = "  ".join(each.get(number, f"{_NO_OPPONENT} Z") for each in rounds)
        lines.append(
            f"001 {rank:4}      {who.name[:_LONGEST_NAME]:33} {who.rating or '':>4} {'':26} "
            f"{points:>4} {places[number]:4}  {results}".rstrip()
        )
    return "".join(f"{line}\n" for line in lines)


def _starting_ranks(state: Tournament) -> Mapping[int, int]:
    """The starting rank of each entry number, in their order; late entries come last."""
    began = seeding(state, 0)
    late = sorted({each.number for each in state.entrants}.difference(began))
    return {number: rank for rank, number in enumerate((*began, *late), start=1)}


def _scale(form: TournamentFormat, unit: int) -> Iterator[str]:
    """What results bring, where it is not as in chess."""
    brings = (form.win, form.draw, form.loss, form.missed_round, form.bye)
    scaled = dict(zip(_CHESS, (each / unit for each in brings), strict=True))
    if scaled != _CHESS:
        yield f"XXS {' '.join(f'{code}={each:.1f}' for code, each in scaled.items())}"


def _round_results(ranks: Mapping[int, int], played: Round) -> Mapping[int, str]:
    """What a round brought each entrant: opponent, colour and result."""
    points = {number: each.points for number, each in (played.brought or {}).items()}
    met = as_played(played)
    found = dict.fromkeys(played.draw.byes, f"{_NO_OPPONENT} U")
    for table in played.draw.tables:
        if len(table.seats) != 2:  # noqa: PLR2004 -- seated by hand: chess knows no such table
            found |= dict.fromkeys(table.seats, f"{_NO_OPPONENT} U")
            continue
        for own, other, color in zip(table.seats, reversed(table.seats), "wb", strict=True):
            apart = points.get(own, 0) - points.get(other, 0)
            result = "1" if apart > 0 else "0" if apart < 0 else "="
            if table not in met.tables:
                result = "+" if own in met.byes else "-"
            found[own] = f"{ranks[other]:4} {color} {result}"
    return found


def entries_of_trf(text: str) -> str:
    """The players of such a file as a list of names and ratings; any other text unchanged."""
    players = [line for line in text.splitlines() if line.startswith("001 ")]
    if not any(map(_PLAYER.match, players)):
        return text
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";", lineterminator="\n")
    writer.writerow(("name", "rating"))
    writer.writerows((line[14:47].strip(), line[48:52].strip()) for line in players)
    return out.getvalue()
