"""The pages that teach a set: its faces, its photographs, its test, and the result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from io import SEEK_END, BytesIO
from typing import IO, TYPE_CHECKING, Any, Final

from flask import Blueprint, Response, abort, jsonify, render_template, request

from scoreboard.dice import FACES
from scoreboard.message import Message, message
from scoreboard.players import is_printable
from vision.errors import LessonError
from vision.learn.school import STRANGERS
from vision.learn.taught_reader import CARD_FACES, TILE_FACES
from vision.read.observation import UNREADABLE
from web.shared.security import LARGEST_PHOTO_BYTES, whole_number
from web.shared.words import translate
from web.table.parts import checked_jpeg, fault_answer, shown, to
from web.table.sets.lessons import MOST_PHOTOS, MOST_TOGETHER, Lesson, Progress, Step
from web.table.sets.training_jobs import TrainingJobs

if TYPE_CHECKING:
    from vision.watch.pipeline import Pictures

FEW_PHOTOS: Final = 3  # of a face: with fewer it is read clearly worse


def progress_words(now: Progress) -> Message:
    """How far learning is."""
    return message("{stage} ({done} of {of})", stage=now.stage, done=now.done, of=now.of)


LONGEST_FACE: Final = 16
FACE_COUNT: Final = range(2, 61)
PRESETS: Final[Mapping[str, tuple[str, ...]]] = {
    "cards": CARD_FACES,
    "die": tuple(map(str, FACES)),
    "tiles": TILE_FACES,
}
NO_PHOTO: Final = message("Choose a photo first.")
NO_PICTURE: Final = message("The camera has given no picture yet: try it on a photo.")
RESERVED: Final = frozenset({STRANGERS, UNREADABLE})


def entered_faces(text: str) -> tuple[str, ...]:
    """The names in a field, with blanks or commas between them."""
    return tuple(text.replace(",", " ").split())


def faces_of(form: Mapping[str, str]) -> tuple[str, ...] | Message:
    """The faces that the form for a new set names, or their fault."""
    preset = PRESETS.get(form.get("preset", ""))
    if preset is not None:
        return preset
    faces = tuple(dict.fromkeys(entered_faces(form.get("faces", ""))))
    if len(faces) not in FACE_COUNT:
        return message(
            "A set has {least} to {most} faces: separate their names with spaces.",
            least=FACE_COUNT[0],
            most=FACE_COUNT[-1],
        )
    for face in faces:
        if face in RESERVED or len(face) > LONGEST_FACE or not is_printable(face):
            return message(
                "“{face}” cannot name a face: {most} characters at most, and not “?” or “unknown”.",
                face=face,
                most=LONGEST_FACE,
            )
    return faces


STEPS: Final[dict[str, Step]] = {"photos": "learn", "test": "test"}
TOGETHER: Final = 8  # faces proposed for one photograph: as many as a deck has of a colour
TILES_TOGETHER: Final = 5
FIRST_TILES: Final = ("K4", "R6", "B8", "O9", "K12")
JOKER: Final = TILE_FACES[-1]
# The sets whose faces are drawn on the page, by the kind of pieces.
DRAWN: Final = {kind: frozenset(PRESETS[kind]) for kind in ("cards", "tiles")}


def teach_views(jobs: TrainingJobs, pictures: Pictures) -> Blueprint:
    """`/teach` and below; a set can be tried on the newest of the `pictures`."""
    views = Blueprint("teach", __name__, url_prefix="/teach")
    _add_list(views, jobs)
    _add_lesson(views, jobs)
    _add_learning(views, jobs, pictures)
    kept: dict[str, Callable[..., bytes | None]] = {
        "face-<int:at>": jobs.face,
        "photo-<int:number>": jobs.photo,
        "photo-<int:number>-<int:at>": jobs.piece,
        "trial": jobs.trial_picture,
    }
    for name, picture in kept.items():
        shows = partial(_picture, picture)
        views.add_url_rule(f"/<name>/{name}.jpg", picture.__name__, shows, right="owner")

    @views.errorhandler(LessonError)
    def damaged(error: LessonError) -> Response:
        return fault_answer(HTTPStatus.UNPROCESSABLE_ENTITY, error.message)

    return views


def _add_list(views: Blueprint, jobs: TrainingJobs) -> None:
    @views.get("", right="owner")
    def show() -> Response:
        return list_page(jobs)

    @views.post("", right="owner")
    def begin() -> Response:
        name, faces = request.form.get("name", "").strip(), faces_of(request.form)
        if isinstance(faces, Message):
            return list_page(jobs, faces)
        solid = request.form.get("preset") == "die" or "dice" in request.form
        fault = jobs.begin(name, faces, solid=solid)
        return list_page(jobs, fault) if fault else to("teach.lesson", name=name, stage="photos")

    @views.get("/<name>/delete", right="owner")
    def ask_delete(name: str) -> str:
        known = [each for each in jobs.entries() if each.name == name]
        return render_template("unteach.html", entry=known[0] if known else abort(404))

    @views.post("/<name>/delete", right="owner")
    def delete(name: str) -> Response:
        fault = jobs.delete(name)
        return list_page(jobs, fault, HTTPStatus.CONFLICT) if fault else to("teach.show")


def _add_lesson(views: Blueprint, jobs: TrainingJobs) -> None:
    @views.get("/<name>/<any(photos, test):stage>", right="owner")
    def lesson(name: str, stage: str) -> Response:
        entered = request.args.get("faces", "")
        place = "together" if entered else ""
        return lesson_page(_lesson(jobs, name), stage, (), place, entered)

    @views.post("/<name>/<any(photos, test):stage>", right="owner")
    def add(name: str, stage: str) -> Response:
        request.max_content_length = MOST_PHOTOS * LARGEST_PHOTO_BYTES
        lesson, entered = _lesson(jobs, name), request.form.get("faces", "")
        files = request.files.getlist("photo")[: MOST_PHOTOS + 1]
        faces, photos = entered_faces(entered), [file.stream for file in files if file.filename]
        sender, step = request.remote_addr or "", STEPS[stage]
        fault = _fault(lesson, step, faces, photos)
        faults = (fault,) if fault else jobs.add(name, step, faces, photos, sender)
        place = place_of(lesson, faces, request.form.get("place", ""))
        if faults:
            return lesson_page(_lesson(jobs, name), stage, faults, place, entered)
        return to("teach.lesson", name=name, stage=stage, _anchor=place)

    @views.post("/<name>/<any(photos, test):stage>/accept", right="owner")
    def accept(name: str, stage: str) -> Response:
        return changed(name, stage, jobs.accept)

    @views.post("/<name>/<any(photos, test):stage>/drop", right="owner")
    def drop(name: str, stage: str) -> Response:
        return changed(name, stage, jobs.drop, names_stay=True)

    def changed(
        name: str, stage: str, change: Callable[[str, int], None], *, names_stay: bool = False
    ) -> Response:
        number, lesson = whole_number(request.form.get("number", "")), _lesson(jobs, name)
        if number is None:
            abort(400)
        change(name, number)
        place = place_of(lesson, (), request.form.get("place", ""))
        # names that were typed for a refused photo stay for the next one
        refused = lesson.faulty(STEPS[stage]) if names_stay else ()
        names = next((" ".join(each.faces) for each in refused if each.number == number), None)
        return to("teach.lesson", name=name, stage=stage, faces=names, _anchor=place)


def _add_learning(views: Blueprint, jobs: TrainingJobs, pictures: Pictures) -> None:
    @views.get("/<name>/learn", right="owner")
    def learning(name: str) -> Response:
        return learn_page(jobs, _lesson(jobs, name))

    @views.post("/<name>/learn", right="owner")
    def learn(name: str) -> Response:
        lesson = _lesson(jobs, name)
        fault = jobs.learn(name)
        return learn_page(jobs, lesson, fault) if fault else to("teach.learning", name=name)

    @views.get("/<name>/progress", right="owner")
    def progress(name: str) -> Response:
        now = jobs.progress(name)
        if now is None or now.fault is not None:
            return jsonify(running=False)
        words = translate(progress_words(now))
        return jsonify(running=True, words=words, done=now.done, of=now.of)

    @views.post("/<name>/try", right="owner")
    def try_out(name: str) -> Response:
        request.max_content_length = LARGEST_PHOTO_BYTES
        lesson, chosen = _lesson(jobs, name), request.files.get("photo")
        newest = pictures.newest() if "table" in request.form else None
        if newest is not None:
            fault = jobs.try_out(name, BytesIO(newest.jpeg), request.remote_addr or "")
        elif chosen is None or not chosen.filename:
            fault = NO_PICTURE if "table" in request.form else NO_PHOTO
        else:
            fault = jobs.try_out(name, chosen.stream, request.remote_addr or "")
        if fault is not None:
            return learn_page(jobs, lesson, fault)
        return to("teach.learning", name=name, _anchor="trial")

    @views.post("/<name>/play", right="owner")
    def play(name: str) -> Response:
        fault = jobs.play(name, wanted=request.form.get("wanted") == "yes")
        return list_page(jobs, fault, HTTPStatus.CONFLICT) if fault else to("teach.show")


def list_page(
    jobs: TrainingJobs, fault: Message | None = None, status: int | None = None
) -> Response:
    """All sets, and the form for a new one as it was filled in."""
    return shown("teach.html", status, entries=jobs.entries(), fault=fault, form=request.form)


def lesson_page(
    lesson: Lesson, stage: str, faults: Sequence[Message] = (), place: str = "", entered: str = ""
) -> Response:
    """One step's photographs; faults are next to the form that sent the photographs."""
    step = STEPS[stage]
    if place == "together":
        proposed = entered
    elif any(photo in lesson.faulty(step) for photo in lesson.photos[-1:]):  # to be redone
        proposed = " ".join(lesson.photos[-1].faces)
    else:
        proposed = " ".join(proposal(lesson, step))
    return shown(
        "lesson.html",
        HTTPStatus.UNPROCESSABLE_ENTITY if faults else None,
        **_common(lesson, stage),
        step=step,
        missing=lesson.missing(step),
        proposed=proposed,
        faults=faults,
        fault_place=place,
        strangers=STRANGERS,
    )


def proposal(lesson: Lesson, step: Step) -> tuple[str, ...]:
    """What to photograph next: of tiles five at a time, and both jokers, which may look unlike.

    The first photo has tiles of every colour: they show whether the box needs to be taught.
    """
    if not lesson.is_tiles:
        return lesson.next_together(step, TOGETHER)
    if not lesson.photos:
        return FIRST_TILES
    faces = lesson.next_together(step, TILES_TOGETHER)
    return (*faces, JOKER) if JOKER in faces else faces


def learn_page(jobs: TrainingJobs, lesson: Lesson, fault: Message | None = None) -> Response:
    """What can be learned, the progress, and the result."""
    now = jobs.progress(lesson.name)
    running = now is not None and now.fault is None
    return shown(
        "learning.html",
        None if fault else HTTPStatus.OK,
        **_common(lesson, "learn"),
        missing=lesson.missing("learn"),
        progress=now if running else None,
        words=progress_words(now) if now and running else None,
        fault=fault or (now.fault if now else None),
        report=None if running else lesson.report,
        trial=None if running else jobs.trial(lesson.name),
        has_few=any(len(lesson.photos_of(face, "learn")) < FEW_PHOTOS for face in lesson.faces),
    )


def _common(lesson: Lesson, stage: str) -> dict[str, Any]:
    kinds = [kind for kind, faces in DRAWN.items() if faces <= frozenset(lesson.faces)]
    return {
        "lesson": lesson,
        "stage": stage,
        "most": MOST_PHOTOS,
        "kind": kinds[0] if kinds else None,
        "drawn": DRAWN[kinds[0]] if kinds else (),
    }


def place_of(lesson: Lesson, faces: Sequence[str], sent_from: str) -> str:
    """The place of a form on the page: `together`, `strangers` or `face-3`."""
    if sent_from == "together" or len(faces) > 1:
        return "together"
    if tuple(faces) == (STRANGERS,) or sent_from == "strangers":
        return "strangers"
    if faces and faces[0] in lesson.faces:
        return f"face-{lesson.faces.index(faces[0])}"
    return sent_from if sent_from.startswith("face-") else "together"


def _fault(  # noqa: PLR0911 -- one arm a fault
    lesson: Lesson, step: Step, faces: Sequence[str], photos: Sequence[IO[bytes]]
) -> Message | None:
    """The fault of a form before any photograph is opened."""
    sizes = [photo.seek(0, SEEK_END) for photo in photos]
    for photo in photos:
        photo.seek(0)
    strange = [face for face in faces if not lesson.knows((face,), step)]
    if strange:
        return message("“{face}” is not a face of this set.", face=strange[0])
    if not faces:
        return message("Name the faces on the photo, from left to right, row by row.")
    if len(faces) > MOST_TOGETHER:
        return message("Put at most {most} faces on one photograph.", most=MOST_TOGETHER)
    if not photos:
        return NO_PHOTO
    if len(photos) > MOST_PHOTOS:
        return message("Send at most {most} photos at once.", most=MOST_PHOTOS)
    if max(sizes) > LARGEST_PHOTO_BYTES:
        return message("That is too large: a photo may have 25 MB.")
    return None


def _picture(picture: Callable[..., bytes | None], **which: Any) -> Response:
    """Kept by the browser, but asked about: a lesson may be begun anew under its name."""
    return checked_jpeg(picture(**which), "no-cache")


def _lesson(jobs: TrainingJobs, name: str) -> Lesson:
    return jobs.lesson(name) or abort(404)
