"""`tablescore teach`: learn a deck or a tile set from photographs.

OpenCV is loaded once a set is taught: a second on a small machine.
"""
# ruff: noqa: PLC0415 -- see above

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from web.cli.options import Refusal
from web.table.sets.taught_readers import open_school

if TYPE_CHECKING:
    from vision.learn.school import Examination, Inspected, School
    from vision.learn.taught_sets import TaughtSet

_A_PATH = click.Path(path_type=Path, file_okay=False)


@click.command(epilog="Example: tablescore teach “Tong Tong” photographs/ --held-back evening/")
@click.argument("name")
@click.argument("folder", type=_A_PATH)
@click.option(
    "--held-back",
    type=_A_PATH,
    metavar="FOLDER",
    help="Photographs of other scenes, named likewise, that the set is examined on.",
)
@click.option("--dice", is_flag=True, help="The pieces are dice, photographed from straight above.")
@click.option(
    "--sets",
    type=_A_PATH,
    metavar="FOLDER",
    help="Where taught sets are kept; else in your data folder.",
)
def teach(
    name: str, folder: Path, held_back: Path | None, sets: Path | None, *, dice: bool
) -> None:
    """Learn the set NAME from the photographs in FOLDER.

    FOLDER holds a folder for each face, named after it, with one to five photographs; a folder
    named after several faces, as in “R1 R2 R3”, holds photographs of these in reading order. In
    --held-back a folder “unknown” may hold pieces that are not of the set.

    The set is trusted only if on photographs that were held back 95 % of the pieces are read
    right, and none wrong without a doubt; else it is kept too, and every reading with it asks.
    """
    school = open_school(sets)
    inspected = _inspected(school, folder, (), dice=dice)
    counts = school.photographs_a_face(inspected)
    without = [face for face, count in counts.items() if count == 0]
    if without:
        raise Refusal(f"No photograph can be used of {', '.join(without)}: take them again.")
    if len(counts) < 2:  # noqa: PLR2004 -- nothing to tell apart
        raise Refusal("A set has at least two faces: make a folder for each, named after it.")
    least = min(counts.values())
    click.echo(f"{len(counts)} faces, at least {least} of each. Learning ...")
    if least == 1:
        click.echo("Three photographs a face, each under another light, are read far better.")
    learned = school.learn(name, inspected, solid=dice)
    refused, of = school.refused_untaught(inspected, learned.likeness)
    if of:
        share = _share(refused, of)
        click.echo(f"Of pieces whose own face was forgotten {share} were doubted or refused.")
    examination = _examined(school, inspected, learned, held_back)
    taught = school.keep(learned, examination)
    place = f"“{taught.name}”, revision {taught.revision}, in {school.sets.folder}"
    if taught.trusted:
        click.echo(f"Trusted, and kept as {place}.")
    else:
        click.echo(f"Not trusted: kept as {place}, but every reading with it will ask.")
    if sets is None:  # sets of another folder are not read
        pieces = shlex.quote(f"taught:{taught.name}")
        click.echo(f"Read with it: tablescore read PHOTO --pieces {pieces}")


def _inspected(
    school: School, folder: Path, faces: tuple[str, ...], *, dice: bool
) -> tuple[Inspected, ...]:
    """Look at the photographs of a folder, and print what is on each.

    `faces` are the set's where they are known; the folder's own may be fewer.
    """
    from vision.learn.school import faces_of
    from vision.learn.taught_reader import is_tile_set

    photos = school.lesson_in(folder)
    tiles = is_tile_set(faces or faces_of(photos))
    click.echo(f"Looking at {len(photos)} photographs in {folder} ...")
    inspected = school.inspect(photos, solid=dice, tiles=tiles)
    for each in inspected:
        where = each.photo.path.relative_to(folder)
        if each.problem is not None:
            click.echo(f"  {where}: {each.problem}", err=True)
        else:
            count = len(each.specimens)
            pieces = "1 piece" if count == 1 else f"{count} pieces"
            click.echo(f"  {where}: {pieces}, {' '.join(each.photo.faces)}")
    return inspected


def _examined(
    school: School, inspected: tuple[Inspected, ...], learned: TaughtSet, held_back: Path | None
) -> Examination | None:
    """Examine on photographs held back, or on the lesson's own; print the outcome."""
    examination: Examination | None
    likeness = learned.likeness
    if held_back is not None:
        photos = _inspected(school, held_back, likeness.faces, dice=likeness.solid)
        examination = school.examine_held_back(learned, photos)
        click.echo("Examined on the photographs that were held back:")
    else:
        examination = school.examine_by_turns(inspected, solid=likeness.solid)
        if examination is None:
            click.echo("With one photograph of a face there is nothing to examine the set on.")
            return None
        click.echo(
            "Examined on the lesson's own photographs, one of each face left out in turn. "
            "This says less than photographs of other scenes (--held-back):"
        )
    score = examination.score
    click.echo(f"  right: {_share(score.right, score.pieces)}")
    click.echo(f"  doubted, refused or not found: {_share(score.asked, score.pieces)}")
    if score.strangers:
        share = _share(score.refused, score.strangers)
        click.echo(f"  pieces of no face doubted or refused: {share}")
    for (shown, said), count in sorted(examination.confusions.items()):
        click.echo(f"  {shown} taken for {said}: {count}")
    for answer in examination.silent:
        click.echo(f"  wrong without a doubt: {answer.path}, {answer.face}")
    return examination


def _share(count: int, of: int) -> str:
    return f"{count} of {of} ({count / of:.1%})" if of else "none"
